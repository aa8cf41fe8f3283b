"""Connections to one origin, kept open between requests, and the pool for blocking calls."""

from __future__ import annotations

import weakref
from collections import deque
from queue import Empty, SimpleQueue

from cometchat_rest._call.request import Attempt, Request
from cometchat_rest._call.response import RawResponse
from cometchat_rest._call.transport_errors import AttemptError
from cometchat_rest._support.concurrency import MAX_CONCURRENCY
from cometchat_rest._support.forks import reset_in_children

from .connection import Connection, Route
from .waits import run_blocking


class IdleConnections:
    """The idle connections of a client. A connection belongs to no thread and to no event loop."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._closed = False
        self._idle: deque[Connection] = deque()
        reset_in_children(self)

    def reset_after_fork(self) -> None:
        """Forget the idle connections: they belong to the parent process."""
        self.close_idle()

    def close_idle(self) -> None:
        """Close all idle connections."""
        try:
            while True:
                self._idle.pop().close()
        except IndexError:
            pass

    def _acquire(self, request: Request) -> Connection:
        """The connection that was used last, or a new one."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:  # there was no idle connection, or another thread took the last one
                return Connection(self._route)
            if connection.can_serve(request):
                return connection
            connection.close()

    def _release(self, in_use: list[Connection]) -> None:
        """Keep the connection in the list for the next request if that is safe.

        The caller closes a connection that is still in the list. The list is empty as soon as the connection is idle:
        from then on it may serve another call, whatever interrupts this one.
        """
        if not in_use[0].finished_cleanly:
            return
        self._idle.append(in_use.pop())
        # After many calls at once, the connections that are no longer used would stay open.
        try:
            while self._idle[0].is_stale:
                self._idle.popleft().close()
        except IndexError:  # another thread took the last one
            pass
        # Checked last, because another thread may have closed the client meanwhile.
        if self._closed:
            self.close_idle()


class Pool(IdleConnections):
    """Connections for blocking calls, for any number of threads; as `api.ConnectionSource`."""

    def __init__(self, route: Route) -> None:
        super().__init__(route)
        self._slots = _new_slots()

    def reset_after_fork(self) -> None:
        """Forget the slots as well: threads of the parent process hold some of them."""
        super().reset_after_fork()
        self._slots = _new_slots()

    def send(self, attempt: Attempt) -> RawResponse:
        """Carry out an attempt on a connection of the pool.

        Raises:
            AttemptError: no complete response arrived.
        """
        slots = self._slots
        try:
            slot = slots.get(timeout=attempt.left("pool"))
        except Empty:
            raise AttemptError("pool", request_sent=False) from TimeoutError(ALL_IN_USE)
        in_use: list[Connection] = []
        try:
            in_use.append(self._acquire(attempt.request))
            response = run_blocking(in_use[0].send(attempt))
            self._release(in_use)
        finally:
            # A connection is never kept after an exception, not even after Ctrl-C.
            for connection in in_use:
                connection.close()
            slots.put(slot)
        return response

    def close(self) -> None:
        """Close the idle connections now, and the others when their calls end."""
        self._closed = True
        self.close_idle()


ALL_IN_USE = f"all {MAX_CONCURRENCY} connections are in use"


class _Slot:
    """The right to use one connection. If an interruption loses a slot, its finalizer puts a new one in its place.

    `SimpleQueue` is written in C: unlike a `Semaphore`, an exception of a signal handler cannot leave it half-way.
    """

    # An interruption may come before `__init__` has ended.
    _slots: weakref.ref[SimpleQueue[_Slot]] | None = None

    def __init__(self, slots: SimpleQueue[_Slot]) -> None:
        self._slots = weakref.ref(slots)

    def __del__(self) -> None:
        if self._slots is not None and (slots := self._slots()) is not None:
            slots.put(_Slot(slots))


def _new_slots() -> SimpleQueue[_Slot]:
    slots: SimpleQueue[_Slot] = SimpleQueue()
    for _ in range(MAX_CONCURRENCY):
        slots.put(_Slot(slots))
    return slots
