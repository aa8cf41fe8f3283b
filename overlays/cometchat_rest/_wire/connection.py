"""One HTTP/1.1 connection to the service: opened when it is first used, and reused while that is safe.

The HTTP is h11's. A connection never waits: it yields its waits (see `waits`), and so serves both clients.
"""

from __future__ import annotations

import socket
import ssl
import time
from typing import Any

import h11
from attrs import frozen

from cometchat_rest._call.request import Attempt
from cometchat_rest._call.response import BodyReader, RawResponse
from cometchat_rest._call.settings import ProxyAddress
from cometchat_rest._call.transport_errors import AttemptError

from .proxy import trusted_certificates
from .streams import Limits, SocketStream, Stream, TlsStream, open_socket
from .tunnel import ProxyError, open_tunnel
from .waits import Steps, is_readable

# Seconds after which an idle connection is not used again: most servers wait longer before they close one.
_KEEP_ALIVE = 5.0
# The most that the head of a response may take, in bytes.
_MAX_HEAD = 100 * 1024
# A body of more bytes is sent after the head, and not in one piece with it.
_LARGE_BODY = 16_384


@frozen
class Route:
    """The way to the service.

    Attributes:
        host: the service's host.
        port: the service's port.
        certificates: the trusted certificates; `None` where the service does not speak TLS, on this machine.
        proxy: the proxy on the way, or `None`.
    """

    host: str
    port: int
    certificates: ssl.SSLContext | None
    proxy: ProxyAddress | None = None


class Connection:
    """A connection that serves one attempt after the other.

    Attributes:
        is_reusable: whether the last attempt left the connection fit for another one.
    """

    # An interruption may come before `__init__` has ended.
    _socket: socket.socket | None = None

    def __init__(self, route: Route) -> None:
        self.is_reusable = False
        self._route = route
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._stream: Stream | None = None
        self._expires = 0.0

    def send(self, attempt: Attempt) -> Steps[RawResponse]:
        """Send a request and read its response; open the connection first if this is its first request.

        Raises:
            AttemptError: no complete response arrived. The connection must not be used again.
        """
        self.is_reusable = False
        stream = self._stream or (yield from self._open(attempt))
        yield from self._send_request(stream, attempt)
        return (yield from self._receive_response(stream, attempt))

    def is_usable(self) -> bool:
        """Whether an idle connection may serve another attempt: it is not too old, and the service sent nothing more.

        Data that arrives between two requests is the end of the connection, or would be taken for the next response.
        """
        return (
            self.is_reusable
            and self._socket is not None
            and time.monotonic() < self._expires
            and not is_readable(self._socket)
        )

    @property
    def is_expired(self) -> bool:
        """Whether the connection has been idle for too long."""
        return time.monotonic() >= self._expires

    def close(self) -> None:
        """Close the socket, if there is one; as often as you like."""
        self.is_reusable = False
        if self._socket is not None:
            self._socket.close()

    def __del__(self) -> None:
        # An interruption, such as Ctrl-C, may come between any two lines of the pool.
        self.close()

    def _open(self, attempt: Attempt) -> Steps[Stream]:
        """Open the socket, the tunnel through a proxy, and TLS. The request is not sent before all of them exist."""
        route, proxy = self._route, self._route.proxy
        host, port = (route.host, route.port) if proxy is None else (proxy.host, proxy.port)
        try:
            self._socket = yield from open_socket(host, port, _all_waits(attempt))
            limits = _all_waits(attempt)
            stream: Stream = SocketStream(self._socket)
            if proxy is not None:
                if proxy.scheme == "https":
                    stream = yield from _with_tls(stream, route.certificates, proxy.host, limits)
                yield from open_tunnel(stream, proxy, route.host, route.port, limits)
            if route.certificates is not None:
                stream = yield from _with_tls(stream, route.certificates, route.host, limits)
        except ProxyError as error:
            raise AttemptError("proxy", request_sent=False) from error
        except OSError as error:
            raise AttemptError("connect", request_sent=False) from error
        self._stream = stream
        return stream

    def _send_request(self, stream: Stream, attempt: Attempt) -> Steps[None]:
        request = attempt.request
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

    def _receive_response(self, stream: Stream, attempt: Attempt) -> Steps[RawResponse]:
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

    def _next_event(self, stream: Stream, limits: Limits) -> Steps[Any]:
        """The next part of the response: its head, a piece of its body, or its end."""
        http = self._http
        while (event := http.next_event()) is h11.NEED_DATA:
            data = yield from stream.receive(limits)
            if not data and http.their_state is h11.SEND_RESPONSE:
                raise h11.RemoteProtocolError("the service closed the connection without a response")
            http.receive_data(data)
        return event

    def _finish(self, stream: Stream) -> None:
        """After a complete response: keep the connection only if no byte came after it."""
        http = self._http
        if http.our_state is h11.DONE and http.their_state is h11.DONE and not http.trailing_data[0]:
            http.start_next_cycle()
            self._expires = time.monotonic() + _KEEP_ALIVE
            self.is_reusable = not stream.holds_unread_bytes()


def _all_waits(attempt: Attempt) -> Limits:
    """Limits of a stage in which all waits share the timeout for connecting."""
    return Limits(attempt.timeouts.connect, min(time.monotonic() + attempt.timeouts.connect, attempt.deadline))


def _with_tls(below: Stream, certificates: ssl.SSLContext | None, hostname: str, limits: Limits) -> Steps[Stream]:
    stream = TlsStream(below, certificates or trusted_certificates(), hostname)
    yield from stream.handshake(limits)
    return stream
