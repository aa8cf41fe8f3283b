"""When a call is retried, and after which pause (pure, except for the jitter)."""

from __future__ import annotations

import random

from cometchat_rest.errors import ApiError, CometChatError, RateLimitError, ServerError, TransportError

#: The longest `Retry-After` that the client waits for, in seconds; after a longer one it raises the error at once.
LONGEST_RETRY_AFTER = 60.0

#: The first and the longest pause in seconds, before `backoff` shortens it.
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0

#: After one of these errors, the same call may succeed later.
TEMPORARY_ERRORS = (TransportError, RateLimitError, ServerError)

# Statuses for which a GET is retried: a proxy in front of the service failed, or the service is unavailable.
_RETRIED_FOR_GET = frozenset({502, 503, 504})


def pause_before_retry(
    method: str, error: CometChatError, attempt: int, left: float, shortest: float = 0.0
) -> float | None:
    """How many seconds to wait before the next attempt, or `None` for no further attempt.

    Args:
        method: the HTTP method. A GET only reads, so it may be sent again; any other request only if the service
            certainly did not process it.
        error: the error of the last attempt.
        attempt: the number of that attempt, from 1.
        left: seconds until the deadline of the call.
        shortest: the shortest pause in seconds, also if the service asks for a shorter one.
    """
    if not _may_retry(method, error):
        return None
    requested = error.retry_after if isinstance(error, ApiError) else None
    if requested is None:
        pause = backoff(attempt)
    elif requested <= LONGEST_RETRY_AFTER:
        pause = max(requested, shortest)
    else:
        return None
    return pause if pause < left else None


def backoff(failures: int, first: float = FIRST_PAUSE, longest: float = LONGEST_PAUSE) -> float:
    """Seconds to wait after a number of failures in a row: doubled each time, and shortened by up to half at random."""
    # The limit of 60: a float overflows after too many doublings.
    pause = min(longest, first * 2.0 ** min(failures - 1, 60))
    jitter: float = random.uniform(0.5, 1.0)  # noqa: S311 - not a secret
    return pause * jitter


def _may_retry(method: str, error: CometChatError) -> bool:
    if isinstance(error, RateLimitError):
        return True
    if isinstance(error, TransportError):
        # Another attempt does not repair a bug in a transport of the caller.
        return not error.request_sent or (method == "GET" and error.kind != "transport")
    return method == "GET" and isinstance(error, ApiError) and error.status_code in _RETRIED_FOR_GET
