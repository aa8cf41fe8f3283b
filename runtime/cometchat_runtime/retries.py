"""When a call is retried, and after which pause (pure, except for the jitter)."""

import random
import time

from .errors import ApiError, CometChatError, RateLimitError, ServerError, TransportError
from .headers import LONGEST_PAUSE

# The first and the longest pause in seconds, before `backoff` shortens it.
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 8.0

#: After one of these errors, the same call may succeed later.
TEMPORARY_ERRORS = (TransportError, RateLimitError, ServerError)

# A float overflows after too many doublings.
_MOST_DOUBLINGS = 60


class Retries:
    """Counts the attempts of one call that failed, and decides about the next one."""

    def __init__(self, most: int, deadline: float, *, repeatable: bool) -> None:
        self._most = most
        self._deadline = deadline
        self._repeatable = repeatable
        self._failures = 0

    def pause(self, outcome: object) -> float | None:
        """Seconds until the attempt after this one; `None` if this attempt is the last one."""
        if not isinstance(outcome, CometChatError):
            return None
        if not _may_retry(outcome, repeatable=self._repeatable):
            return None
        requested = named_pause(outcome)
        # Many calls at once reach the rate limit again and again. If the service names a pause,
        # only the deadline limits their attempts.
        is_named = requested > 0 and isinstance(outcome, RateLimitError)
        if self._most == 0 or not is_named:
            self._failures += 1
        if self._failures > self._most or requested > LONGEST_PAUSE:
            return None
        pause = max(requested, backoff(max(1, self._failures)))
        return pause if pause < self._deadline - time.monotonic() else None


def named_pause(error: CometChatError) -> float:
    """Seconds that the response of an error asks the client to wait; 0 if it does not ask."""
    retry_after = error.retry_after if isinstance(error, ApiError) else None
    return retry_after or 0.0


def backoff(failures: int, first: float = _FIRST_PAUSE, longest: float = _LONGEST_PAUSE) -> float:
    """Seconds to wait after a number of failures in a row: doubled each time, and shortened by up
    to half at random."""
    pause = min(longest, first * 2.0 ** min(failures - 1, _MOST_DOUBLINGS))
    jitter: float = random.uniform(0.5, 1.0)  # noqa: S311 - not a secret
    return pause * jitter


def _may_retry(error: CometChatError, *, repeatable: bool) -> bool:
    """Whether another attempt can help and harm nothing: only some calls can be sent after they may
    be processed."""
    if isinstance(error, RateLimitError):
        return True
    if isinstance(error, TransportError):
        # Another attempt does not repair a bug in a custom transport.
        return not error.request_sent or (repeatable and error.kind != "transport")
    return repeatable and isinstance(error, ApiError) and _is_retried(error.status_code)


def _is_retried(status: int) -> bool:
    """Whether the service may accept the same request later. 501 and 505 mean that it never
    will."""
    return status == 408 or (status >= 500 and status not in (501, 505))
