"""Times and texts in the service's records, which may hold any value, and the time of `--since`."""

import re
from datetime import UTC, datetime, timedelta

from cometchat_rest import InvalidRequestError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_SPAN = re.compile(r"([0-9]{1,6})(min|[hdw])", re.ASCII)


def utc(seconds: object) -> datetime | None:
    """The time for Unix seconds; `None` if the value is not a number, or if a datetime cannot
    hold it."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None


def text_of(value: object) -> str | None:
    """A value as a text; `None` if the service left it out."""
    return None if value is None else str(value)


def start_of(text: str | None, *, now: datetime | None = None) -> datetime | None:
    """The time that a text names: a span before now, or an ISO 8601 date or time, in UTC unless
    it names a zone."""
    if text is None:
        return None
    span = _SPAN.fullmatch(text.strip().lower())
    try:
        if span:
            return (now or datetime.now(UTC)) - int(span[1]) * _UNITS[span[2]]
        time = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise InvalidRequestError(
            "--since must be a span such as 24h, 7d or 2w, or a date such as 2025-09-15, not"
            f" {text!r}"
        ) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
