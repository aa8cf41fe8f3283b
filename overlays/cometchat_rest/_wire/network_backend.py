"""Sockets that a call opens: waiting for one ends when the call's deadline does, and none outlives a call that failed.

httpcore holds a blocking socket to a timeout for each wait, of which a slow drip makes one after another. Awaited calls
are cancelled when their deadline comes, whatever they wait for.

Beside what httpcore asks of a stream, these tell whether anything came and was left `unread`, and those of awaited
calls whether anything was `written`.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

import httpcore

from cometchat_rest._support.threads import without_signals

T = TypeVar("T")

# As much as TLS encrypts at once, in bytes.
_RECORD = 16_384

#: The socket that the awaited call which is under way here has opened, if any.
opened: ContextVar[httpcore.AsyncNetworkStream | None] = ContextVar("opened", default=None)


class UnderWay(threading.local):
    """The call of this thread, which runs in it from end to end: when it must have ended, and the socket it opened."""

    deadline: float
    opened: httpcore.NetworkStream | None = None

    def left(self, timeout: float | None, error: type[Exception]) -> float:
        """Seconds until the timeout or the deadline, whichever comes first."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise error
        return left if timeout is None else min(timeout, left)


class Backend(httpcore.SyncBackend):
    """Opens sockets for blocking calls."""

    def __init__(self, call: UnderWay) -> None:
        self._call = call

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of the host that answers."""
        addresses = deque(self._looked_up(host, port, timeout))
        while True:
            # Each of them gets its time, but all of them together no more than is left of the call's.
            left = self._call.left(timeout, httpcore.ConnectTimeout)
            try:
                stream = super().connect_tcp(str(addresses.popleft()), port, left, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not addresses:
                    raise
            else:
                self._call.opened = _Stream(stream, self._call)
                return self._call.opened

    def _looked_up(self, host: str, port: int, timeout: float | None) -> Iterable[str]:
        """The addresses of a host. The system's search for them takes no timeout, so it may go on behind our back."""
        search = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        with contextlib.suppress(OSError):
            return _distinct(search(flags=socket.AI_NUMERICHOST))
        outcome: SimpleQueue[list[Any] | OSError] = SimpleQueue()

        def look_up() -> None:
            try:
                outcome.put(search())
            except OSError as error:
                outcome.put(error)

        # A program that ends does not wait for it.
        thread = threading.Thread(target=look_up, name=f"looking up {host}", daemon=True)
        try:
            with without_signals():
                thread.start()
        except RuntimeError:
            # No more threads: at the end of a program, or where the system has none left. It takes as long as it takes.
            look_up()
        try:
            found = outcome.get(timeout=self._call.left(timeout, httpcore.ConnectTimeout))
        except Empty:
            raise httpcore.ConnectTimeout from None
        if isinstance(found, OSError):
            raise httpcore.ConnectError(str(found)) from None
        return _distinct(found)


def _distinct(found: Iterable[Any]) -> Iterable[str]:
    return dict.fromkeys(address[0] for *_, address in found)


class _Stream(httpcore.NetworkStream):
    """A socket, with or without TLS."""

    def __init__(self, stream: httpcore.NetworkStream, call: UnderWay) -> None:
        self._stream = stream
        self._call = call

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._call.left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # Past httpcore, which gives each part that the socket takes the whole time anew.
        sock: socket.socket = self._stream.get_extra_info("socket")
        rest = memoryview(buffer)
        while rest:
            sock.settimeout(self._call.left(timeout, httpcore.WriteTimeout))
            try:
                rest = rest[sock.send(rest) :]
            except TimeoutError:
                raise httpcore.WriteTimeout from None
            except OSError as error:
                raise httpcore.WriteError(str(error)) from None

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = self._call.left(timeout, httpcore.ConnectTimeout)
        if self.get_extra_info("ssl_object") is not None:
            return _InnerTLS(self, ssl_context, server_hostname, left)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._call)

    def get_extra_info(self, info: str) -> Any:
        if info == "unread":
            # TLS takes one record at a time from the system.
            sock = self._stream.get_extra_info("socket")
            return isinstance(sock, ssl.SSLSocket) and sock.pending() > 0
        return self._stream.get_extra_info(info)


class _InnerTLS(httpcore.NetworkStream):
    """TLS within TLS, as behind a proxy that is itself spoken to over TLS: more than a socket of Python's can do."""

    def __init__(
        self, outer: httpcore.NetworkStream, ssl_context: ssl.SSLContext, hostname: str | None, timeout: float
    ) -> None:
        self._outer = outer
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = ssl_context.wrap_bio(self._received, self._to_send, server_hostname=hostname)
        try:
            self._do(self._tls.do_handshake, timeout)
        except ssl.SSLError as error:
            raise httpcore.ConnectError(str(error)) from None

    def _do(self, step: Callable[[], T], timeout: float | None) -> T:
        """Take a step of TLS, with as much as it has to send and to receive."""
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                pass
            finally:
                self._outer.write(self._to_send.read(), timeout)
            if piece := self._outer.read(_RECORD, timeout):
                self._received.write(piece)
            else:
                self._received.write_eof()

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._do(partial(self._tls.read, max_bytes), timeout)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""
        except ssl.SSLError as error:
            raise httpcore.ReadError(str(error)) from None

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            try:
                rest = rest[self._do(partial(self._tls.write, rest[:_RECORD]), timeout) :]
            except ssl.SSLError as error:
                raise httpcore.WriteError(str(error)) from None

    def close(self) -> None:
        self._outer.close()

    def get_extra_info(self, info: str) -> Any:
        if info == "unread":
            return _holds_more(self._tls) or self._outer.get_extra_info(info)
        return self._tls if info == "ssl_object" else self._outer.get_extra_info(info)


def _holds_more(tls: ssl.SSLObject) -> bool:
    """Whether there is something for us in the memory that TLS reads from."""
    try:
        tls.read(1)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:
        # Such as the end of the connection.
        return True
    return True


class AsyncBackend(httpcore.AsyncNetworkBackend):
    """Opens sockets for awaited calls."""

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
        """Connect to the host, at whichever of its addresses."""
        stream = _AsyncStream(await self._backend.connect_tcp(host, port, timeout, local_address, socket_options))
        opened.set(stream)
        return stream


class _AsyncStream(httpcore.AsyncNetworkStream):
    """A socket of anyio's, or TLS over one of these."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, below: _AsyncStream | None = None) -> None:
        self._stream = stream
        self._below = below
        self._written = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's way
        try:
            return await self._stream.read(max_bytes, timeout)
        except ssl.SSLError as error:
            # httpcore has no name for it here.
            raise httpcore.ReadError(str(error)) from None

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        self._written = True
        try:
            await self._stream.write(buffer, timeout)
        except ssl.SSLError as error:
            raise httpcore.WriteError(str(error)) from None

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        return _AsyncStream(await self._stream.start_tls(ssl_context, server_hostname, timeout), self)

    def get_extra_info(self, info: str) -> Any:
        if info == "written":
            return self._written
        return self._is_unread() if info == "unread" else self._stream.get_extra_info(info)

    def _is_unread(self) -> bool:
        if self._below is not None:
            return _holds_more(self.get_extra_info("ssl_object")) or bool(self._below.get_extra_info("unread"))
        # What asyncio has received, which anyio has no way to ask for.
        protocol = getattr(getattr(self._stream, "_stream", None), "_protocol", None)
        return bool(getattr(protocol, "read_queue", ()))
