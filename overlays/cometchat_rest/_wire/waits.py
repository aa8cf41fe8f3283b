"""The waits of a connection, and the two drivers that carry them out: blocking and awaited.

A connection never blocks. It is a generator that yields a wait, receives the result of the wait, and returns its own
result. So the rules of a connection exist once for both clients.
"""

from __future__ import annotations

import math
import select
import signal
import socket
import sys
import threading
from collections.abc import Generator, Sequence
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeAlias, TypeVar

import anyio
from attrs import frozen

T = TypeVar("T")

Sockets: TypeAlias = Sequence[socket.socket]
#: One entry of `socket.getaddrinfo`: family, type, protocol, canonical name, address.
AddressInfo: TypeAlias = tuple[Any, ...]


class Wait(Protocol):
    """One wait: both drivers return the same result for it."""

    def block(self) -> Any:
        """Wait in this thread."""

    async def wait(self) -> Any:
        """Wait in this task."""


#: A generator that yields waits and returns a result.
Steps: TypeAlias = Generator[Wait, Any, T]


def run_blocking(steps: Steps[T]) -> T:
    """Carry out all waits in this thread."""
    result: Any = None
    try:
        while True:
            result = steps.send(result).block()
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        steps.close()


async def run_async(steps: Steps[T]) -> T:
    """Carry out all waits in this task."""
    result: Any = None
    try:
        while True:
            result = await steps.send(result).wait()
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        steps.close()


@frozen
class Readable:
    """Wait until a socket has something to read, or its peer has closed it; the result is false after the timeout."""

    sock: socket.socket
    timeout: float

    def block(self) -> bool:
        """As `Wait.block`."""
        return bool(_poll([self.sock], [], self.timeout))

    async def wait(self) -> bool:
        """As `Wait.wait`."""
        with anyio.move_on_after(self.timeout):
            await anyio.wait_readable(self.sock)
            return True
        return False


@frozen
class Writable:
    """Wait until one of several sockets takes data or has failed to connect; the result lists these sockets."""

    sockets: Sockets
    timeout: float

    def block(self) -> list[socket.socket]:
        """As `Wait.block`."""
        return _poll([], self.sockets, self.timeout)

    async def wait(self) -> list[socket.socket]:
        """As `Wait.wait`."""
        ready: list[socket.socket] = []
        with anyio.move_on_after(self.timeout):
            async with anyio.create_task_group() as tasks:

                async def one(sock: socket.socket) -> None:
                    await anyio.wait_writable(sock)
                    ready.append(sock)
                    tasks.cancel_scope.cancel()

                for sock in self.sockets:
                    tasks.start_soon(one, sock)
        return ready


@frozen
class Lookup:
    """Look up the addresses of a host; the result is an `OSError` if that fails, and `None` after the timeout."""

    host: str
    port: int
    timeout: float

    def block(self) -> Sequence[AddressInfo] | OSError | None:
        """As `Wait.block`. `getaddrinfo()` has no timeout, so it runs in a thread that may outlive the call."""
        found: SimpleQueue[Sequence[AddressInfo] | OSError] = SimpleQueue()

        def look_up() -> None:
            block_signals()
            try:
                found.put(socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM))
            except OSError as error:
                found.put(error)

        try:
            # The end of the program does not wait for a daemon thread.
            threading.Thread(target=look_up, name=f"looking up {self.host}", daemon=True).start()
        except RuntimeError:
            # The system has no thread left, or the program is ending.
            return _look_up_here(self.host, self.port)
        try:
            return found.get(timeout=self.timeout)
        except Empty:
            return None

    async def wait(self) -> Sequence[AddressInfo] | OSError | None:
        """As `Wait.wait`."""
        with anyio.move_on_after(self.timeout):
            try:
                return await anyio.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            except OSError as error:
                return error
        return None


def is_readable(sock: socket.socket) -> bool:
    """Whether a socket has something to read now, or its peer has closed it."""
    return bool(_poll([sock], [], 0.0))


def block_signals() -> None:
    """Let this thread, which is not the caller's, receive neither SIGINT nor SIGTERM.

    The system may deliver a signal to any thread, but Python acts on it in the main thread only. If another thread
    received it, the main thread would continue to wait, perhaps until the deadline.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})


def _look_up_here(host: str, port: int) -> Sequence[AddressInfo] | OSError:
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        return error


if sys.platform == "win32":

    def _poll(
        readers: Sequence[socket.socket], writers: Sequence[socket.socket], timeout: float
    ) -> list[socket.socket]:
        # Windows reports a failed connection as an exceptional condition.
        readable, writable, failed = select.select(readers, writers, writers, timeout)
        return [*readable, *dict.fromkeys([*writable, *failed])]

else:

    def _poll(
        readers: Sequence[socket.socket], writers: Sequence[socket.socket], timeout: float
    ) -> list[socket.socket]:
        # select() does not take file descriptors above 1023.
        poll = select.poll()
        for sock in readers:
            poll.register(sock, select.POLLIN)
        for sock in writers:
            poll.register(sock, select.POLLOUT)
        ready = {descriptor for descriptor, _ in poll.poll(math.ceil(timeout * 1000))}
        return [sock for sock in (*readers, *writers) if sock.fileno() in ready]
