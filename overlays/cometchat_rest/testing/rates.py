"""Counts requests against a limit per window of time, as the service's rate limit does."""

import math

from attrs import define, frozen

USUAL_LIMIT = 20_000
USUAL_WINDOW = 60.0


@frozen
class Quota:
    """What one request left over; `wait` is `None`, or the seconds until requests are let through again."""

    limit: int
    remaining: int
    reset: float
    wait: float | None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that tell the caller so; whole seconds, rounded up so that waiting is enough."""
        headers = {"X-Rate-Limit": str(self.limit), "X-Rate-Limit-Remaining": str(self.remaining)}
        if self.wait is not None:
            headers["Retry-After"] = str(max(1, math.ceil(self.wait)))
            headers["X-Rate-Limit-Reset"] = str(math.ceil(self.reset))
        return headers


@define
class RateLimit:
    """So many requests per window; a window begins with the first request after the last one ended.

    Unless `enforced`, the count is told but nothing is refused: a load test must not run into a limit by
    surprise.
    """

    limit: int = USUAL_LIMIT
    window: float = USUAL_WINDOW
    enforced: bool = False
    _end: float = 0.0
    _used: int = 0

    def spend(self, now: float) -> Quota:
        """Count one request at the time `now`, in Unix seconds."""
        if now >= self._end:
            self._end = now + self.window
            self._used = 0
        refused = self.enforced and self._used >= self.limit
        if not refused:
            self._used += 1
        return Quota(
            limit=self.limit,
            remaining=max(0, self.limit - self._used),
            reset=self._end,
            wait=self._end - now if refused else None,
        )
