"""The waits of a connection, and the two drivers that carry them out: blocking and awaited.

The methods of a connection never block. They are generators that yield a wait, receive the result of the wait, and
return their own result. So the rules of a connection exist once for both clients.
"""

from __future__ import annotations

import socket
from _thread import start_new_thread
from collections.abc import Generator, Sequence
from queue import Empty, SimpleQueue
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import anyio

from cometchat_rest._platform import SYSTEM

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


class Readable(NamedTuple):
    """Wait until a socket has something to read, or its peer has closed it; the result is false after the timeout."""

    sock: socket.socket
    timeout: float

    def block(self) -> bool:
        return bool(SYSTEM.ready([self.sock], EVENT_READ, self.timeout))

    async def wait(self) -> bool:
        with anyio.move_on_after(self.timeout):
            await anyio.wait_readable(self.sock)
            return True
        return False


class Writable(NamedTuple):
    """Wait until one of several sockets takes data or has failed to connect; the result lists these sockets."""

    sockets: Sequence[socket.socket]
    timeout: float

    def block(self) -> list[socket.socket]:
        return SYSTEM.ready(self.sockets, EVENT_WRITE, self.timeout)

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


class Lookup(NamedTuple):
    """Look up the addresses of a host; the result is an `OSError` if that fails, and `None` after the timeout."""

    host: bytes
    port: int
    timeout: float

    def block(self) -> Sequence[AddressInfo] | OSError | None:
        """`getaddrinfo()` has no timeout; its thread may outlive the call."""
        found: SimpleQueue[Sequence[AddressInfo] | OSError] = SimpleQueue()

        def look_up(*, in_thread: bool = True) -> None:
            if in_thread:
                SYSTEM.block_signals()
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
    return bool(SYSTEM.ready([sock], EVENT_READ, 0.0))
