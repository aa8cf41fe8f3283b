"""Choosing the connections of a new client: its certificates, or a transport of the caller."""

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
import trustme
import truststore

from cometchat_rest import ConfigurationError, RequestTimeoutError, TransportError
from cometchat_rest.testing import Simulator

from ..support import GET, KEY, PUT, AnyClient, error_from, isolated_client, unused_transport
from .wire_support import Server, read_request, response_to


def test_unreadable_certificates_are_refused(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If SSL_CERT_FILE names an unreadable file, making a client is an error that names the variable."""
    (tmp_path / "none.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with (
        pytest.raises(ConfigurationError, match="SSL_CERT_FILE"),
        isolated_client(any_client, app_id="abc", api_key=KEY, transport=None),
    ):
        pass


def test_transport_of_the_other_kind_is_refused(any_client: AnyClient) -> None:
    """The blocking client refuses an awaited transport, and the awaited client refuses a blocking transport."""
    for library in (httpx, httpx2):
        transport = library.HTTPTransport() if any_client.kind == "async" else library.AsyncHTTPTransport()
        with pytest.raises(
            ConfigurationError, match=r"^transport must be an httpx\.(Async)?BaseTransport, not (Async)?HTTPTransport$"
        ):
            any_client.client(transport=transport)


def test_class_of_a_transport_is_refused(any_client: AnyClient) -> None:
    """A class of a transport in place of an object is an error that says what to do."""
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    with pytest.raises(ConfigurationError, match=r"not the class (Async)?HTTPTransport: add parentheses"):
        any_client.client(transport=kind)


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


def make_trusting(ca: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    ca.configure_trust(context)
    return context


def make_server_context(ca: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("127.0.0.1").configure_cert(context)
    return context


def tls_service(context: ssl.SSLContext) -> Server:
    """A service over TLS, which responds to every request."""

    def serve(connection: Any) -> None:
        with context.wrap_socket(connection, server_side=True) as tls:
            while request := read_request(tls):
                tls.sendall(response_to(request))

    return Server(serve)


def test_ssl_context_decides_which_service_is_trusted(any_client: AnyClient, ca: trustme.CA) -> None:
    """`ssl_context` names the trusted certificates of the client's own pool, which keeps its connections."""
    with tls_service(make_server_context(ca)) as server:
        settings = {"base_url": f"https://127.0.0.1:{server.port}/v3", "max_retries": 0}
        trusting = any_client.client(**settings, ssl_context=make_trusting(ca))
        for _ in range(3):
            assert any_client.call(GET.act, trusting).name == "Profanity"
        assert server.opened == 1
        error = error_from(any_client, PUT.act, any_client.client(**settings))
        any_client.close(trusting)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent) == ("connect", False)
    assert "CERTIFICATE_VERIFY_FAILED" in str(error)


def test_certificates_of_the_system(
    any_client: AnyClient, ca: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A context of truststore trusts the certificates of the system."""
    ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    # On Linux, OpenSSL reads the certificates of the system from here.
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    with tls_service(make_server_context(ca)) as server:
        client = any_client.client(base_url=f"https://127.0.0.1:{server.port}/v3", ssl_context=context)
        assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)


def test_client_certificate(any_client: AnyClient, ca: trustme.CA) -> None:
    """A client certificate in `ssl_context` is shown to a service that asks for one."""
    asking = make_server_context(ca)
    ca.configure_trust(asking)
    asking.verify_mode = ssl.CERT_REQUIRED
    known = make_trusting(ca)
    ca.issue_cert("client@chat.example").configure_cert(known)
    with tls_service(asking) as server:
        settings = {"base_url": f"https://127.0.0.1:{server.port}/v3", "max_retries": 0}
        client = any_client.client(**settings, ssl_context=known)
        assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
        unknown = error_from(any_client, GET.act, any_client.client(**settings, ssl_context=make_trusting(ca)))
    assert isinstance(unknown, TransportError)


def test_deadline_with_an_ssl_context(any_client: AnyClient, ca: trustme.CA) -> None:
    """With a context of the caller, a call ends at its deadline even if the handshake never ends."""

    def stall(connection: Any) -> None:
        while connection.recv(65536):
            pass

    with Server(stall) as server:
        settings = {"base_url": f"https://127.0.0.1:{server.port}/v3", "deadline": 0.2}
        error = error_from(any_client, PUT.act, any_client.client(**settings, ssl_context=make_trusting(ca)))
    assert isinstance(error, RequestTimeoutError)
    assert (error.kind, error.outcome_unknown) == ("deadline", False)


def test_client_asks_for_http_1(
    any_client: AnyClient, ca: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a context of the caller, the client offers HTTP/1.1, because some gateways refuse a client without it."""
    ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = make_server_context(ca)
    context.set_alpn_protocols(["h2", "http/1.1"])
    chosen: list[str | None] = []

    def serve(connection: Any) -> None:
        with context.wrap_socket(connection, server_side=True) as tls:
            chosen.append(tls.selected_alpn_protocol())
            tls.sendall(response_to(read_request(tls)))

    with Server(serve) as server:
        client = any_client.client(base_url=f"https://127.0.0.1:{server.port}/v3")
        assert any_client.call(GET.act, client).name == "Profanity"
        any_client.close(client)
    assert chosen == ["http/1.1"]


INVALID_CONTEXTS: dict[str, Callable[[], Any]] = {
    "the name of a file": lambda: "ca.pem",
    "true": lambda: True,
    "the class": lambda: ssl.SSLContext,
}


@pytest.mark.parametrize("make", INVALID_CONTEXTS.values(), ids=INVALID_CONTEXTS)
def test_invalid_ssl_context_is_refused(any_client: AnyClient, make: Callable[[], Any]) -> None:
    """An invalid `ssl_context` is refused when the client is made, for every address of the service."""
    for base_url in ("https://chat.example/v3", "http://127.0.0.1:1/v3"):
        with pytest.raises(ConfigurationError, match=r"^ssl_context must be an ssl\.SSLContext for clients"):
            any_client.client(base_url=base_url, ssl_context=make())


def test_plain_http_on_this_machine_needs_no_certificates(
    any_client: AnyClient, simulator: Simulator, ca: trustme.CA
) -> None:
    """A client of the simulator can have an `ssl_context`, as in production."""
    client = any_client.client(ssl_context=make_trusting(ca))
    assert any_client.call(GET.act, client)
    assert len(simulator.requests) == 1


@pytest.mark.parametrize("name", ["proxy", "ssl_context"])
def test_settings_of_the_pool_are_refused_beside_a_transport(any_client: AnyClient, ca: trustme.CA, name: str) -> None:
    """A transport has its own proxy and certificates, so `proxy` and `ssl_context` beside it are refused."""
    setting = {"proxy": "http://proxy.example", "ssl_context": make_trusting(ca)}[name]
    with pytest.raises(ConfigurationError, match=rf"^{name} and transport cannot be combined"):
        any_client.client(transport=unused_transport(), **{name: setting})
