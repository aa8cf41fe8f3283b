"""Facts in the headers of a response (pure, except for the time of this machine)."""

import math
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
#: The longest pause that the client makes because a response asks for it, in seconds.
LONGEST_PAUSE = 60.0


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
        value = integer_in(headers.get(name, "").strip())
        if value is not None:
            return value
    return None


def integer_in(text: str) -> int | None:
    """The number in a text that holds only digits; `None` for any other text."""
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    return None


def requested_pause(status: int, headers: Mapping[str, str], service: Service) -> float | None:
    """Seconds that a refusal asks the client to wait; `None` if it does not ask.

    They stand in `Retry-After`. After a 429 without it, they end with the window of the rate limit,
    if that is soon.
    """
    now = _unix_time(headers.get("date", ""))
    if math.isnan(now):
        now = time.time()
    # Commas stand between several values, and behind the weekday of a date, which nobody needs.
    values = headers.get("retry-after", "").split(",")
    pauses = [_seconds(value, now) for value in values]
    # Infinity and NaN are not pauses.
    finite = [max(0.0, seconds) for seconds in pauses if seconds < math.inf]
    if finite:
        return max(finite)
    reset = rate_limit(headers, service).reset
    if status == 429 and reset is not None and 0 < reset - now <= LONGEST_PAUSE:
        return reset - now
    return None


def _seconds(value: str, now: float) -> float:
    """The seconds in one value of `Retry-After`, a number or a date; NaN if it is invalid."""
    if "_" in value:
        return math.nan  # Python would read 1_0 as 10
    try:
        return float(value)
    except ValueError:
        return _unix_time(value) - now


def _unix_time(date: str) -> float:
    """A date in Unix seconds; NaN if it is invalid."""
    try:
        parsed = parsedate_to_datetime(date)
        # Dates in HTTP are in UTC, also those without a time zone.
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return aware.timestamp()
    except (ValueError, OverflowError):
        return math.nan
