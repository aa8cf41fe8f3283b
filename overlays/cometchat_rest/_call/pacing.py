"""When the calls of a client may be sent: one pause for all of them after a 429, and the speed of bulk jobs (pure).

`Pacing` decides, and the driver of a call waits. A waiting call asks again later, and nothing wakes it. So calls can
wait in any thread and in any event loop, and an interruption leaves no lock behind.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count, islice

from cometchat_rest._support.forks import reset_in_children
from cometchat_rest.errors import RateLimit

# A call that waits for others asks again after `_TURN` seconds for each call before it, at most `_LONGEST_TURN`.
_TURN, _LONGEST_TURN = 0.01, 0.25
# More calls before it do not change the pause of a call. Counting thousands would stop an event loop for seconds.
_MOST_COUNTED = round(_LONGEST_TURN / _TURN)
# When only the share `_RESERVE` of the calls of a window is left, a bulk job sends one call at a time, and one in
# `_SPACING` seconds. The headers do not say when the window ends. At 20,000 calls a minute, the reserve lasts longer.
_RESERVE, _SPACING = 0.05, 0.1


class BulkJob:
    """A job of many calls. After `stop`, its calls no longer wait, and send nothing more."""

    __slots__ = ("stopped",)

    def __init__(self) -> None:
        self.stopped: bool = False

    def stop(self) -> None:
        """End the calls that wait, for example after Ctrl-C."""
        self.stopped = True


class Turn:
    """The place of a call among the calls of its client. A call keeps its place for all its attempts."""

    __slots__ = ("deadline", "job", "number", "sent", "start")

    def __init__(self, number: int, start: float, deadline: float, job: BulkJob | None) -> None:
        self.number: int = number
        self.start: float = start
        self.deadline: float = deadline
        self.job: BulkJob | None = job
        # The number of the last attempt among all attempts.
        self.sent: int = 0


class Pacing:
    """The pause that the calls of a client and its derived clients share.

    After the pause, the call that has waited longest is sent alone. If the service accepts it, all others follow. Every
    change is one atomic step, and a call that disappeared without `leave` is forgotten after its deadline.

    Attributes:
        calm: whether calls may be sent without asking; calls of bulk jobs always ask.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.calm: bool = True
        self._clock = clock
        self._numbers = count(1)
        self._resume = 0.0
        self._trial: Turn | None = None
        self._waiting: dict[int, Turn] = {}
        self._in_flight: dict[int, Turn] = {}
        # The calls that are left in the window, as the attempt `_newest` learned.
        self._left: int | None = None
        self._reserve = 0.0
        self._newest = 0
        self._last_sent = 0.0
        reset_in_children(self)

    def reset_after_fork(self) -> None:
        """Forget all calls: no thread of the parent process continues in the child."""
        self._trial = None
        self._waiting, self._in_flight = {}, {}

    def turn(self, deadline: float, job: BulkJob | None = None) -> Turn:
        """The place of a new call, behind all others; `deadline` is on the clock."""
        return Turn(next(self._numbers), self._clock(), deadline, job)

    def wait(self, turn: Turn) -> float:
        """How many seconds a call must wait before it asks again; 0 if it may be sent now.

        A call whose deadline comes before the end of the pause is sent now, and so is a call that has waited for others
        for half of its time: the service decides. A call that is sent in its last milliseconds gets no response.
        """
        now = self._clock()
        self._waiting[turn.number] = turn
        pause = self._pause(turn, now)
        if 0 < pause < self._last_moment(turn, now) - now:
            # A thread that waits notices only then that its job was stopped.
            return pause if turn.job is None else min(pause, _LONGEST_TURN)
        turn.sent = next(self._numbers)
        self._last_sent = now
        self._in_flight[turn.number] = turn
        self._waiting.pop(turn.number, None)
        return 0.0

    def settle(self, turn: Turn, limit: RateLimit, pause: float | None, *, refused: bool) -> None:
        """Learn from the end of an attempt.

        Args:
            turn: the place of the call.
            limit: the rate limit as the response gave it.
            pause: seconds until the call is sent again, or `None`.
            refused: whether the status was 429.
        """
        self._in_flight.pop(turn.number, None)
        if turn.sent > self._newest:
            self._newest = turn.sent
            self._left, self._reserve = limit.remaining, (limit.limit or 0) * _RESERVE
        if refused and pause is not None:
            self._resume = max(self._resume, self._clock() + pause)
            self.calm = False
        elif turn is self._trial and not refused:
            self.calm = True
        self._end_trial(turn)

    def leave(self, turn: Turn) -> None:
        """Forget a call that has ended, in any way."""
        self._waiting.pop(turn.number, None)
        self._in_flight.pop(turn.number, None)
        self._end_trial(turn)

    def _end_trial(self, turn: Turn) -> None:
        if turn is self._trial:
            self._trial = None

    def _last_moment(self, turn: Turn, now: float) -> float:
        """When a call is sent at the latest."""
        if now < self._resume:
            return turn.deadline
        return (max(turn.start, self._resume) + turn.deadline) / 2

    def _pause(self, turn: Turn, now: float) -> float:
        if self.calm:
            return self._bulk_pause(turn, now) if turn.job else 0.0
        if now < self._resume:
            return self._resume - now
        before = self._calls_before(turn, now, _MOST_COUNTED) + self._is_active(self._trial, now)
        if not before:
            self._trial = turn
        return _turns(before)

    def _bulk_pause(self, turn: Turn, now: float) -> float:
        in_flight = sum(self._is_active(each, now) for each in list(self._in_flight.values()))
        before = self._calls_before(turn, now)
        # The calls before this one will take their share.
        if self._left is None or self._left - in_flight - before > self._reserve:
            return 0.0
        if in_flight or before:
            return _turns(in_flight + before)
        return max(0.0, self._last_sent + _SPACING - now)

    def _calls_before(self, turn: Turn, now: float, most: int | None = None) -> int:
        """The number of waiting calls that came before this one, counted up to `most`."""
        waiting = list(self._waiting.values())
        before = (each for each in waiting if each.number < turn.number and self._is_active(each, now))
        return sum(1 for _ in islice(before, most))

    @staticmethod
    def _is_active(turn: Turn | None, now: float) -> bool:
        return turn is not None and now < turn.deadline


