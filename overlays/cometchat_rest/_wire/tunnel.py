"""The way through a proxy: CONNECT and SOCKS5. The service speaks TLS inside of it."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, TypeVar

import h11

from .streams import Limits, Stream
from .waits import Waiting

if TYPE_CHECKING:
    from cometchat_rest._call.settings import Proxy

EventT = TypeVar("EventT")


class ProxyError(Exception):
    """The proxy refused, or does not speak the protocol that the address of the proxy names."""


def open_tunnel(stream: Stream, proxy: Proxy, host: str, port: int, limits: Limits) -> Waiting[None]:
    """Ask a proxy for a tunnel to the service.

    Raises:
        ProxyError: the proxy refused, or its response is invalid.
        OSError: the connection to the proxy broke.
    """
    opening = _open_socks if proxy.scheme.startswith("socks") else _open_http
    return opening(stream, proxy, host, port, limits)


def _open_http(stream: Stream, proxy: Proxy, host: str, port: int, limits: Limits) -> Waiting[None]:
    target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    headers = [("Host", target), ("Accept", "*/*")]
    if proxy.credentials is not None:
        headers.append(("Proxy-Authorization", f"Basic {b64encode(b':'.join(proxy.credentials)).decode()}"))
    http = h11.Connection(h11.CLIENT)
    request = http.send(h11.Request(method="CONNECT", target=target, headers=headers)) or b""
    yield from stream.send(request + (http.send(h11.EndOfMessage()) or b""), limits)
    try:
        while not isinstance(event := http.next_event(), h11.Response):
            if event is h11.NEED_DATA:
                http.receive_data((yield from stream.receive(limits)))
            elif not isinstance(event, h11.InformationalResponse):
                raise ProxyError("the proxy closed the connection")
    except h11.RemoteProtocolError as error:
        raise ProxyError(str(error)) from None
    if not 200 <= event.status_code < 300:
        raise ProxyError(f"{event.status_code} {event.reason.decode('ascii', 'replace')}".strip())
    if http.trailing_data[0]:
        raise ProxyError("the proxy sent data before the service could")


def _open_socks(stream: Stream, proxy: Proxy, host: str, port: int, limits: Limits) -> Waiting[None]:
    from socksio import SOCKSError, socks5  # noqa: PLC0415 - installed by users who need it

    # socksio's types are too narrow: its methods are generic over the kinds of requests.
    socks: Any = socks5.SOCKS5Connection()

    def ask(request: object, reply: type[EventT]) -> Waiting[EventT]:
        socks.send(request)
        yield from stream.send(socks.data_to_send(), limits)
        data = b""
        while len(data) < _socks_length(data, is_command=reply is socks5.SOCKS5Reply):
            if not (piece := (yield from stream.receive(limits))):
                raise ProxyError("the proxy closed the connection")
            data += piece
        event = socks.receive_data(data)
        if not isinstance(event, reply):
            raise ProxyError("the proxy does not speak SOCKS5")
        return event

    method = socks5.SOCKS5AuthMethod.NO_AUTH_REQUIRED
    if proxy.credentials is not None:
        method = socks5.SOCKS5AuthMethod.USERNAME_PASSWORD
    try:
        chosen = yield from ask(socks5.SOCKS5AuthMethodsRequest([method]), socks5.SOCKS5AuthReply)
        if chosen.method != method:
            raise ProxyError(f"the proxy does not accept {method.name}")
        if proxy.credentials is not None:
            login = socks5.SOCKS5UsernamePasswordRequest(*proxy.credentials)
            if not (yield from ask(login, socks5.SOCKS5UsernamePasswordReply)).success:
                raise ProxyError("the proxy does not accept the name and the password")
        command = socks5.SOCKS5CommandRequest.from_address(socks5.SOCKS5Command.CONNECT, (host, port))
        done = yield from ask(command, socks5.SOCKS5Reply)
    except SOCKSError as error:
        raise ProxyError(f"the proxy does not speak SOCKS5: {error}") from None
    if done.reply_code != socks5.SOCKS5ReplyCode.SUCCEEDED:
        raise ProxyError(f"the proxy could not connect: {done.reply_code.name}")


def _socks_length(data: bytes, *, is_command: bool) -> int:
    """The length of a SOCKS5 reply, as far as its first bytes tell (RFC 1928, section 6)."""
    if not is_command:
        return 2
    if len(data) < 5:
        return 5
    address = {1: 4, 3: 1 + data[4], 4: 16}.get(data[3], 0)
    return 4 + address + 2
