"""The rate limit of the service: counts the requests in each time window."""

import math

from attrs import define

USUAL_LIMIT = 20_000
USUAL_WINDOW = 60.0


@define
class RateLimit:
    """A limit of requests per window. A window begins with the first request after the end of the
    previous window.

    Unless `enforced`, no request is refused: a load test must not hit a limit by surprise.
    """

    limit: int = USUAL_LIMIT
    window: float = USUAL_WINDOW
    enforced: bool = False
    _end: float = 0.0
    _used: int = 0

    def spend(self, now: float) -> tuple[bool, dict[str, str]]:
        """Count a request at the Unix time `now`; returns whether it is refused, and the headers
        of its response."""
        # A test may set the clock back: a time before the window begins a new one too.
        if not 0 < self._end - now <= self.window:
            self._end = now + self.window
            self._used = 0
        refused = self.enforced and self._used >= self.limit
        if not refused:
            self._used += 1
        headers = {
            "X-Rate-Limit": str(self.limit),
            "X-Rate-Limit-Remaining": str(max(0, self.limit - self._used)),
        }
        if refused:
            # Rounded up, so that a client that waits this long is accepted.
            headers["Retry-After"] = str(math.ceil(self._end - now))
            headers["X-Rate-Limit-Reset"] = str(math.ceil(self._end))
        return refused, headers
