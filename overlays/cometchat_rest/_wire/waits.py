"""The waits of a connection, and the two drivers that carry them out: blocking and awaited.

The methods of a connection never block. They are generators that yield a wait, receive the result of the wait, and
return their own result. So the rules of a connection exist once for both clients.
"""

from __future__ import annotations

import math
import select
import selectors
import signal
import socket
import sys
from _thread import start_new_thread
from collections.abc import Generator, Sequence
from queue import Empty, SimpleQueue
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, Protocol, TypeAlias, TypeVar

import anyio
from attrs import frozen

T = TypeVar("T")

#: One entry of `socket.getaddrinfo`: family, type, protocol, canonical name, address.
AddressInfo: TypeAlias = tuple[Any, ...]


class Wait(Protocol):
    """One wait: it has the same result in a thread, with `block`, and in a task, with `wait`."""

    def block(self) -> Any: ...
    async def wait(self) -> Any: ...


#: A generator that yields waits and returns a result.
Waiting: TypeAlias = Generator[Wait, Any, T]


def run_blocking(waiting: Waiting[T]) -> T:
    """Carry out all waits in this thread."""
    result: Any = None
    try:
        while True:
            result = waiting.send(result).block()
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        waiting.close()


async def run_async(waiting: Waiting[T]) -> T:
    """Carry out all waits in this task."""
    result: Any = None
    try:
        while True:
            result = await waiting.send(result).wait()
    except StopIteration as stop:
        value: T = stop.value
        return value
    finally:
        waiting.close()


@frozen
class Readable:
    """Wait until a socket has something to read, or its peer has closed it; the result is false after the timeout."""

    sock: socket.socket
    timeout: float

    def block(self) -> bool:
        return bool(_ready([self.sock], EVENT_READ, self.timeout))

    async def wait(self) -> bool:
        with anyio.move_on_after(self.timeout):
            await anyio.wait_readable(self.sock)
            return True
        return False


@frozen
class Writable:
    """Wait until one of several sockets takes data or has failed to connect; the result lists these sockets."""

    sockets: Sequence[socket.socket]
    timeout: float

    def block(self) -> list[socket.socket]:
        return _ready(self.sockets, EVENT_WRITE, self.timeout)

    async def wait(self) -> list[socket.socket]:
        ready: list[socket.socket] = []

        async def wait_for(sock: socket.socket) -> None:
            await anyio.wait_writable(sock)
            ready.append(sock)
            tasks.cancel_scope.cancel()

        with anyio.move_on_after(self.timeout):
            async with anyio.create_task_group() as tasks:
                for sock in self.sockets:
                    tasks.start_soon(wait_for, sock)
        return ready


@frozen
class Lookup:
    """Look up the addresses of a host; the result is an `OSError` if that fails, and `None` after the timeout."""

    host: str
    port: int
    timeout: float

    def block(self) -> Sequence[AddressInfo] | OSError | None:
        """`getaddrinfo()` has no timeout; its thread may outlive the call."""
        found: SimpleQueue[Sequence[AddressInfo] | OSError] = SimpleQueue()

        def look_up(*, in_thread: bool = True) -> None:
            if in_thread:
                block_signals()
            try:
                found.put(socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM))
            except OSError as error:
                found.put(error)

        try:
            # Not a `threading.Thread`: an exception of a signal handler during its `start` leaves a lock locked.
            start_new_thread(look_up, ())
        except RuntimeError:
            # The system has no thread left, or the program is ending.
            look_up(in_thread=False)
        try:
            return found.get(timeout=self.timeout)
        except Empty:
            return None

    async def wait(self) -> Sequence[AddressInfo] | OSError | None:
        with anyio.move_on_after(self.timeout):
            try:
                return await anyio.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            except OSError as error:
                return error
        return None


def is_readable(sock: socket.socket) -> bool:
    """Whether a socket has something to read now, or its peer has closed it."""
    return bool(_ready([sock], EVENT_READ, 0.0))


def block_signals() -> None:
    """Let this thread receive neither SIGINT nor SIGTERM. Call it only in our own threads.

    The system may deliver a signal to any thread, but Python acts on it in the main thread only. If another thread
    received it, the main thread would continue to wait, perhaps until the deadline.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})


if sys.platform == "win32":

    def _ready(sockets: Sequence[socket.socket], event: int, timeout: float) -> list[socket.socket]:
        with selectors.SelectSelector() as selector:
            for sock in sockets:
                selector.register(sock, event)
            return [key.fileobj for key, _ in selector.select(timeout)]

else:

    def _ready(sockets: Sequence[socket.socket], event: int, timeout: float) -> list[socket.socket]:
        # A selector would take a tenth of the time of a whole call, and select() has a limit of 1,024 files.
        poll = select.poll()
        for sock in sockets:
            poll.register(sock, select.POLLIN if event == EVENT_READ else select.POLLOUT)
        ready = {descriptor for descriptor, _ in poll.poll(math.ceil(timeout * 1000))}
        return [sock for sock in sockets if sock.fileno() in ready]
