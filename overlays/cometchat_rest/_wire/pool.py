"""Connections to one origin, kept open between requests; blocking and awaited.

httpcore's own pool serves many origins, and looks at every connection whenever one is taken or given back: with fifty
calls at a time that is most of their cost. A client has one origin, so here a connection is taken off a stack and put
back. The connections themselves are httpcore's, direct ones and those by way of a proxy.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import ssl
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator
from typing import Self, TypeAlias
from weakref import WeakSet

import anyio
import httpcore
from anyio.lowlevel import RunVar, RunvarToken

from .network_backend import AsyncBackend, Backend, UnderWay, opened

#: How many connections may be open at once.
MAX_CONNECTIONS = 100
# Seconds after which an unused connection is given up: shorter than most servers wait before they do.
_KEEP_ALIVE = 5.0
# Seconds between two looks for such connections among those that others are used instead of: each look asks the system.
_BETWEEN_LOOKS = 1.0
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


def _failures(proxy: httpcore.Proxy | None) -> tuple[type[Exception], ...]:
    """What may become of an exchange by way of this proxy."""
    if proxy is None or not proxy.url.scheme.startswith(b"socks"):
        return FAILURES
    from socksio import SOCKSError  # noqa: PLC0415 - installed by those who need it

    return (*FAILURES, SOCKSError)


_Connection: TypeAlias = httpcore.ConnectionInterface | httpcore.AsyncConnectionInterface


def _is_reusable(connection: _Connection) -> bool:
    """Whether the connection awaits a request, and nothing came after the last answer.

    That would be taken for the answer to the next request, which may be somebody else's. httpcore keeps it, and has no
    way to ask for it.
    """
    if not connection.is_available():
        return False
    innermost = _innermost(connection)
    state = getattr(innermost, "_h11_state", None)
    return not ((state is not None and state.trailing_data[0]) or _told(innermost, "unread"))


def _innermost(connection: _Connection) -> object:
    """The connection that sends requests, in those that lead to it."""
    innermost: object = connection
    while (inner := getattr(innermost, "_connection", None)) is not None:
        innermost = inner
    return innermost


def _told(innermost: object, info: str) -> bool:
    """What the stream of a connection says of itself, if it has one yet."""
    stream = getattr(innermost, "_network_stream", None)
    return stream is not None and bool(stream.get_extra_info(info))


# A child process has its parent's sockets, and must leave them to it.
_pools: WeakSet[Pool] = WeakSet()


def _after_fork() -> None:
    for pool in _pools:
        pool.begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@atexit.register
def _at_exit() -> None:
    """Leave the interpreter no open socket to complain about."""
    for pool in _pools:
        pool.close()


class Pool:
    """Connections for blocking calls, for any number of threads."""

    def __init__(
        self, origin: httpcore.Origin, ssl_context: ssl.SSLContext | None, proxy: httpcore.Proxy | None = None
    ) -> None:
        self.failures = _failures(proxy)
        self._origin = origin
        self._idle: deque[httpcore.ConnectionInterface] = deque()
        self._next_look = 0.0
        self._closed = False
        self._call = UnderWay()
        # Of httpcore's pool nothing is used but that it knows which connection leads where.
        self._maker = httpcore.ConnectionPool(
            ssl_context, proxy=proxy, keepalive_expiry=_KEEP_ALIVE, network_backend=Backend(self._call)
        )
        self.begin()
        _pools.add(self)

    def begin(self) -> None:
        """Begin with no connection, all of them free; what there is belongs to the process that this one comes from."""
        self._free = threading.Semaphore(MAX_CONNECTIONS)
        self._close_idle()

    def lend(self, request: httpcore.Request) -> httpcore.ConnectionInterface:
        """A connection for one request, to be given back when its answer has been read, or has not come."""
        if not self._free.acquire(timeout=request.extensions["timeout"]["pool"]):
            raise httpcore.PoolTimeout(_ALL_IN_USE)
        self._call.deadline, self._call.opened = request.extensions["deadline"], None
        try:
            while (connection := self._taken()) is not None:
                if not connection.has_expired():
                    return connection
                connection.close()
            return self._maker.create_connection(self._origin)
        except BaseException:
            self._free.release()
            raise

    def give_back(self, connection: httpcore.ConnectionInterface) -> None:
        """Keep the connection for the next request, or close it if its last one did not end well."""
        try:
            if _is_reusable(connection):
                self._idle.append(connection)
                if (now := time.monotonic()) >= self._next_look:
                    self._next_look = now + _BETWEEN_LOOKS
                    self._close_longest_idle()
                # Last, for it may have been closed in between.
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
        while (connection := self._taken()) is not None:
            connection.close()

    def _close_longest_idle(self) -> None:
        """After a burst of calls there are more than will be taken again, and the service gives them up as well."""
        with contextlib.suppress(IndexError):  # from where other threads take them as well
            while (oldest := self._idle.popleft()).has_expired():
                oldest.close()
            self._idle.appendleft(oldest)

    def _taken(self) -> httpcore.ConnectionInterface | None:
        try:
            return self._idle.pop()
        except IndexError:  # not looked at before: another thread could take the last one in between
            return None


class _OfOneLoop:
    """The connections of one event loop, which are closed before it ends."""

    def __init__(self) -> None:
        self.idle: deque[httpcore.AsyncConnectionInterface] = deque()
        self.free = anyio.Semaphore(MAX_CONNECTIONS)
        self.next_look = 0.0
        self.token: RunvarToken[_OfOneLoop] | None = None
        # An event loop that ends closes what waits in it like this. It is not to be kept any longer, because it knows
        # the loop.
        self._waiting: AsyncGenerator[None] | None = self._until_the_end()

    async def begin(self) -> Self:
        """Belong to the event loop that this is awaited in."""
        if self._waiting is not None:
            await anext(self._waiting)
        return self

    async def _until_the_end(self) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            self._waiting = None
            await self.close()

    async def close_longest_idle(self) -> None:
        """As in `Pool`, also while the task is being cancelled."""
        with anyio.CancelScope(shield=True):
            while self.idle and self.idle[0].has_expired():
                await self.idle.popleft().aclose()

    async def close(self) -> None:
        """Close those that are idle, also while the task is being cancelled."""
        with anyio.CancelScope(shield=True):
            while self.idle:
                await self.idle.pop().aclose()

    async def end(self) -> None:
        """Close those that are idle, and no longer wait for the event loop to end."""
        await self.close()
        if self._waiting is not None:
            await self._waiting.aclose()


class AsyncPool:
    """Connections for awaited calls, for each event loop its own."""

    def __init__(
        self, origin: httpcore.Origin, ssl_context: ssl.SSLContext | None, proxy: httpcore.Proxy | None = None
    ) -> None:
        self.failures = _failures(proxy)
        self._origin = origin
        self._maker = httpcore.AsyncConnectionPool(
            ssl_context, proxy=proxy, keepalive_expiry=_KEEP_ALIVE, network_backend=AsyncBackend()
        )
        self._closed = False
        # A connection dies with its event loop, and a program may run one loop after another.
        self._of_this_loop: RunVar[_OfOneLoop] = RunVar("connections")

    async def _begin(self) -> _OfOneLoop:
        here = _OfOneLoop()
        here.token = self._of_this_loop.set(here)
        return await here.begin()

    def _let_go(self, here: _OfOneLoop) -> None:
        """Leave nothing of a closed client in the event loop, once no call is under way."""
        if self._closed and here.free.value == MAX_CONNECTIONS and here.token is not None:
            self._of_this_loop.reset(here.token)
            here.token = None

    async def lend(self, request: httpcore.Request) -> httpcore.AsyncConnectionInterface:
        """As `Pool.lend`, awaited."""
        here = self._of_this_loop.get(None) or await self._begin()
        try:
            here.free.acquire_nowait()
        except anyio.WouldBlock:
            with anyio.move_on_after(request.extensions["timeout"]["pool"]) as waiting:
                await here.free.acquire()
            if waiting.cancelled_caught:
                raise httpcore.PoolTimeout(_ALL_IN_USE) from None
        opened.set(None)
        try:
            while here.idle:
                connection = here.idle.pop()
                if not connection.has_expired():
                    return connection
                await connection.aclose()
            return self._maker.create_connection(self._origin)
        except BaseException:
            here.free.release()
            raise

    async def give_back(self, connection: httpcore.AsyncConnectionInterface) -> None:
        """As `Pool.give_back`, also while the task is being cancelled."""
        here = self._of_this_loop.get()
        try:
            if _is_reusable(connection) and not self._closed:
                here.idle.append(connection)
                if (now := time.monotonic()) >= here.next_look:
                    here.next_look = now + _BETWEEN_LOOKS
                    await here.close_longest_idle()
            else:
                with anyio.CancelScope(shield=True):
                    await connection.aclose()
                    if (stream := opened.get()) is not None:
                        await stream.aclose()
        finally:
            here.free.release()
            self._let_go(here)

    def late(self, line: httpcore.AsyncConnectionInterface | None, error: TimeoutError) -> Exception:
        """What a call was waiting for when its deadline passed, as `Pool` would raise it."""
        if line is None:
            return httpcore.PoolTimeout(_ALL_IN_USE)
        return error if _told(_innermost(line), "written") else httpcore.ConnectTimeout()

    async def aclose(self) -> None:
        """As `Pool.close`, for the event loop it is called in; another one closes its own when it ends."""
        self._closed = True
        if here := self._of_this_loop.get(None):
            await here.end()
            self._let_go(here)
