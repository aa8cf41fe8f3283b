"""Takes the place of sentry_sdk, which is not installed: a recipe of the documentation calls it."""


def add_breadcrumb(*, category: str, message: str, level: str, data: dict[str, object]) -> None:
    """Check the breadcrumb as Sentry would: its own level, and data that JSON can hold."""
    assert category
    assert message
    assert level in {"debug", "info", "warning", "error", "fatal"}
    assert all(isinstance(value, str | int | None) for value in data.values())
