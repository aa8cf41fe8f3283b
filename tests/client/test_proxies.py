"""Calls by way of a proxy that the environment names: they arrive, they end, and no proxy learns more than it must."""

from __future__ import annotations

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
from typing import TYPE_CHECKING, Any

import pytest
import trustme

from cometchat_rest import ConfigurationError, RequestTimeoutError, TransportError
from cometchat_rest.testing import Simulator

from .support import GET, PUT, ScriptedServer, Stub, WireServer, always, raised, read_request, run_concurrently

if TYPE_CHECKING:
    from conftest import AnyClient

HOST = "abc.api-eu.cometchat.io"
KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
# What no call with a deadline of half a second may take, however busy the machine.
GENEROUS = 20.0


class Service:
    """The service at the end of a tunnel, over TLS: it answers whatever it is asked."""

    def __init__(self, ca: trustme.CA) -> None:
        self.received: list[bytes] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert(HOST, "127.0.0.1").configure_cert(self._context)

    def answer(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            while request := read_request(tls):
                self.received.append(request)
                tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))

    def answer_twice(self, connection: Any) -> None:
        """Answers, and answers nobody in the same breath, in a record of its own."""
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
            for name in (b"answer-%d" % len(self.received), b"nobody's"):
                body = b'{"data":{"name":"%b"}}' % name
                tls.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            connection.sendall(outgoing.read())

    def break_off(self, connection: Any) -> None:
        """Reads a request, and goes on in something other than TLS."""
        with self._context.wrap_socket(connection, server_side=True) as tls:
            self.received.append(read_request(tls))
            os.write(tls.fileno(), b"HTTP/1.1 500 No\r\n\r\n")
            tls.recv(1)

    def drip(self, connection: Any) -> None:
        with self._context.wrap_socket(connection, server_side=True) as tls:
            read_request(tls)
            drip(b"HTTP/1.1 200 OK\r\nX: ", tls)


def drip(first: bytes, connection: Any) -> None:
    """Begins, and goes on for ever; or, should nobody ever give up, long enough for the test to tell."""
    connection.sendall(first)
    end = time.monotonic() + GENEROUS
    while time.monotonic() < end:
        connection.sendall(b"y")
        time.sleep(0.05)


class Encrypted(ScriptedServer):
    """Lets TLS in, and hands what is in it on to another port of this machine."""

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
            back.join(GENEROUS)

    @staticmethod
    def _pump(source: Any, target: Any) -> None:
        try:
            while piece := source.recv(65536):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one of the two has had enough
            pass


