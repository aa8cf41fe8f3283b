"""The pool of connections for awaited calls.

It has a separate module, because a blocking client need not load what event loops need.
"""

from __future__ import annotations

import weakref

import anyio
from anyio.lowlevel import checkpoint_if_cancelled, current_token

from cometchat_rest._call.request import Attempt
from cometchat_rest._call.response import RawResponse
from cometchat_rest._call.transport_errors import AttemptError
from cometchat_rest._support.concurrency import MAX_CONCURRENCY

from .connection import Connection, Route
from .pool import ALL_IN_USE, IdleConnections
from .waits import run_async


class AsyncPool(IdleConnections):
    """Connections for awaited calls, in any number of event loops; as `api.AsyncConnectionSource`."""

    def __init__(self, route: Route) -> None:
        super().__init__(route)
        # The slots of each event loop: a task waits only for tasks in the same loop.
        self._slots: weakref.WeakKeyDictionary[object, anyio.Semaphore] = weakref.WeakKeyDictionary()

    async def send(self, attempt: Attempt) -> RawResponse:
        """Like `Pool.send`, awaited."""
        # Nothing else may wait before the request is sent, and a cancelled call must not send it.
        await checkpoint_if_cancelled()
        loop = current_token().native_token
        slots = self._slots.get(loop)
        if slots is None:
            slots = self._slots[loop] = anyio.Semaphore(MAX_CONCURRENCY)
        try:
            slots.acquire_nowait()
        except anyio.WouldBlock:
            with anyio.move_on_after(attempt.left("pool")) as waiting:
                await slots.acquire()
            if waiting.cancelled_caught:
                raise AttemptError("pool", request_sent=False) from TimeoutError(ALL_IN_USE)
        in_use: list[Connection] = []
        try:
            in_use.append(self._acquire(attempt.request))
            response = await run_async(in_use[0].send(attempt))
            self._release(in_use)
        finally:
            for connection in in_use:
                connection.close()
            slots.release()
        return response

    async def aclose(self) -> None:
        """Like `Pool.close`."""
        self._closed = True
        self.close_idle()
