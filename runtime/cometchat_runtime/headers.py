"""Facts in the headers of a response (pure, except for the time of this machine)."""

import time
from collections.abc import Iterable, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from .errors import RateLimit
from .service import Service

# The service, its network and its proxies give a request an identifier in one of these headers.
_REQUEST_ID = ("x-request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray")
# Python refuses to read very long integers, and no limit needs more digits.
_MOST_DIGITS = 18


def request_id(headers: Mapping[str, str]) -> str | None:
    """The identifier of the request; `None` if there is none."""
    return next((headers[name] for name in _REQUEST_ID if name in headers), None)


def rate_limit(headers: Mapping[str, str], service: Service) -> RateLimit:
    """The rate limit, in any spelling of the service."""
    return RateLimit(
        limit=_integer(headers, service.limit_headers),
        remaining=_integer(headers, service.remaining_headers),
        reset=_integer(headers, service.reset_headers),
    )


def _integer(headers: Mapping[str, str], names: Iterable[str]) -> int | None:
    for name in names:
        value = headers.get(name, "").strip()
        if value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS:
            return int(value)
    return None


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
