"""When the calls of a client may be sent: one pause for all of them after a 429 (pure).

`Pacing` decides, and the driver of a call waits. A waiting call asks again later, and nothing wakes it. So calls can
wait in any thread and in any event loop, and an interruption leaves no lock behind.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import chain, count, islice
from typing import Self

from attrs import frozen

from cometchat_rest._support.forks import reset_in_children

# A call that waits for others asks again after `_TURN` seconds for each call before it, at most `_LONGEST_TURN`.
_TURN, _LONGEST_TURN = 0.01, 0.25
# More calls before it do not change the pause of a call. Counting thousands would stop an event loop for seconds.
_MOST_COUNTED = round(_LONGEST_TURN / _TURN)


@frozen(eq=False)
class Turn:
    """The place of a call among the calls of its client. A call keeps its place for all its attempts."""

    pacing: Pacing
    number: int
    start: float
    deadline: float

    def waits(self) -> Iterator[float]:
        """The pauses before the next attempt, in seconds."""
        if not self.pacing.calm:
            while (pause := self.pacing.wait(self)) > 0:
                yield pause

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Forget the call, which has ended in any way."""
        self.pacing.leave(self)


class Pacing:
    """The pause that the calls of a client and its derived clients share.

    After the pause, the call that has waited longest is sent alone. Each call that the service accepts lets more calls
    run at the same time: about the square root of twice their number. So the next pause refuses only a few calls. Every
    change is one atomic step, and a call that disappeared without `leave` is forgotten after its deadline.

    Attributes:
        calm: whether calls may be sent without asking.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.calm: bool = True
        self._clock = clock
        self._numbers = count(1)
        self._resume = 0.0
        self._allowed = 1.0
        self._waiting: dict[int, Turn] = {}
        self._sent: dict[int, Turn] = {}
        reset_in_children(self)

    def reset_after_fork(self) -> None:
        """Forget all calls: no thread of the parent process continues in the child."""
        self._waiting, self._sent = {}, {}

    def turn(self, deadline: float) -> Turn:
        """The place of a new call, behind all others; `deadline` is on the clock."""
        return Turn(self, next(self._numbers), self._clock(), deadline)

    def wait(self, turn: Turn) -> float:
        """How many seconds a call must wait before it asks again; 0 if it may be sent now.

        A call whose deadline comes before the end of the pause is sent now, and so is a call that has waited for others
        for half of its time: the service decides. A call that is sent in its last milliseconds gets no response.
        """
        now = self._clock()
        self._waiting[turn.number] = turn
        pause = self._pause(turn, now)
        if 0 < pause < self._last_moment(turn, now) - now:
            return pause
        self._waiting.pop(turn.number, None)
        return 0.0

    def settle(self, turn: Turn, pause: float | None, *, refused: bool) -> None:
        """Learn from an attempt: whether its status was 429, and in how many seconds the call is sent again."""
        if refused and pause is not None:
            self._resume = max(self._resume, self._clock() + pause)
            self._allowed = 1.0
            self.calm = False
        elif turn.number in self._sent and not refused:
            self._allowed += 1 / self._allowed
            now = self._clock()
            self.calm = not any(_is_active(other, now) for other in list(self._waiting.values()))
        self._sent.pop(turn.number, None)

    def leave(self, turn: Turn) -> None:
        """Forget a call that has ended."""
        self._waiting.pop(turn.number, None)
        self._sent.pop(turn.number, None)

    def _last_moment(self, turn: Turn, now: float) -> float:
        """When a call is sent at the latest."""
        if now < self._resume:
            return turn.deadline
        return (max(turn.start, self._resume) + turn.deadline) / 2

    def _pause(self, turn: Turn, now: float) -> float:
        if self.calm:
            return 0.0
        if now < self._resume:
            return self._resume - now
        earlier = (other for other in list(self._waiting.values()) if other.number < turn.number)
        others = (other for other in chain(list(self._sent.values()), earlier) if _is_active(other, now))
        before = sum(1 for _ in islice(others, int(self._allowed) + _MOST_COUNTED)) + 1 - int(self._allowed)
        if before <= 0:
            self._sent[turn.number] = turn
        return min(max(before, 0) * _TURN, _LONGEST_TURN)


def _is_active(turn: Turn, now: float) -> bool:
    return now < turn.deadline