class Ways:
    """Through an HTTP proxy, and through SOCKS; what they were asked for is noted."""

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
def service(ca: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Service:
    """The service, which the clients of the test trust."""
    certificate = tmp_path / "ca.pem"
    ca.cert_pem.write_to_path(str(certificate))
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return Service(ca)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """A proxy that everything is told to use, which notes what it is asked for and refuses it."""
    with WireServer(lambda _: [b"HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]) as server:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, server.address)
            monkeypatch.setenv(name.lower(), server.address)
        yield server


@pytest.fixture(autouse=True)
def no_proxies_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def elsewhere(any_client: AnyClient, **settings: Any) -> Any:
    """A client for a service that is not on this machine."""
    return any_client.client(**{"app_id": "abc", "region": "eu", "api_key": KEY, "max_retries": 0, **settings})


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_a_call_through_a_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: Service, scheme: str, variable: str
) -> None:
    """Calls go through the proxy to the service over TLS, again and again on the same connection."""
    ways = Ways()
    with ScriptedServer(getattr(ways, scheme.removesuffix("h")), service.answer) as proxy:
        monkeypatch.setenv(variable, f"{scheme}://127.0.0.1:{proxy.port}")
        client = elsewhere(any_client)
        for _ in range(3):
            assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
    assert [request.split(b" ")[:2] for request in service.received] == [[b"GET", f"/v3{GET.path}".encode()]] * 3
    (asked,) = ways.asked
    assert HOST.encode() in asked
    assert KEY.encode() not in asked


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_wants_a_password(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: Service, scheme: str
) -> None:
    """Name and password in the proxy's address, percent-encoded, are for the proxy; the service never sees them."""
    ways = Ways()
    with ScriptedServer(getattr(ways, scheme), service.answer) as proxy:
        monkeypatch.setenv("https_proxy", f"{scheme}://us%40er:p%C3%A4ss%3A@127.0.0.1:{proxy.port}")
        any_client.call(GET.act, elsewhere(any_client))
    name, password = b"us@er", "päss:".encode()
    told = b"Proxy-Authorization: Basic " + b64encode(b"%b:%b" % (name, password))
    if scheme == "socks5":
        told = b"\1%c%b%c%b" % (len(name), name, len(password), password)
    assert told in ways.asked[0]
    (request,) = service.received
    assert b"proxy" not in request.lower()


def stall(connection: Any) -> None:
    """Listens, and says nothing."""
    while connection.recv(512):
        pass


def in_a_head(connection: Any) -> None:
    read_request(connection)
    drip(b"HTTP/1.1 200 Connection established\r\nX: ", connection)


def in_socks(connection: Any) -> None:
    connection.recv(3)
    stall(connection)


def in_a_handshake(connection: Any) -> None:
    connection.recv(512)
    # The head of a TLS record that is never whole.
    drip(b"\x16\3\3\x3f\xff\2\0\x3f\xfb", connection)


def test_the_deadline_behind_a_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, ca: trustme.CA, service: Service
) -> None:
    """A call ends when its deadline does, wherever on the way through a proxy an answer goes on for ever."""
    ways = Ways()
    slow: dict[str, tuple[Any, ...]] = {
        "the proxy's head": ("http", in_a_head),
        "the proxy's silence": ("http", stall),
        "the handshake": ("http", ways.http, in_a_handshake),
        "the service's head": ("http", ways.http, service.drip),
        "SOCKS": ("socks5", in_socks),
        "the service's head behind SOCKS": ("socks5", ways.socks5, service.drip),
        "the handshake within another": ("https", ways.http, in_a_handshake),
        "the service's head behind an encrypted proxy": ("https", ways.http, service.drip),
    }

    def check(scheme: str, *talks: Callable[[Any], None]) -> None:
        with ScriptedServer(*talks) as plain, Encrypted(ca, plain.port) as encrypted:
            port = encrypted.port if scheme == "https" else plain.port
            with changing:
                monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{port}")
                client = elsewhere(any_client, deadline=0.5, timeout=30)
            began = time.monotonic()
            error = raised(any_client, PUT.act, client)
            assert time.monotonic() - began < GENEROUS / 2
        assert isinstance(error, RequestTimeoutError), error
        assert error.kind == "deadline"
        assert error.outcome_unknown is error.request_sent

    changing = threading.Lock()
    run_concurrently(partial(check, *each) for each in slow.values())
    # A socket that was left open would now be complained of.
    gc.collect()


def test_the_deadline_of_a_handshake(any_client: AnyClient) -> None:
    """A call ends when its deadline does, and leaves no socket open, where TLS with the service itself never begins."""
    with ScriptedServer(in_a_handshake) as peer:
        client = any_client.client(base_url=f"https://127.0.0.1:{peer.port}/v3", deadline=0.5, timeout=30)
        began = time.monotonic()
        error = raised(any_client, PUT.act, client)
        assert time.monotonic() - began < GENEROUS / 2
    assert isinstance(error, RequestTimeoutError)
    assert error.kind == "deadline"
    gc.collect()


def test_what_follows_an_answer_over_tls_is_no_answer(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, ca: trustme.CA, service: Service
) -> None:
    """What a service sends after an answer is not taken for the next one, behind however many layers of TLS."""
    with ScriptedServer(service.answer_twice) as direct:
        client = any_client.client(base_url=f"https://127.0.0.1:{direct.port}/v3", max_retries=0, deadline=10)
        found = [any_client.call(GET.act, client).name for _ in range(3)]
        any_client.close(client)
    with ScriptedServer(Ways().http, service.answer_twice) as plain, Encrypted(ca, plain.port) as proxy:
        monkeypatch.setenv("https_proxy", f"https://127.0.0.1:{proxy.port}")
        client = elsewhere(any_client, deadline=10)
        found += [any_client.call(GET.act, client).name for _ in range(3)]
        any_client.close(client)
    assert found == [f"answer-{number}" for number in range(1, 7)]


def test_tls_that_breaks_off(any_client: AnyClient, service: Service) -> None:
    """What is no TLS in the midst of TLS is a broken connection, and leaves a change in doubt."""
    with ScriptedServer(service.break_off) as peer:
        client = any_client.client(base_url=f"https://127.0.0.1:{peer.port}/v3", max_retries=0)
        error = raised(any_client, PUT.act, client)
        any_client.close(client)
    assert isinstance(error, TransportError), error
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("read", True, True)
    assert len(service.received) == 1


def test_a_service_that_is_not_trusted(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    """A service with a certificate of nobody's is refused before it is told anything, by way of every kind of proxy."""
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    ways = Ways()
    for scheme in ("http", "socks5"):
        with ScriptedServer(getattr(ways, scheme), service.answer) as proxy:
            monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{proxy.port}")
            error = raised(any_client, PUT.act, elsewhere(any_client))
        assert isinstance(error, TransportError)
        assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
        assert "CERTIFICATE_VERIFY_FAILED" in str(error)
    assert service.received == []


def test_a_call_through_an_encrypted_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, ca: trustme.CA, service: Service
) -> None:
    """A proxy that is itself spoken to over TLS does as well."""
    ways = Ways()
    with ScriptedServer(ways.http, service.answer) as plain, Encrypted(ca, plain.port) as proxy:
        monkeypatch.setenv("https_proxy", f"https://127.0.0.1:{proxy.port}")
        client = elsewhere(any_client)
        for _ in range(2):
            assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
    assert len(ways.asked) == 1
    assert len(service.received) == 2


def test_no_proxy_to_this_machine(any_client: AnyClient, simulator: Simulator, refusing: WireServer) -> None:
    """What goes to this machine goes there directly, whatever proxy the environment names."""
    port = simulator.base_url.rpartition(":")[2]
    for base_url in (simulator.base_url, f"http://localhost:{port}"):
        any_client.call(GET.act, any_client.client(base_url=base_url))
    assert len(simulator.requests) == 2
    assert refusing.received == []


@pytest.mark.parametrize(
    ("no_proxy", "around"),
    [
        *((name, True) for name in ("*", "a.example, *", "chat.invalid", ".chat.invalid", "invalid", "CHAT.Invalid")),
        *((name, True) for name in ("abc.chat.invalid", "a.example,chat.invalid", "chat.invalid:8443")),
        *((name, False) for name in ("", "hat.invalid", "bc.chat.invalid", "x.abc.chat.invalid", "a.example")),
        *((name, False) for name in ("chat.invalid:80", "10.0.0.0/8", "localhost", "*.chat")),
    ],
)
def test_hosts_without_a_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, refusing: WireServer, no_proxy: str, *, around: bool
) -> None:
    """What NO_PROXY names, by its domain, with a port or without, or all of it, is reached directly."""
    monkeypatch.setenv("no_proxy", no_proxy)
    error = raised(any_client, GET.act, any_client.client(base_url="https://abc.chat.invalid:8443/v3", max_retries=0))
    assert isinstance(error, TransportError)
    assert error.kind == ("connect" if around else "proxy")
    assert len(refusing.received) == (not around)


