"""When a call is tried again, and after how long (pure, save for the jitter).

A retrying transport such as httpx-retries does not fit: it sees the head of an answer and neither a body that breaks
off nor the call's deadline, and it has one list of statuses where reading and changing differ. So the rules stand here,
for the loop that both clients drive.
"""

from __future__ import annotations

import random

from cometchat_rest.errors import ApiError, CometChatError, RateLimitError, TransportError

#: The longest `Retry-After`, in seconds, that is waited for; a longer one is for the caller to plan with.
LONGEST_RETRY_AFTER = 60.0

# The first pause and the longest, in seconds, before jitter takes up to half of it away.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0

# Something in front of the service failed, or the service is away for the moment.
_PASSING = frozenset({502, 503, 504})


def pause_before_retry(method: str, error: CometChatError, attempt: int, left: float) -> float | None:
    """How long to wait before trying again, or `None` to give up.

    Args:
        method: GET only reads, so it may be sent again; anything else only where it was surely not processed.
        error: how the last attempt ended.
        attempt: its number, from 1.
        left: seconds until the call's deadline.
    """
    if not _may_repeat(method, error):
        return None
    asked = error.retry_after if isinstance(error, ApiError) else None
    if asked is None:
        pause = backoff(attempt, _FIRST_PAUSE, _LONGEST_PAUSE)
    elif asked <= LONGEST_RETRY_AFTER:
        pause = asked
    else:
        return None
    return pause if pause < left else None


def backoff(failures: int, first: float, longest: float) -> float:
    """Seconds to wait after so many failures in a row: doubled each time, and up to half of it taken away by chance."""
    # No float holds the doublings of a very long outage.
    whole = min(longest, first * 2.0 ** min(failures - 1, 60))
    kept: float = random.uniform(0.5, 1.0)  # noqa: S311 - jitter, no secret
    return whole * kept


def _may_repeat(method: str, error: CometChatError) -> bool:
    if isinstance(error, RateLimitError):
        return True
    if isinstance(error, TransportError):
        return not error.request_sent or method == "GET"
    return method == "GET" and isinstance(error, ApiError) and error.status_code in _PASSING
