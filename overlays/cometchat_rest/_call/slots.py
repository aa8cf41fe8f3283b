"""The connections of a client: those that wait for their next call, and the permits to use one at a time."""

from __future__ import annotations

import time
import weakref
from collections import deque
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

from cometchat_rest._support.concurrency import MAX_CONCURRENCY

T = TypeVar("T")

#: Seconds after which an idle connection is not used again: many servers close one after five seconds.
KEEP_ALIVE = 4.0
# If the service closes a connection while a change is on its way, the outcome is unknown. So it must be fresh.
_KEEP_ALIVE_FOR_CHANGES = 1.0


class Idle(Generic[T]):
    """Idle transports, and when the last call of each ended. Every change is one step that no interruption divides."""

    def __init__(self) -> None:
        self._idle: deque[tuple[T, float]] = deque()

    def __len__(self) -> int:
        return len(self._idle)

    def keep(self, transport: T) -> None:
        """Keep a transport for the next call."""
        self._idle.append((transport, time.monotonic()))

    def take(self, method: str) -> T | None:
        """The transport that was used last, if its connection is fresh enough for this method."""
        longest = KEEP_ALIVE if method == "GET" else _KEEP_ALIVE_FOR_CHANGES
        try:
            if time.monotonic() < self._idle[-1][1] + longest:
                return self._idle.pop()[0]
        except IndexError:  # another thread may take the last one at any moment
            pass
        return None

    def expired(self, longest: float = KEEP_ALIVE) -> Iterator[T]:
        """Remove the transports that have been idle for longer, in seconds; the caller closes them."""
        try:
            while time.monotonic() >= self._idle[0][1] + longest:
                yield self._idle.popleft()[0]
        except IndexError:
            pass


class Permit:
    """The right to use one connection. If an interruption loses a permit, its finalizer puts a new one in its place.

    `SimpleQueue` is written in C: unlike a `Semaphore`, an exception of a signal handler cannot leave it half-way.
    """

    # An interruption may come before `__init__` has ended.
    _permits: weakref.ref[SimpleQueue[Permit]] | None = None

    def __init__(self, permits: SimpleQueue[Permit]) -> None:
        self._permits = weakref.ref(permits)

    def __del__(self) -> None:
        if self._permits is not None and (permits := self._permits()) is not None:
            permits.put(Permit(permits))


def new_permits() -> SimpleQueue[Permit]:
    """A permit for each connection that a client may use."""
    permits: SimpleQueue[Permit] = SimpleQueue()
    for _ in range(MAX_CONCURRENCY):
        permits.put(Permit(permits))
    return permits
