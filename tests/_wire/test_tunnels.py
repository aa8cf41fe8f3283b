"""Proxies that fail: nothing counts as sent before the tunnel to the service exists, for both clients."""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import httpx
import pytest
import trustme

from cometchat_rest import RequestTimeoutError, TransportError, WordListInput

from .wire_support import Server, read_request

if TYPE_CHECKING:
    from ..support import AnyClient

HOST = "abc.api-eu.cometchat.io"
KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
#: Seconds for each phase of an attempt, and for the whole call.
TIMEOUT, DEADLINE = 0.2, 4.0
#: Enough for every phase but the response, which never comes.
ONLY_READING = httpx.Timeout(DEADLINE, read=TIMEOUT)

Step: TypeAlias = Callable[[Any], None]

CHANGES: dict[str, Callable[[Any], Any]] = {
    "PUT": lambda chat: chat.keywords.update("a-list", WordListInput(search_terms=["spam"])),
    "DELETE": lambda chat: chat.auth_tokens.delete("alice", "alice_0123456789"),
}


# The steps of a proxy with a connection.


def close(_: Any) -> None:
    """Closes the connection at once."""


def reset(connection: Any) -> None:
    """Breaks the connection at once."""
    connection.recv(1)
    connection.setsockopt(*LINGER)


def stay_silent(connection: Any) -> None:
    """Reads everything and sends nothing, until the client closes the connection."""
    while connection.recv(65536):
        pass


def close_after_reading(connection: Any) -> None:
    connection.recv(65536)


def send(data: bytes) -> Step:
    """Reads something, and sends this."""

    def step(connection: Any) -> None:
        connection.recv(65536)
        connection.sendall(data)

    return step


def http(connection: Any) -> None:
    """Makes the tunnel that CONNECT asks for."""
    read_request(connection)
    connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")


def socks5(connection: Any) -> None:
    """Makes the tunnel that SOCKS asks for."""
    connection.recv(3)
    connection.sendall(b"\5\0")
    connection.recv(512)
    connection.sendall(b"\5\0\0\1\0\0\0\0\0\0")


