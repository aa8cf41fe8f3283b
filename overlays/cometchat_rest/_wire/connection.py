"""One HTTP/1.1 connection to the service: opened when it is first used, and reused while that is safe.

h11 reads and writes HTTP. The methods of a connection are generators that yield their waits (see `waits`), so that one
class serves both clients.
"""

from __future__ import annotations

import socket
import ssl
import time
from typing import Any, NamedTuple

import h11

from cometchat_rest._call.request import Attempt, Request
from cometchat_rest._call.response import BodyReader, RawResponse
from cometchat_rest._call.settings import Proxy
from cometchat_rest._call.transport_errors import AttemptError

from .sockets import open_socket
from .streams import Limits, SocketStream, Stream, TlsStream
from .tunnel import ProxyError, open_tunnel
from .waits import Waiting, is_readable

# Seconds after which an idle connection is not used again. Many servers close an idle connection after five seconds. If
# that happens while a change is on its way, its outcome is unknown, so a change uses only a connection that is fresh.
_KEEP_ALIVE, _KEEP_ALIVE_FOR_CHANGES = 4.0, 1.0
# The most bytes of an incomplete head of a response.
_MAX_HEAD = 100 * 1024
# A larger body is sent separately from the head, to avoid a copy.
_LARGE_BODY = 16_384


class Route(NamedTuple):
    """The way to the service.

    Attributes:
        host: the service's host.
        port: the service's port.
        certificates: the trusted certificates; `None` for plain HTTP, which is allowed only on this machine.
        proxy: the proxy on the way, or `None`.
    """

    host: str
    port: int
    certificates: ssl.SSLContext | None
    proxy: Proxy | None = None


class Connection:
    """A connection that serves one attempt after the other.

    Attributes:
        finished_cleanly: after an attempt, whether the response was complete and no byte came after it.
    """

    finished_cleanly: bool
    # An interruption may come before `__init__` has ended.
    _socket: socket.socket | None = None

    def __init__(self, route: Route) -> None:
        self._route = route
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._stream: Stream | None = None
        self._idle_since = 0.0

    def send(self, attempt: Attempt) -> Waiting[RawResponse]:
        """Send a request and read its response; open the connection first if this is its first request.

        Raises:
            AttemptError: no complete response arrived. The connection must not be used again.
        """
        self.finished_cleanly = False
        stream = self._stream or (yield from self._open(attempt))
        yield from self._send_request(stream, attempt)
        return (yield from self._receive_response(stream, attempt))

    def can_serve(self, request: Request) -> bool:
        """Whether an idle connection may serve this request: it is fresh enough, and the service has sent nothing more.

        A socket that is readable between two requests was closed by the service, or holds stray bytes, which would be
        taken for the next response.
        """
        longest = _KEEP_ALIVE if request.method == "GET" else _KEEP_ALIVE_FOR_CHANGES
        fresh = time.monotonic() < self._idle_since + longest
        return fresh and self._socket is not None and not is_readable(self._socket)

    @property
    def is_stale(self) -> bool:
        """Whether the connection has been idle for too long."""
        return time.monotonic() >= self._idle_since + _KEEP_ALIVE

    def close(self) -> None:
        """Close the socket, if there is one; may be repeated."""
        if self._socket is not None:
            self._socket.close()

    def __del__(self) -> None:
        # An interruption, such as Ctrl-C, may come between any two lines of the pool.
        self.close()

    def _open(self, attempt: Attempt) -> Waiting[Stream]:
        """Open the socket, the tunnel through a proxy, and TLS. The request is not sent before all of them exist."""
        route = self._route
        first = route.proxy or route
        try:
            self._socket = yield from open_socket(first.host, first.port, _all_waits(attempt))
            self._stream = yield from _secure(SocketStream(self._socket), route, _all_waits(attempt))
        except ProxyError as error:
            raise AttemptError("proxy", request_sent=False) from error
        except OSError as error:
            raise AttemptError("connect", request_sent=False) from error
        return self._stream

    def _send_request(self, stream: Stream, attempt: Attempt) -> Waiting[None]:
        request = attempt.request
        if time.monotonic() >= attempt.deadline:
            raise AttemptError("deadline", request_sent=False)
        head = (
            self._http.send(h11.Request(method=request.method, target=request.target, headers=request.headers)) or b""
        )
        if request.body:
            # A large body is not copied.
            self._http.send_with_data_passthrough(h11.Data(data=request.body))
        self._http.send(h11.EndOfMessage())
        pieces = [head, request.body] if len(request.body) > _LARGE_BODY else [head + request.body]
        try:
            for piece in pieces:
                yield from stream.send(piece, Limits(attempt.timeouts.write, attempt.deadline))
        except TimeoutError as error:
            raise AttemptError("write", request_sent=True) from error
        except OSError:
            # The service may have responded before it closed the connection; reading tells. h11 learns that the request
            # is not complete, so the connection is not used again.
            self._http.send_failed()

    def _receive_response(self, stream: Stream, attempt: Attempt) -> Waiting[RawResponse]:
        limits = Limits(attempt.timeouts.read, attempt.deadline)
        try:
            while isinstance(head := (yield from self._next_event(stream, limits)), h11.InformationalResponse):
                pass
            reader = BodyReader(head.headers, attempt.max_response_bytes)
            while not isinstance(event := (yield from self._next_event(stream, limits)), h11.EndOfMessage):
                reader.feed(event.data)
                if reader.fault is not None:
                    return reader.response(head.status_code)
            self._finish(stream)
        except h11.RemoteProtocolError as error:
            raise AttemptError("protocol", request_sent=True) from error
        except OSError as error:
            raise AttemptError("read", request_sent=True) from error
        return reader.response(head.status_code)

    def _next_event(self, stream: Stream, limits: Limits) -> Waiting[Any]:
        """The next part of the response: its head, a piece of its body, or its end."""
        http = self._http
        while (event := http.next_event()) is h11.NEED_DATA:
            data = yield from stream.receive(limits)
            if not data and http.their_state is h11.SEND_RESPONSE:
                raise ConnectionResetError("the service closed the connection without a response")
            http.receive_data(data)
        if event is h11.PAUSED:
            raise h11.RemoteProtocolError("the service switched to another protocol")
        return event

    def _finish(self, stream: Stream) -> None:
        """After a complete response: keep the connection only if no byte came after it."""
        http = self._http
        if http.our_state is h11.DONE and http.their_state is h11.DONE and not http.trailing_data[0]:
            http.start_next_cycle()
            self._idle_since = time.monotonic()
            self.finished_cleanly = not stream.holds_unread_bytes()


def _all_waits(attempt: Attempt) -> Limits:
    """Limits of a stage in which all waits share the timeout for connecting."""
    return Limits(attempt.timeouts.connect, min(time.monotonic() + attempt.timeouts.connect, attempt.deadline))


def _secure(stream: Stream, route: Route, limits: Limits) -> Waiting[Stream]:
    """Open the tunnel through a proxy, and TLS inside of it."""
    if route.certificates is None:
        # Plain HTTP stays on this machine, so there is no proxy.
        return stream
    if (proxy := route.proxy) is not None:
        if proxy.scheme == "https":
            stream = yield from _with_tls(stream, route.certificates, proxy.host, limits)
        yield from open_tunnel(stream, proxy, route.host, route.port, limits)
    return (yield from _with_tls(stream, route.certificates, route.host, limits))


def _with_tls(below: Stream, certificates: ssl.SSLContext, hostname: str, limits: Limits) -> Waiting[Stream]:
    stream = TlsStream(below, certificates, hostname)
    yield from stream.handshake(limits)
    return stream
