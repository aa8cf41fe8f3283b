"""Sends awaited attempts: the same rules as in `transport`, with connections for each event loop.

A blocking program does not load this module, which needs anyio.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from typing import Any

import anyio
import httpx
from anyio.lowlevel import checkpoint_if_cancelled, current_token
from attrs import frozen

from .body import received
from .concurrency import MAX_CONCURRENCY
from .request import Attempt
from .secrets import hidden_in_logs
from .transport import (
    KEEP_ALIVE,
    BaseTransports,
    Idle,
    Result,
    all_in_use,
    closed_error,
    has_plain_body,
    may_be_kept,
)


@frozen(eq=False, repr=False)
class _Loop:
    """The connections of one event loop, and a permit for each."""

    idle: Idle[httpx.AsyncHTTPTransport]
    permits: anyio.Semaphore


class AsyncTransports(BaseTransports):
    """The transports for awaited calls. A connection belongs to an event loop, and each loop has
    its own."""

    kind = httpx.AsyncHTTPTransport
    custom_kinds = (httpx.AsyncBaseTransport, httpx.AsyncClient)
    # anyio raises a ValueError if a host name has no address.
    own_errors = (*BaseTransports.own_errors, ValueError)

    def _start(self) -> None:
        self._loops: dict[object, _Loop] = {}
        super()._start()

    async def send(self, attempt: Attempt) -> Result:
        """Like `Transports.send`, awaited."""
        if self.closed:
            return closed_error()
        # A transport may not notice, and a cancelled call must not send its request.
        await checkpoint_if_cancelled()
        request = attempt.request
        with hidden_in_logs(request.secrets, in_address=request.has_secret_target):
            if self._custom is not None:
                return await self._receive(self._custom, attempt)
            loop = await self._current_loop()
            with anyio.move_on_after(attempt.phases()["pool"]) as waiting:
                await loop.permits.acquire()
            if waiting.cancelled_caught:
                return all_in_use()
            try:
                return await self._send_on_idle(attempt, loop.idle)
            finally:
                loop.permits.release()
                await _aclose(loop.idle.expired(0 if self.closed else KEEP_ALIVE))

    async def _send_on_idle(self, attempt: Attempt, idle: Idle[httpx.AsyncHTTPTransport]) -> Result:
        result: Result | None = None
        transport = idle.take(attempt.request.method) or self._make()
        try:
            result = await self._receive(transport, attempt)
            return result
        finally:
            if may_be_kept(attempt.request, result):
                idle.keep(transport)
            else:
                await _aclose([transport])

    async def aclose(self) -> None:
        """Close the idle connections of this event loop now, and the others when their calls
        end."""
        self.closed = True
        loop = await self._current_loop()
        await _aclose(loop.idle.expired(0))
        if self._custom is not None:
            await self._custom.aclose()

    async def _current_loop(self) -> _Loop:
        token = current_token().native_token
        if self._process != os.getpid():
            self._start()
        loop = self._loops.get(token)
        if loop is None:
            # Stored before the first await: other tasks and threads come here, too.
            loop = _Loop(Idle(), anyio.Semaphore(MAX_CONCURRENCY, fast_acquire=True))
            self._loops[token] = loop
            # The connections of loops that have ended are dropped.
            for ended in [each for each in [*self._loops] if not _is_running(each)]:
                old = self._loops.pop(ended, None)
                if old is not None:
                    await _aclose(old.idle.expired(0))
        return loop

    async def _receive(self, transport: Any, attempt: Attempt) -> Result:
        trace = self._trace()
        limit = attempt.options.max_response_bytes
        body = BytesIO()
        try:
            with anyio.move_on_after(attempt.deadline - time.monotonic()):
                # No variable holds the request, whose repr shows the address.
                response = await transport.handle_async_request(
                    self._outgoing.request(attempt, trace.anote)
                )
                try:
                    headers = dict(response.headers.items())
                    is_plain = has_plain_body(response, headers)
                    async for chunk in response.stream if is_plain else response.aiter_bytes():
                        body.write(chunk)
                        if body.tell() > limit:
                            break
                finally:
                    await response.aclose()
                return received(response.status_code, headers, body, limit)
            raise httpx.ReadTimeout("")
        except self._errors as error:
            return trace.failure(error)


def _is_running(loop: Any) -> bool:
    """Whether the event loop of a token still runs."""
    if hasattr(loop, "is_running"):
        # The token of asyncio is the loop itself.
        return bool(loop.is_running())
    try:
        # That of trio cannot say it, but accepts no function after the end of the loop.
        loop.run_sync_soon(bool, idempotent=True)
    except RuntimeError:
        return False
    return True


async def _aclose(transports: Iterable[httpx.AsyncHTTPTransport]) -> None:
    for transport in transports:
        # A connection may have ended with its event loop.
        with anyio.CancelScope(shield=True), suppress(Exception):
            await transport.aclose()
