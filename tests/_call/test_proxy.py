"""Calls through a proxy from the environment: they arrive, they end, and the proxy never sees the key."""

import gc
import os
import socket
import ssl
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme

from cometchat_rest import ConfigurationError, RequestTimeoutError, TransportError
from cometchat_rest.testing import Simulator

from ..support import (
    GET,
    KEY,
    PATIENCE,
    PUT,
    AnyClient,
    ScriptedServer,
    StubTransport,
    WireServer,
    always_respond,
    error_from,
    read_request,
    run_concurrently,
)

HOST = "abc.api-eu.cometchat.io"


class TlsService:
    """The service behind the proxy, over TLS. It responds to every request."""

    def __init__(self, ca: trustme.CA) -> None:
        self.received: list[bytes] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert(HOST, "127.0.0.1").configure_cert(self._context)

    def respond(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            while request := read_request(tls):
                self.received.append(request)
                tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))

    def respond_twice(self, connection: Any) -> None:
        """Respond to each request, and send an extra response at the same time, in a second TLS record."""

        def extra(tls: ssl.SSLObject) -> bytes:
            tls.write(b"HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\n" + b'{"data":{"name":"extra"}}')
            return b""

        self.respond_and(extra, connection)

    def respond_and(self, then: Callable[[ssl.SSLObject], bytes], connection: Any) -> None:
        """Respond to each request, and send these bytes at the same time."""
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self._context.wrap_bio(incoming, outgoing, server_side=True)

        def done(step: Callable[[], Any]) -> Any:
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    connection.sendall(outgoing.read())
                    if received := connection.recv(65536):
                        incoming.write(received)
                    else:
                        incoming.write_eof()

        done(tls.do_handshake)
        while request := done(partial(tls.read, 65536)):
            self.received.append(request)
            body = b'{"data":{"name":"response-%d"}}' % len(self.received)
            tls.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            more = then(tls)
            connection.sendall(outgoing.read() + more)

    def break_off(self, connection: Any) -> None:
        """Read a request, and then send bytes that are not TLS."""
        with self._context.wrap_socket(connection, server_side=True) as tls:
            self.received.append(read_request(tls))
            os.write(tls.fileno(), b"HTTP/1.1 500 No\r\n\r\n")
            tls.recv(1)

    def drip(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            read_request(tls)
            drip(b"HTTP/1.1 200 OK\r\nX: ", tls)


def drip(first: bytes, connection: Any) -> None:
    """Send `first` and then one byte at a time, for longer than any call of the tests may take."""
    connection.sendall(first)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        connection.sendall(b"y")
        time.sleep(0.05)


class TlsRelay(ScriptedServer):
    """Accepts TLS, and forwards the decrypted bytes to another port of this machine."""

    def __init__(self, ca: trustme.CA, port: int) -> None:
        super().__init__(self._relay)
        self._port_behind = port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert("127.0.0.1").configure_cert(self._context)

    def _relay(self, connection: Any) -> None:
        with (
            self._context.wrap_socket(connection, server_side=True) as outer,
            socket.create_connection(("127.0.0.1", self._port_behind)) as inner,
        ):
            back = threading.Thread(target=self._pump, args=(inner, outer), daemon=True)
            back.start()
            self._pump(outer, inner)
            back.join(PATIENCE)

    @staticmethod
    def _pump(source: Any, target: Any) -> None:
        try:
            while piece := source.recv(65536):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one of the two sides closed the connection
            pass


class ProxyProtocols:
    """The server side of an HTTP proxy and of a SOCKS proxy. Records what each client asked for."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def http(self, connection: Any) -> None:
        self.asked.append(read_request(connection))
        connection.sendall(b"HTTP/1.1 200 Connection established\r\nX-Via: proxy\r\n\r\n")

    def socks5(self, connection: Any) -> None:
        method = connection.recv(3)[2:]
        connection.sendall(b"\5" + method)
        if method == b"\2":
            self.asked.append(connection.recv(512))
            connection.sendall(b"\1\0")
        self.asked.append(connection.recv(512))
        connection.sendall(b"\5\0\0\1\0\0\0\0\0\0")


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def service(ca: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TlsService:
    """The service. The clients of the test trust its certificate."""
    certificate = tmp_path / "ca.pem"
    ca.cert_pem.write_to_path(str(certificate))
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return TlsService(ca)


@pytest.fixture
def refusing_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """A proxy that refuses every request, and records it. All variables name this proxy."""
    with WireServer(lambda _: [b"HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]) as server:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, server.address)
            monkeypatch.setenv(name.lower(), server.address)
        yield server


@pytest.fixture(autouse=True)
def no_proxy_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def remote_client(any_client: AnyClient, **settings: Any) -> Any:
    """A client for a service on another machine."""
    return any_client.client(**{"app_id": "abc", "region": "eu", "api_key": KEY, "max_retries": 0, **settings})


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_calls_go_through_the_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: TlsService, scheme: str, variable: str
) -> None:
    """Calls go through the proxy to the service over TLS, several times on the same connection."""
    ways = ProxyProtocols()
    with ScriptedServer(getattr(ways, scheme.removesuffix("h")), service.respond) as proxy:
        monkeypatch.setenv(variable, f"{scheme}://127.0.0.1:{proxy.port}")
        client = remote_client(any_client)
        for _ in range(3):
            assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
    assert [request.split(b" ")[:2] for request in service.received] == [[b"GET", f"/v3{GET.path}".encode()]] * 3
    (asked,) = ways.asked
    assert HOST.encode() in asked
    assert KEY.encode() not in asked


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_proxy_with_a_password(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: TlsService, scheme: str
) -> None:
    """The proxy gets the percent-decoded name and password of its address. The service never gets them."""
    ways = ProxyProtocols()
    with ScriptedServer(getattr(ways, scheme), service.respond) as proxy:
        monkeypatch.setenv("https_proxy", f"{scheme}://us%40er:p%C3%A4ss%3A@127.0.0.1:{proxy.port}")
        any_client.call(GET.act, remote_client(any_client))
    name, password = b"us@er", "päss:".encode()
    credentials = b"Proxy-Authorization: Basic " + b64encode(b"%b:%b" % (name, password))
    if scheme == "socks5":
        credentials = b"\1%c%b%c%b" % (len(name), name, len(password), password)
    assert credentials in ways.asked[0]
    (request,) = service.received
    assert b"proxy" not in request.lower()


def stall(connection: Any) -> None:
    """Read, but send nothing."""
    while connection.recv(512):
        pass


def drip_in_the_head(connection: Any) -> None:
    read_request(connection)
    drip(b"HTTP/1.1 200 Connection established\r\nX: ", connection)


def stall_in_socks(connection: Any) -> None:
    connection.recv(3)
    stall(connection)


def drip_in_the_handshake(connection: Any) -> None:
    connection.recv(512)
    # The header of a TLS record that is never complete.
    drip(b"\x16\3\3\x3f\xff\2\0\x3f\xfb", connection)


def test_deadline_behind_a_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, ca: trustme.CA, service: TlsService
) -> None:
    """A call ends at its deadline, whichever part of the way through a proxy never ends."""
    ways = ProxyProtocols()
    slow: dict[str, tuple[Any, ...]] = {
        "the proxy's head": ("http", drip_in_the_head),
        "the proxy's silence": ("http", stall),
        "the handshake": ("http", ways.http, drip_in_the_handshake),
        "the service's head": ("http", ways.http, service.drip),
        "SOCKS": ("socks5", stall_in_socks),
        "the service's head behind SOCKS": ("socks5", ways.socks5, service.drip),
        "the handshake within another": ("https", ways.http, drip_in_the_handshake),
        "the service's head behind an encrypted proxy": ("https", ways.http, service.drip),
    }

    def check(scheme: str, *talks: Callable[[Any], None]) -> None:
        with ScriptedServer(*talks) as plain, TlsRelay(ca, plain.port) as encrypted:
            port = encrypted.port if scheme == "https" else plain.port
            with changing:
                monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{port}")
                client = remote_client(any_client, deadline=0.5, timeout=30)
            began = time.monotonic()
            error = error_from(any_client, PUT.act, client)
            assert time.monotonic() - began < PATIENCE / 2
        assert isinstance(error, RequestTimeoutError), error
        assert error.kind == "deadline"
        assert error.outcome_unknown is error.request_sent

    changing = threading.Lock()
    # In a blocking call, each read of the head of a response has a timeout of its own.
    names = [name for name in slow if any_client.kind == "async" or "service's head" not in name]
    run_concurrently(partial(check, *slow[name]) for name in names)
    # Python warns of a socket that was left open.
    gc.collect()


def test_deadline_ends_a_slow_handshake(any_client: AnyClient) -> None:
    """A call ends at its deadline if the TLS handshake with the service never ends, and leaves no socket open."""
    with ScriptedServer(drip_in_the_handshake) as peer:
        client = any_client.client(base_url=f"https://127.0.0.1:{peer.port}/v3", deadline=0.5, timeout=30)
        began = time.monotonic()
        error = error_from(any_client, PUT.act, client)
        assert time.monotonic() - began < PATIENCE / 2
    assert isinstance(error, RequestTimeoutError)
    assert error.kind == "deadline"
    gc.collect()


def test_broken_tls(any_client: AnyClient, service: TlsService) -> None:
    """Invalid TLS in the middle of a connection is a broken connection, and the outcome of a change is unknown."""
    with ScriptedServer(service.break_off) as peer:
        client = any_client.client(base_url=f"https://127.0.0.1:{peer.port}/v3", max_retries=0)
        error = error_from(any_client, PUT.act, client)
        any_client.close(client)
    assert isinstance(error, TransportError), error
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("read", True, True)
    assert len(service.received) == 1


def test_untrusted_service_is_refused(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: TlsService
) -> None:
    """A service with an untrusted certificate is refused before anything is sent, through every kind of proxy."""
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    ways = ProxyProtocols()
    for scheme in ("http", "socks5"):
        with ScriptedServer(getattr(ways, scheme), service.respond) as proxy:
            monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{proxy.port}")
            error = error_from(any_client, PUT.act, remote_client(any_client))
        assert isinstance(error, TransportError)
        assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
        assert "CERTIFICATE_VERIFY_FAILED" in str(error)
    assert service.received == []


def test_calls_go_through_an_encrypted_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, ca: trustme.CA, service: TlsService
) -> None:
    """A proxy with an https address works as well."""
    ways = ProxyProtocols()
    with ScriptedServer(ways.http, service.respond) as plain, TlsRelay(ca, plain.port) as proxy:
        monkeypatch.setenv("https_proxy", f"https://127.0.0.1:{proxy.port}")
        client = remote_client(any_client)
        for _ in range(2):
            assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
    assert len(ways.asked) == 1
    assert len(service.received) == 2


def test_loopback_never_uses_a_proxy(any_client: AnyClient, simulator: Simulator, refusing_proxy: WireServer) -> None:
    """Loopback addresses never use a proxy."""
    port = simulator.base_url.rpartition(":")[2]
    for base_url in (simulator.base_url, f"http://localhost:{port}"):
        any_client.call(GET.act, any_client.client(base_url=base_url))
    assert len(simulator.requests) == 2
    assert refusing_proxy.received == []


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_proxy_of_the_caller(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: TlsService, refusing_proxy: WireServer, scheme: str
) -> None:
    """`proxy` takes the place of the variables of the environment, and gets the name and password of its address."""
    monkeypatch.setenv("no_proxy", "*")
    ways = ProxyProtocols()
    with ScriptedServer(getattr(ways, scheme), service.respond) as proxy:
        client = remote_client(any_client, proxy=f"{scheme}://us%40er:p%C3%A4ss@127.0.0.1:{proxy.port}")
        assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
    name, password = b"us@er", "päss".encode()
    credentials = b64encode(b"%b:%b" % (name, password))
    assert (b"\1%c%b%c%b" % (5, name, 5, password) if scheme == "socks5" else credentials) in ways.asked[0]
    assert refusing_proxy.received == []


def test_loopback_never_uses_the_proxy_of_the_caller(
    any_client: AnyClient, simulator: Simulator, refusing_proxy: WireServer
) -> None:
    """A client with `proxy` reaches loopback addresses directly."""
    any_client.call(GET.act, any_client.client(proxy=refusing_proxy.address))
    assert len(simulator.requests) == 1
    assert refusing_proxy.received == []


@pytest.mark.parametrize(
    "proxy",
    [
        *("", "127.0.0.1:9", "proxy.example", "gopher://proxy.example"),
        *("http://", "http://a.example:y", "http://a b", "http://[::1"),
        *("http://a.example:1,http://b.example:2", "http://a.example http://b.example"),
        *(5, b"http://a.example", ["http://a.example", "http://b.example"], {"https": "http://a.example"}),
    ],
    ids=str,
)
def test_invalid_proxy_of_the_caller_is_refused(any_client: AnyClient, proxy: Any) -> None:
    """`proxy` is the address of exactly one proxy; everything else is refused when the client is made."""
    for base_url in ("https://chat.example/v3", "http://127.0.0.1:1/v3"):
        with pytest.raises(ConfigurationError, match=r"^proxy (must|is not|names)") as caught:
            any_client.client(base_url=base_url, proxy=proxy)
        if isinstance(proxy, str):
            assert "such as http://proxy.example.com:3128" in str(caught.value)


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("http://me:opensesame@proxy.example.com:3128", "http://proxy.example.com:3128"),
        ("proxy.example.com:3128", "http://proxy.example.com:3128"),
        ("https://proxy.example.com", "https://proxy.example.com"),
        ("socks5://[::1]:1080", "socks5://[::1]:1080"),
        ("", None),
    ],
)
def test_client_shows_its_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, value: str, address: str | None
) -> None:
    """`proxy` of a client is the address of its proxy without the password; in the environment it needs no scheme."""
    monkeypatch.setenv("HTTPS_PROXY", value)
    assert remote_client(any_client).proxy == address
    assert any_client.client().proxy is None


#: Values of NO_PROXY, for a service at each of the two addresses.
NO_PROXY = [
    *("*", "a.example, *", "chat.invalid", ".chat.invalid", "invalid", "CHAT.Invalid", "abc.chat.invalid"),
    *("a.example,chat.invalid", "chat.invalid:8443", ".abc.chat.invalid", "hat.invalid", "bc.chat.invalid"),
    *("chat.invalid:80", "10.1.2.3/32", "10.1.2.3", "10.0.0.0/8", "localhost", "*.chat", "https://abc.chat.invalid"),
    *("http://abc.chat.invalid", "all://chat.invalid", "https://10.1.2.3:8443"),
]


@pytest.mark.parametrize("host", ["abc.chat.invalid", "10.1.2.3"])
@pytest.mark.parametrize("no_proxy", NO_PROXY)
def test_no_proxy_means_what_it_means_to_httpx(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, no_proxy: str, host: str
) -> None:
    """NO_PROXY excludes the hosts that it excludes for a client of httpx."""
    monkeypatch.setenv("https_proxy", "http://proxy.invalid")
    monkeypatch.setenv("no_proxy", no_proxy)
    in_place_of_the_proxy = httpx.MockTransport(lambda _: httpx.Response(204))
    direct = no_proxy == "*" or ("," in no_proxy and "*" in no_proxy)
    # Without any connection, a request that does not go to the proxy fails before a host is looked up.
    with httpx.Client(
        mounts={"https://": in_place_of_the_proxy}, limits=httpx.Limits(max_connections=0), timeout=0.01
    ) as plain:
        try:
            plain.get(f"https://{host}:8443/v3")
        except httpx.PoolTimeout:
            direct = True
    assert (any_client.client(base_url=f"https://{host}:8443/v3").proxy is None) is direct


def test_proxy_that_refuses(any_client: AnyClient, refusing_proxy: WireServer) -> None:
    """If a proxy refuses, the error names the service and the proxy. Nothing was sent, so the outcome is known."""
    error = error_from(any_client, PUT.act, remote_client(any_client))
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("proxy", False, False)
    assert f"{HOST} through the proxy 127.0.0.1" in str(error)
    (asked,) = refusing_proxy.received
    assert asked.startswith(f"CONNECT {HOST}:443 HTTP/1.1\r\n".encode())
    assert KEY.encode() not in asked


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_proxy_that_does_not_listen(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    """If the proxy does not listen, the error names the service and the proxy, and the outcome is known."""
    with ScriptedServer() as proxy:
        port = proxy.port
    monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{port}")
    error = error_from(any_client, PUT.act, remote_client(any_client))
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert f"{HOST} through the proxy 127.0.0.1" in str(error)


INVALID_SOCKS = {
    "nothing": b"",
    "another protocol": b"HTTP/1.1 200 OK\r\n\r\n",
    "an unknown method": b"\5\xfe",
    "a refusal": b"\5\xff",
    "half a reply": b"\5",
}


@pytest.mark.parametrize("reply", INVALID_SOCKS.values(), ids=INVALID_SOCKS)
@pytest.mark.parametrize("let_in", [False, True], ids=["at first", "after the greeting"])
def test_invalid_socks_reply(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, reply: bytes, *, let_in: bool
) -> None:
    """An invalid SOCKS reply is one of our errors. Nothing was sent, so the outcome is known."""

    def talk(connection: Any) -> None:
        connection.recv(3)
        if let_in:
            connection.sendall(b"\5\0")
            connection.recv(512)
        connection.sendall(reply)

    with ScriptedServer(talk) as proxy:
        monkeypatch.setenv("https_proxy", f"socks5://127.0.0.1:{proxy.port}")
        error = error_from(any_client, PUT.act, remote_client(any_client))
    assert isinstance(error, TransportError), error
    assert error.kind in ("connect", "proxy")
    assert (error.request_sent, error.outcome_unknown) == (False, False)


INVALID_PROXIES = [
    *("gopher://user:hunter2@x", "http://user:hunter2@x:y:z", "http://user:hunter2@x:y", "http://user:hunter2@", "://"),
    *("http://user:hunter2@[x", "http://user:hunter2@\u00e9", "http://user:hunter2@x:99999"),
    *(
        "http://user:hunter2@a..b",
        f"http://user:hunter2@{'a' * 64}",
        "http://user:hunter2@a b",
        "http://user:hunter2@[::x]",
    ),
    f"socks5://user:hunter2{'x' * 300}@127.0.0.1:1",
]


@pytest.mark.parametrize("address", INVALID_PROXIES)
def test_invalid_proxy_address_is_refused(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """An invalid proxy address is an error when the client is made, and the error does not show the password."""
    monkeypatch.setenv("https_proxy", address)
    with pytest.raises(ConfigurationError, match="HTTPS_PROXY or ALL_PROXY") as caught:
        remote_client(any_client)
    assert "hunter2" not in repr(caught.value)


def test_missing_socks_support_is_an_error(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """If SOCKS support is not installed, a SOCKS proxy is an error that says what to install."""
    monkeypatch.setenv("https_proxy", "socks5://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(ConfigurationError, match=r"httpx\[socks\]"):
        remote_client(any_client)


def test_custom_transport_ignores_the_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, refusing_proxy: WireServer
) -> None:
    """A transport of the caller sends everything itself, whatever proxy the environment names, valid or not."""
    stub = StubTransport(always_respond(200, GET.success))
    for proxy in (refusing_proxy.address, "://"):
        monkeypatch.setenv("https_proxy", proxy)
        client = remote_client(any_client, transport=stub)
        any_client.call(GET.act, client)
        any_client.call(GET.act, client.with_options(on_behalf_of="x"))
    assert [(request.url.host, request.url.scheme) for request in stub.requests] == [(HOST, "https")] * 4
    assert refusing_proxy.received == []


def test_proxy_with_a_too_long_host_is_refused(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy whose host has more than 253 characters is refused when the client is made."""
    monkeypatch.setenv("https_proxy", f"http://{'.'.join(['a' * 63] * 4)}:80")
    with pytest.raises(ConfigurationError, match="HTTPS_PROXY or ALL_PROXY"):
        remote_client(any_client)
