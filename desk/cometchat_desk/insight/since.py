"""Read the time of `--since`: `7d`, `24h`, `2w`, or a date (pure)."""

import re
from datetime import UTC, datetime, timedelta

from cometchat_rest.errors import InvalidRequestError

_UNITS = {"min": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_SPAN = re.compile(r"([0-9]{1,6})(min|[hdwm])", re.ASCII)


def start_of(text: str | None, *, now: datetime | None = None) -> datetime | None:
    """The time that a text names: a span before now, or an ISO 8601 date or time, in UTC unless it names a zone."""
    if text is None:
        return None
    span = _SPAN.fullmatch(text.strip().lower())
    if span and span[2] == "m":
        month, minutes = f"{int(span[1]) * 30}d", f"{span[1]}min"
        raise InvalidRequestError(f"--since {text}: m may mean months or minutes; write {month}, or {minutes}")
    try:
        if span:
            return (now or datetime.now(UTC)) - int(span[1]) * _UNITS[span[2]]
        time = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise InvalidRequestError(
            f"--since must be a span such as 24h, 7d or 2w, or a date such as 2025-09-15, not {text!r}"
        ) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
