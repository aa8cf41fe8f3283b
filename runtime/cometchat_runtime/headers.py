"""Facts in the headers of a response (pure, except for the time of this machine)."""

import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

# The service, its network and its proxies give a request an identifier in one of these headers.
_REQUEST_ID = ("x-request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray")


def request_id(headers: Mapping[str, str]) -> str | None:
    """The identifier of the request; `None` if there is none."""
    return next((headers[name] for name in _REQUEST_ID if name in headers), None)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait from `Retry-After`, a number or a date; `None` if it is absent or invalid."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        seconds = _seconds_until(value)
    # Infinity and NaN are not pauses.
    return max(0.0, seconds) if seconds < float("inf") else None


def _seconds_until(date: str) -> float:
    try:
        parsed = parsedate_to_datetime(date)
        # Dates in HTTP are in UTC, also those without a time zone.
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return aware.timestamp() - time.time()
    except (ValueError, OverflowError):
        return float("nan")
