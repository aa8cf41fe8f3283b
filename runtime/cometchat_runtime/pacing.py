"""When the calls of a client may be sent: after a 429, one pause for all of them (pure, except
for the jitter)."""

import random
import time
from collections.abc import Iterator

# The calls that wait are sent within this time after the pause, in seconds. So if the service
# refuses the first ones again, the others have not been sent yet.
_SPREAD = 0.25


class Pacing:
    """The pause that the calls of a client and its derived clients share, in any thread and in
    any event loop."""

    def __init__(self) -> None:
        self._resume = 0.0

    def refused(self, pause: float | None) -> None:
        """Send nothing for this many seconds, if any: the service refused a call with 429."""
        self._resume = max(self._resume, time.monotonic() + (pause or 0.0))

    def holds(self, deadline: float) -> bool:
        """Whether a call with this deadline waits."""
        return time.monotonic() < self._resume < deadline

    def pauses(self, deadline: float) -> Iterator[float]:
        """The pauses of a call before its next attempt, in seconds.

        A call whose deadline comes before the end of the pause is sent now: the service decides.
        """
        while True:
            now = time.monotonic()
            resume = self._resume
            if not now < resume < deadline:
                return
            spread = min(_SPREAD, (deadline - resume) / 2)
            yield resume - now + random.uniform(0.0, spread)  # noqa: S311 - not a secret