def socks5_in_pieces(connection: Any) -> None:
    """Makes the tunnel that SOCKS asks for; each byte of a reply arrives by itself."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for reply in (b"\5\0", b"\5\0\0\3\4name\0\0"):
        connection.recv(512)
        for byte in reply:
            connection.sendall(bytes([byte]))


def greet(connection: Any) -> None:
    """Accepts the greeting of SOCKS."""
    connection.recv(3)
    connection.sendall(b"\5\0")


#: The end of a connection is a reset.
LINGER = (1, 13, struct.pack("ii", 1, 0))
HALF = b"HTTP/1.1 200 Connection establ"
NO_HTTP = b"\0\1\2\3garbage\r\n\r\n"
NO_TLS = b"HTTP/1.1 400 Bad Request\r\n\r\n"

#: By the way to the service and what goes wrong: each ends before the tunnel exists, or before TLS to the service does.
BEFORE: dict[str, tuple[str, tuple[Step, ...]]] = {
    "CONNECT: closed at once": ("http", (close,)),
    "CONNECT: closed without a response": ("http", (close_after_reading,)),
    "CONNECT: reset": ("http", (reset,)),
    "CONNECT: silent": ("http", (stay_silent,)),
    "CONNECT: a cut response": ("http", (send(HALF),)),
    "CONNECT: half a response, then silent": ("http", (send(HALF), stay_silent)),
    "CONNECT: garbage": ("http", (send(NO_HTTP),)),
    "CONNECT: refused": ("http", (send(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"),)),
    "CONNECT: then closed": ("http", (http, close_after_reading)),
    "CONNECT: then reset": ("http", (http, reset)),
    "CONNECT: then no TLS": ("http", (http, send(NO_TLS))),
    "CONNECT: then silent": ("http", (http, stay_silent)),
    "SOCKS: closed at once": ("socks5", (close,)),
    "SOCKS: closed without a response": ("socks5", (close_after_reading,)),
    "SOCKS: reset": ("socks5", (reset,)),
    "SOCKS: silent": ("socks5", (stay_silent,)),
    "SOCKS: half a response, then silent": ("socks5", (send(b"\5"), stay_silent)),
    "SOCKS: garbage": ("socks5", (send(NO_HTTP),)),
    "SOCKS: closed after the greeting": ("socks5", (greet, close_after_reading)),
    "SOCKS: reset after the greeting": ("socks5", (greet, reset)),
    "SOCKS: silent after the greeting": ("socks5", (greet, stay_silent)),
    "SOCKS: garbage after the greeting": ("socks5", (greet, send(NO_HTTP))),
    "SOCKS: then closed": ("socks5", (socks5, close_after_reading)),
    "SOCKS: then reset": ("socks5", (socks5, reset)),
    "SOCKS: then no TLS": ("socks5", (socks5, send(NO_TLS))),
    "SOCKS: then silent": ("socks5", (socks5, stay_silent)),
}
#: Half a response to a greeting of SOCKS is garbage to the library that reads it.
SILENT = {name: way for name, way in BEFORE.items() if "silent" in name and "SOCKS: half" not in name}


class FailingService:
    """The service behind a proxy: reads a whole request over TLS, and then fails."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.received: list[bytes] = []
        self._context = context

    def _read(self, tls: Any) -> None:
        self.received.append(read_request(tls))

    def close(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            self._read(tls)

    def stay_silent(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            self._read(tls)
            stay_silent(tls)

    def break_off(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            self._read(tls)
            tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def service(ca: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FailingService:
    """A service that the clients of the test trust."""
    certificate = tmp_path / "ca.pem"
    ca.cert_pem.write_to_path(str(certificate))
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert(HOST).configure_cert(context)
    return FailingService(context)


@pytest.fixture(autouse=True)
def no_proxies_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(params=CHANGES)
def change(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return CHANGES[request.param]


def error_of(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    action: Callable[[Any], Any],
    scheme: str,
    *steps: Step,
    timeout: object = TIMEOUT,
) -> TransportError:
    """The error of a call through a proxy that does this."""
    with Server(*steps) as proxy:
        monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{proxy.port}")
        client = any_client.client(
            app_id="abc", region="eu", api_key=KEY, max_retries=0, timeout=timeout, deadline=DEADLINE
        )
        with pytest.raises(TransportError) as caught:
            any_client.call(action, client)
        any_client.close(client)
    assert proxy.opened == 1
    return caught.value


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize(("scheme", "steps"), BEFORE.values(), ids=BEFORE)
def test_nothing_is_sent_before_the_tunnel_exists(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Any], Any],
    scheme: str,
    steps: tuple[Step, ...],
) -> None:
    """A change was surely not made if its proxy fails before there is TLS to the service."""
    error = error_of(any_client, monkeypatch, change, scheme, *steps)
    assert (error.request_sent, error.outcome_unknown) == (False, False), error


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize(("scheme", "steps"), SILENT.values(), ids=SILENT)
def test_timeout_for_connecting_covers_the_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, scheme: str, steps: tuple[Step, ...]
) -> None:
    """A proxy that does not respond is a timeout for connecting, long before the deadline of the call."""
    error = error_of(any_client, monkeypatch, CHANGES["PUT"], scheme, *steps)
    assert isinstance(error, RequestTimeoutError)
    # At the deadline the kind would be "deadline".
    assert error.kind == "connect"


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
@pytest.mark.parametrize("failure", ["close", "stay_silent", "break_off"])
def test_change_that_was_sent_through_the_tunnel_is_in_doubt(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    service: FailingService,
    change: Callable[[Any], Any],
    scheme: str,
    failure: str,
) -> None:
    """A change that went through the tunnel and got no response may have been made."""
    tunnel = {"http": http, "socks5": socks5, "socks5h": socks5_in_pieces}[scheme]
    steps = (tunnel, getattr(service, failure))
    error = error_of(any_client, monkeypatch, change, scheme, *steps, timeout=ONLY_READING)
    assert (error.request_sent, error.outcome_unknown) == (True, True), error
    assert len(service.received) == 1


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("failure", ["close", "no TLS", "silent"])
def test_nothing_is_sent_before_tls_with_the_service_exists(
    any_client: AnyClient, change: Callable[[Any], Any], failure: str
) -> None:
    """Without a proxy, too, a change was surely not made if TLS with the service fails."""
    step = {"close": close_after_reading, "no TLS": send(NO_TLS), "silent": stay_silent}[failure]
    with Server(step) as server:
        client = any_client.client(
            base_url=f"https://127.0.0.1:{server.port}/v3", max_retries=0, timeout=TIMEOUT, deadline=DEADLINE
        )
        with pytest.raises(TransportError) as caught:
            any_client.call(change, client)
        any_client.close(client)
    error = caught.value
    assert (error.request_sent, error.outcome_unknown) == (False, False), error
    assert error.kind == "connect"
