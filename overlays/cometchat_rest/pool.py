"""Connections to one origin, kept open between requests; blocking and awaited.

httpcore's own pool serves many origins, and looks at every connection whenever one is taken or given back: with fifty
calls at a time that is most of their cost. A client has one origin, so here a connection is taken off a stack and put
back. The connections themselves are httpcore's, direct ones and those by way of a proxy.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections import deque
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, cast

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


class _UnderWay(threading.local):
    """The call of this thread, which runs in it from end to end: when it must have ended, and the socket it opened."""

    deadline: float
    opened: httpcore.NetworkStream | None = None


class _DeadlineStream(httpcore.NetworkStream):
    """A socket whose reads and writes end, however slowly the other side drips, when the call's deadline does."""

    def __init__(self, stream: httpcore.NetworkStream, call: _UnderWay) -> None:
        self._stream = stream
        self._call = call

    def _left(self, timeout: float | None, error: type[Exception]) -> float:
        left = self._call.deadline - time.monotonic()
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
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left), self._call)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.SyncBackend):
    def __init__(self, call: _UnderWay) -> None:
        self._call = call

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        stream = super().connect_tcp(host, port, timeout, local_address, socket_options)
        self._call.opened = _DeadlineStream(stream, self._call)
        return self._call.opened


def _failures(proxy: httpcore.Proxy | None) -> tuple[type[Exception], ...]:
    """What may become of an exchange by way of this proxy."""
    if proxy is None or not proxy.url.scheme.startswith(b"socks"):
        return FAILURES
    from socksio import SOCKSError  # noqa: PLC0415 - installed by those who need it

    return (*FAILURES, SOCKSError)


class Pool:
    """Connections for blocking calls, for any number of threads."""

    def __init__(
        self, origin: httpcore.Origin, ssl_context: ssl.SSLContext | None, proxy: httpcore.Proxy | None = None
    ) -> None:
        self.failures = _failures(proxy)
        self._origin = origin
        self._idle: deque[httpcore.ConnectionInterface] = deque()
        self._free = threading.Semaphore(MAX_CONNECTIONS)
        self._closed = False
        self._call = _UnderWay()
        # Of httpcore's pool nothing is used but that it knows which connection leads where.
        self._maker = httpcore.ConnectionPool(
            ssl_context, proxy=proxy, keepalive_expiry=_KEEP_ALIVE, network_backend=_Backend(self._call)
        )

    def lend(self, request: httpcore.Request) -> httpcore.ConnectionInterface:
        """A connection for one request, to be given back when its answer has been read, or has not come."""
        if not self._free.acquire(timeout=request.extensions["timeout"]["pool"]):
            raise httpcore.PoolTimeout(_ALL_IN_USE)
        self._call.deadline, self._call.opened = request.extensions["deadline"], None
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
        return self._maker.create_connection(self._origin)

    def give_back(self, connection: httpcore.ConnectionInterface) -> None:
        """Keep the connection for the next request, or close it if its last one did not end well."""
        try:
            if connection.is_available():
                self._idle.append(connection)
                if self._closed:
                    self._close_idle()
            else:
                connection.close()
                # Which httpcore forgets where TLS or a proxy fails.
                if self._call.opened is not None:
                    self._call.opened.close()
        finally:
            self._free.release()

    def close(self) -> None:
        """Close what is idle now, and whatever else once it is given back."""
        self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


# The socket that an awaited call opened.
_opened: ContextVar[httpcore.AsyncNetworkStream | None] = ContextVar("opened", default=None)


class _AsyncBackend(httpcore.AsyncNetworkBackend):
    def __init__(self) -> None:
        # httpcore has a stand-in for where anyio is not installed.
        self._backend = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's way
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        stream = await self._backend.connect_tcp(host, port, timeout, local_address, socket_options)
        _opened.set(stream)
        return stream


class _OfOneLoop:
    def __init__(self) -> None:
        self.idle: deque[httpcore.AsyncConnectionInterface] = deque()
        self.free = anyio.Semaphore(MAX_CONNECTIONS)


class AsyncPool:
    """Connections for awaited calls, for each event loop its own."""

    def __init__(
        self, origin: httpcore.Origin, ssl_context: ssl.SSLContext | None, proxy: httpcore.Proxy | None = None
    ) -> None:
        self.failures = _failures(proxy)
        self._origin = origin
        self._maker = httpcore.AsyncConnectionPool(
            ssl_context, proxy=proxy, keepalive_expiry=_KEEP_ALIVE, network_backend=_AsyncBackend()
        )
        self._closed = False
        # A connection dies with its event loop, and a program may run one loop after another.
        self._of_this_loop: RunVar[_OfOneLoop] = RunVar("connections")

    def _here(self) -> _OfOneLoop:
        try:
            return self._of_this_loop.get()
        except LookupError:
            self._of_this_loop.set(here := _OfOneLoop())
            return here

    async def lend(self, request: httpcore.Request) -> httpcore.AsyncConnectionInterface:
        """As `Pool.lend`, awaited."""
        here = self._here()
        try:
            here.free.acquire_nowait()
        except anyio.WouldBlock:
            with anyio.move_on_after(request.extensions["timeout"]["pool"]) as waiting:
                await here.free.acquire()
            if waiting.cancelled_caught:
                raise httpcore.PoolTimeout(_ALL_IN_USE) from None
        _opened.set(None)
        try:
            while here.idle:
                connection = here.idle.pop()
                if not connection.has_expired():
                    return connection
                await connection.aclose()
        except BaseException:
            here.free.release()
            raise
        return self._maker.create_connection(self._origin)

    async def give_back(self, connection: httpcore.AsyncConnectionInterface) -> None:
        """As `Pool.give_back`, also while the task is being cancelled."""
        here = self._here()
        try:
            if connection.is_available() and not self._closed:
                here.idle.append(connection)
            else:
                with anyio.CancelScope(shield=True):
                    await connection.aclose()
                    if opened := _opened.get():
                        await opened.aclose()
        finally:
            here.free.release()

    async def aclose(self) -> None:
        """As `Pool.close`, for the event loop it is called in; those of loops that have ended are gone."""
        self._closed = True
        here = self._here()
        while here.idle:
            await here.idle.pop().aclose()
