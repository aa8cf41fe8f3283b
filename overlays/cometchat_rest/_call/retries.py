"""When a call is retried, and after which pause (pure, except for the jitter)."""

from __future__ import annotations

import random
import time

from cometchat_rest.errors import ApiError, CometChatError, RateLimitError, ServerError, TransportError

#: The longest `Retry-After` that the client waits for, in seconds; after a longer one it raises the error at once.
LONGEST_RETRY_AFTER = 60.0

#: The first and the longest pause in seconds, before `backoff` shortens it.
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0

#: After one of these errors, the same call may succeed later.
TEMPORARY_ERRORS = (TransportError, RateLimitError, ServerError)

# Statuses for which a GET is retried: a proxy in front of the service failed, or the service is unavailable.
_RETRIED_FOR_GET = frozenset({502, 503, 504})


class Retries:
    """Counts the attempts of one call that failed, and decides about the next one.

    A long job reaches the rate limit again and again: for a 429, only the deadline limits its attempts. Its pauses
    grow, because `Retry-After: 0` would flood the service.
    """

    def __init__(self, method: str, most: int, deadline: float, *, in_job: bool) -> None:
        self._method, self._most, self._deadline, self._in_job = method, most, deadline, in_job
        self._failures = 0

    def pause(self, outcome: object, number: int) -> float | None:
        """Seconds until the attempt after this one, or `None`; an error learns the number of its attempt."""
        if not isinstance(outcome, CometChatError):
            return None
        outcome.attempts = number
        unlimited = self._in_job and isinstance(outcome, RateLimitError)
        self._failures += not unlimited
        if self._failures > self._most:
            return None
        shortest = backoff(number) if unlimited and number > 2 else 0.0
        return pause_before_retry(self._method, outcome, number, self._deadline - time.monotonic(), shortest)


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