def test_a_proxy_that_refuses(any_client: AnyClient, refusing: WireServer) -> None:
    """A proxy that refuses is an error that names the service and the proxy; with nothing sent, nothing is in doubt."""
    error = raised(any_client, PUT.act, elsewhere(any_client))
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("proxy", False, False)
    assert f"{HOST} by way of 127.0.0.1" in str(error)
    (asked,) = refusing.received
    assert asked.startswith(f"CONNECT {HOST}:443 HTTP/1.1\r\n".encode())
    assert KEY.encode() not in asked


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_that_is_not_there(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    """Where no proxy listens, the error names the service and the proxy, and nothing is in doubt."""
    with ScriptedServer() as proxy:
        port = proxy.port
    monkeypatch.setenv("https_proxy", f"{scheme}://127.0.0.1:{port}")
    error = raised(any_client, PUT.act, elsewhere(any_client))
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert f"{HOST} by way of 127.0.0.1" in str(error)


NO_SOCKS = {
    "nothing": b"",
    "another protocol": b"HTTP/1.1 200 OK\r\n\r\n",
    "no such method": b"\5\xfe",
    "a refusal": b"\5\xff",
    "half a reply": b"\5",
}


@pytest.mark.parametrize("reply", NO_SOCKS.values(), ids=NO_SOCKS)
@pytest.mark.parametrize("let_in", [False, True], ids=["at first", "when asked for the service"])
def test_a_proxy_that_does_not_speak_socks(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, reply: bytes, *, let_in: bool
) -> None:
    """Whatever stands where SOCKS should is an error of the tree; nothing was sent, so nothing is in doubt."""

    def talk(connection: Any) -> None:
        connection.recv(3)
        if let_in:
            connection.sendall(b"\5\0")
            connection.recv(512)
        connection.sendall(reply)

    with ScriptedServer(talk) as proxy:
        monkeypatch.setenv("https_proxy", f"socks5://127.0.0.1:{proxy.port}")
        error = raised(any_client, PUT.act, elsewhere(any_client))
    assert isinstance(error, TransportError), error
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("proxy", False, False)


UNUSABLE = [
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


@pytest.mark.parametrize("address", UNUSABLE)
def test_a_proxy_that_is_none(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """A proxy that cannot be used is an error at construction, which does not show its password."""
    monkeypatch.setenv("https_proxy", address)
    with pytest.raises(ConfigurationError, match="proxy") as caught:
        elsewhere(any_client)
    assert "hunter2" not in repr(caught.value)


def test_socks_that_is_not_installed(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SOCKS is not installed, a proxy that speaks it is an error at construction that says what to install."""
    monkeypatch.setenv("https_proxy", "socks5://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(ConfigurationError, match=r"httpcore\[socks\]"):
        elsewhere(any_client)


def test_a_transport_of_the_callers_own(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, refusing: WireServer
) -> None:
    """A transport that the caller gives is what sends everything, whatever proxy the environment names, or misnames."""
    stub = Stub(always(200, GET.success))
    for proxy in (refusing.address, "://"):
        monkeypatch.setenv("https_proxy", proxy)
        client = elsewhere(any_client, transport=stub)
        any_client.call(GET.act, client)
        any_client.call(GET.act, client.with_options(on_behalf_of="x"))
    assert [(request.url.host, request.url.scheme) for request in stub.requests] == [(HOST, "https")] * 4
    assert refusing.received == []