def _turns(before: int) -> float:
    return min(before * _TURN, _LONGEST_TURN)


class Place:
    """The place of one call in the pacing of its client. A plain call has none as long as all is calm."""

    def __init__(self, pacing: Pacing, job: BulkJob | None, deadline: float) -> None:
        self._pacing, self._job, self._deadline = pacing, job, deadline
        self._turn: Turn | None = None
        self._waited = False

    @property
    def stopped(self) -> bool:
        """Whether the call has waited, and its job was stopped."""
        return self._waited and self._job is not None and self._job.stopped

    def waits(self) -> Iterator[float]:
        """The pauses before the next attempt, in seconds."""
        self._waited = False
        if self._job is None and self._pacing.calm:
            return
        self._turn = self._turn or self._pacing.turn(self._deadline, self._job)
        while not self.stopped and (pause := self._pacing.wait(self._turn)) > 0:
            yield pause
            self._waited = True

    def settle(self, limit: RateLimit) -> None:
        """Learn from an attempt that was not refused because of the rate limit."""
        if self._turn is not None:
            self._pacing.settle(self._turn, limit, None, refused=False)

    def settle_refusal(self, limit: RateLimit, pause: float | None) -> None:
        """Learn from an attempt that was refused; after a pause in seconds, it is repeated."""
        if pause is not None:
            self._turn = self._turn or self._pacing.turn(self._deadline)
        if self._turn is not None:
            self._pacing.settle(self._turn, limit, pause, refused=True)

    def leave(self) -> None:
        """Forget the call, which has ended in any way."""
        if self._turn is not None:
            self._pacing.leave(self._turn)
