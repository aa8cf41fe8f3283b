"""Times and texts in the service's records, which may hold any value."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def utc(seconds: object) -> datetime | None:
    """The time for Unix seconds; `None` if the value is not a number, or if a datetime cannot hold it."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None


def text_of(value: object) -> str | None:
    """A value as a text; `None` if the service left it out."""
    return None if value is None else str(value)
