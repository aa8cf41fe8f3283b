"""Byte streams that yield their waits: a socket, and TLS over any stream.

Every stream knows whether it holds bytes that nobody has read yet. A connection with such bytes is never reused: the
next call would take them for its response.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from .waits import Readable, Waiting, Writable

T = TypeVar("T")

# How many bytes to take from a socket at a time.
_READ_SIZE = 65_536


class Limits(NamedTuple):
    """The time limits of a stage: seconds for each wait, and the end of the stage on the monotonic clock."""

    seconds: float
    end: float

    def left(self) -> float:
        """Seconds that the next wait may take.

        Raises:
            TimeoutError: no time is left.
        """
        left = min(self.seconds, self.end - time.monotonic())
        if left <= 0:
            raise TimeoutError
        return left


class Stream(Protocol):
    """A stream of bytes."""

    def send(self, data: bytes, limits: Limits) -> Waiting[None]:
        """Send all of the data."""
        ...

    def receive(self, limits: Limits) -> Waiting[bytes]:
        """Receive at least one byte; none at the end of the stream."""
        ...

    def holds_unread_bytes(self) -> bool:
        """Whether bytes were received that nobody has read yet."""
        ...


class SocketStream:
    """A connected, non-blocking socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def send(self, data: bytes, limits: Limits) -> Waiting[None]:
        rest = memoryview(data)
        while rest:
            left = limits.left()
            try:
                rest = rest[self._sock.send(rest) :]
            except BlockingIOError:
                if not (yield Writable([self._sock], left)):
                    raise TimeoutError from None

    def receive(self, limits: Limits) -> Waiting[bytes]:
        while True:
            if not (yield Readable(self._sock, limits.left())):
                raise TimeoutError
            # A wait may end although there is nothing to read.
            try:
                return self._sock.recv(_READ_SIZE)
            except BlockingIOError:
                continue

    def holds_unread_bytes(self) -> bool:
        # The system holds them; `is_readable` asks it.
        return False


class TlsStream:
    """TLS over another stream, which may itself be TLS: to a proxy, and through it to the service."""

    def __init__(self, below: Stream, context: ssl.SSLContext, hostname: str) -> None:
        self._below = below
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._received, self._to_send, server_hostname=hostname)

    def handshake(self, limits: Limits) -> Waiting[None]:
        """Begin TLS; an `ssl.SSLError` if the peer is not trusted, or wants to speak another protocol."""
        yield from self._run(self._tls.do_handshake, limits)
        if self._tls.selected_alpn_protocol() not in (None, "http/1.1"):
            raise ssl.SSLError("the ssl_context offers other protocols than http/1.1; use a context without them")

    def send(self, data: bytes, limits: Limits) -> Waiting[None]:
        rest = memoryview(data)
        while rest:
            written = yield from self._run(partial(self._tls.write, rest), limits)
            rest = rest[written:]

    def receive(self, limits: Limits) -> Waiting[bytes]:
        try:
            return (yield from self._run(partial(self._tls.read, _READ_SIZE), limits))
        except ssl.SSLEOFError:  # an end without the message of TLS for that
            return b""

    def holds_unread_bytes(self) -> bool:
        # Bytes that are not decrypted yet count as well, such as an incomplete TLS record.
        return bool(self._received.pending or self._tls.pending() or self._below.holds_unread_bytes())

    def _run(self, operation: Callable[[], T], limits: Limits) -> Waiting[T]:
        """Repeat an operation of TLS until it has received and sent all it needs."""
        while True:
            try:
                result = operation()
            except ssl.SSLWantReadError:
                yield from self._flush(limits)
            except ssl.SSLError:
                # Tell the peer the reason. A failure to do so must not hide the error.
                try:
                    yield from self._flush(limits)
                except OSError:
                    pass
                raise
            else:
                yield from self._flush(limits)
                return result
            if data := (yield from self._below.receive(limits)):
                self._received.write(data)
            else:
                self._received.write_eof()

    def _flush(self, limits: Limits) -> Waiting[None]:
        if self._to_send.pending:
            yield from self._below.send(self._to_send.read(), limits)
