"""Connections to one origin, kept open between requests; blocking and awaited.

httpcore's own pool serves many origins, and looks at every connection whenever one is taken or given back: with fifty
calls at a time that is most of their cost. A client has one origin, so here a connection is taken off a stack and put
back. The connections themselves are httpcore's.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections import deque
from collections.abc import Iterable
from typing import Any

import anyio
import httpcore
from anyio.lowlevel import RunVar

#: How many connections may be open at once.
MAX_CONNECTIONS = 100
# Seconds after which an unused connection is given up: shorter than most servers wait before they do.
_KEEP_ALIVE = 5.0
_ALL_IN_USE = f"all {MAX_CONNECTIONS} connections are in use"


#: What may become of an exchange, beside an answer.
FAILURES = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    TimeoutError,
)


class _DeadlineStream(httpcore.NetworkStream):
    """A socket whose reads and writes end, however slowly the other side drips, when the call's deadline does."""

    def __init__(self, stream: httpcore.NetworkStream, deadlines: threading.local) -> None:
        self._stream = stream
        self._deadlines = deadlines

    def _left(self, timeout: float | None, error: type[Exception]) -> float:
        left: float = self._deadlines.deadline - time.monotonic()
        if left <= 0:
            raise error("the call's deadline passed")
        return left if timeout is None else min(timeout, left)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = self._left(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left), self._deadlines)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _DeadlineBackend(httpcore.NetworkBackend):
    def __init__(self, deadlines: threading.local) -> None:
        self._backend = httpcore.SyncBackend()
        self._deadlines = deadlines

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(host, port, timeout, local_address, socket_options)
        return _DeadlineStream(stream, self._deadlines)


class Pool:
    """Connections for blocking calls, for any number of threads."""

    failures = FAILURES

    def __init__(self, origin: httpcore.Origin, ssl_context: ssl.SSLContext | None) -> None:
        self._origin = origin
        self._ssl_context = ssl_context
        self._idle: deque[httpcore.HTTPConnection] = deque()
        self._free = threading.Semaphore(MAX_CONNECTIONS)
        self._closed = False
        # A call runs in one thread from end to end, so its deadline is the thread's.
        self._deadlines = threading.local()
        self._backend = _DeadlineBackend(self._deadlines)

    def lend(self, request: httpcore.Request) -> httpcore.HTTPConnection:
        """A connection for one request, to be given back when its answer has been read, or has not come."""
        if not self._free.acquire(timeout=request.extensions["timeout"]["pool"]):
            raise httpcore.PoolTimeout(_ALL_IN_USE)
        self._deadlines.deadline = request.extensions["deadline"]
        try:
            while self._idle:
                try:
                    connection = self._idle.pop()
                except IndexError:  # another thread took the last one
                    break
                if not connection.has_expired():
                    return connection
                connection.close()
        except BaseException:
            self._free.release()
            raise
        return httpcore.HTTPConnection(self._origin, self._ssl_context, _KEEP_ALIVE, network_backend=self._backend)

    def give_back(self, connection: httpcore.HTTPConnection) -> None:
        """Keep the connection for the next request, or close it if its last one did not end well."""
        try:
            if connection.is_available():
                self._idle.append(connection)
                if self._closed:
                    self._close_idle()
            else:
                connection.close()
        finally:
            self._free.release()

    def close(self) -> None:
        """Close what is idle now, and whatever else once it is given back."""
        self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


class _OfOneLoop:
    def __init__(self) -> None:
        self.idle: deque[httpcore.AsyncHTTPConnection] = deque()
        self.free = anyio.Semaphore(MAX_CONNECTIONS)


class AsyncPool:
    """Connections for awaited calls, for each event loop its own."""

    failures = FAILURES

    def __init__(self, origin: httpcore.Origin, ssl_context: ssl.SSLContext | None) -> None:
        self._origin = origin
        self._ssl_context = ssl_context
        self._closed = False
        # A connection dies with its event loop, and a program may run one loop after another.
        self._of_this_loop: RunVar[_OfOneLoop] = RunVar("connections")

    def _here(self) -> _OfOneLoop:
        try:
            return self._of_this_loop.get()
        except LookupError:
            self._of_this_loop.set(here := _OfOneLoop())
            return here

    async def lend(self, request: httpcore.Request) -> httpcore.AsyncHTTPConnection:
        """As `Pool.lend`, awaited."""
        here = self._here()
        try:
            here.free.acquire_nowait()
        except anyio.WouldBlock:
            with anyio.move_on_after(request.extensions["timeout"]["pool"]) as waiting:
                await here.free.acquire()
            if waiting.cancelled_caught:
                raise httpcore.PoolTimeout(_ALL_IN_USE) from None
        try:
            while here.idle:
                connection = here.idle.pop()
                if not connection.has_expired():
                    return connection
                await connection.aclose()
        except BaseException:
            here.free.release()
            raise
        return httpcore.AsyncHTTPConnection(self._origin, self._ssl_context, _KEEP_ALIVE)

    async def give_back(self, connection: httpcore.AsyncHTTPConnection) -> None:
        """As `Pool.give_back`, also while the task is being cancelled."""
        here = self._here()
        try:
            if connection.is_available() and not self._closed:
                here.idle.append(connection)
            else:
                with anyio.CancelScope(shield=True):
                    await connection.aclose()
        finally:
            here.free.release()

    async def aclose(self) -> None:
        """As `Pool.close`, for the event loop it is called in; those of loops that have ended are gone."""
        self._closed = True
        here = self._here()
        while here.idle:
            await here.idle.pop().aclose()
