"""The way to the service: calls through a proxy, which never sees the key, and the certificates
that are trusted."""

import ssl
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme

from cometchat_rest import ConfigurationError, TransportError
from cometchat_runtime.route import find_proxy
from cometchat_runtime.secrets import Secret
from cometchat_testing import Simulator

from ..servers import WireServer
from ..support import (
    GET,
    KEY,
    LIST_ID,
    PUT,
    AnyClient,
    StubTransport,
    always_respond,
    error_from,
    isolated_client,
    unused_transport,
)
from .wire_support import Proxy, Service

HOST = "abc.api-eu.cometchat.io"


@pytest.fixture(scope="module")
def ca() -> trustme.CA:
    return trustme.CA()


def server_context(ca: trustme.CA) -> ssl.SSLContext:
    """The TLS of a server on this machine, or of the service."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert(HOST, "127.0.0.1").configure_cert(context)
    return context


def trusting(ca: trustme.CA) -> ssl.SSLContext:
    """The TLS of a client that trusts such a server."""
    context = ssl.create_default_context()
    ca.configure_trust(context)
    return context


@pytest.fixture
def trusted(ca: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make the environment name the certificate."""
    ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))


@pytest.fixture(autouse=True)
def no_proxy_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


# Proxies.


@pytest.fixture
def service(ca: trustme.CA) -> Iterator[Service]:
    """The service behind the proxy, over TLS."""
    with Service(context=server_context(ca)) as service:
        yield service


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    with Proxy(service) as proxy:
        yield proxy


@pytest.fixture
def unused_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """A proxy that all variables name, and that refuses every request."""
    with WireServer(lambda _: [b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n"]) as server:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, server.address)
            monkeypatch.setenv(name.lower(), server.address)
        yield server


def remote_client(any_client: AnyClient, **settings: Any) -> Any:
    """A client for a service on another machine."""
    return any_client.client(
        **{"app_id": "abc", "region": "eu", "api_key": KEY, "max_retries": 0, **settings}
    )


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("scheme", ["", "http://", "socks5://", "socks5h://"])
@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_calls_go_through_the_proxy(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    service: Service,
    proxy: Proxy,
    scheme: str,
    variable: str,
) -> None:
    """Calls go through the proxy to the service over TLS, several times on the same connection."""
    monkeypatch.setenv(variable, f"{scheme}127.0.0.1:{proxy.port}")
    client = remote_client(any_client)
    assert any_client.call(GET.act, client).id == LIST_ID
    assert any_client.call(GET.act, client).id == LIST_ID
    assert len(service.received) == 2
    (asked,) = proxy.asked
    assert HOST.encode() in asked
    assert KEY.encode() not in asked


@pytest.mark.usefixtures("trusted")
def test_calls_go_through_an_encrypted_proxy(
    any_client: AnyClient, service: Service, ca: trustme.CA
) -> None:
    """A proxy with an https address works as well."""
    with Proxy(service, server_context(ca)) as proxy:
        client = remote_client(any_client, proxy=f"https://127.0.0.1:{proxy.port}")
        assert any_client.call(GET.act, client).id == LIST_ID
        any_client.close(client)
    assert len(proxy.asked) == 1


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("given", [True, False], ids=["argument", "environment"])
@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_proxy_with_a_password(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    service: Service,
    proxy: Proxy,
    scheme: str,
    *,
    given: bool,
) -> None:
    """The proxy gets the percent-decoded name and password of its address. The service never
    gets them."""
    address = f"{scheme}://us%40er:p%C3%A4ss%3A@127.0.0.1:{proxy.port}"
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1" if given else address)
    any_client.call(GET.act, remote_client(any_client, proxy=address if given else None))
    name, password = b"us@er", "päss:".encode()
    credentials = b"Proxy-Authorization: Basic " + b64encode(b"%b:%b" % (name, password))
    if scheme == "socks5":
        credentials = b"\1%c%b%c%b" % (len(name), name, len(password), password)
    assert credentials in proxy.asked[0]
    (request,) = service.received
    assert b"proxy" not in request.lower()


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_untrusted_service_behind_a_proxy(
    any_client: AnyClient, service: Service, proxy: Proxy, scheme: str
) -> None:
    """A service with an untrusted certificate is refused before anything is sent."""
    client = remote_client(any_client, proxy=f"{scheme}://127.0.0.1:{proxy.port}")
    error = error_from(any_client, PUT.act, client)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert "CERTIFICATE_VERIFY_FAILED" in str(error)
    assert "set SSL_CERT_FILE" in str(error)
    assert service.received == []


@pytest.mark.usefixtures("trusted")
def test_advice_about_certificates_only_for_an_unknown_authority(
    any_client: AnyClient, ca: trustme.CA
) -> None:
    """If the certificate has expired, or is that of another host, no other authority would help,
    and the error does not advise one."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    expired, other = (
        ca.issue_cert("127.0.0.1", not_after=yesterday),
        ca.issue_cert("127.0.0.2"),
    )
    for certificate, reason in ((expired, "has expired"), (other, "IP address mismatch")):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        with Service(context=context) as service:
            base_url = f"https://127.0.0.1:{service.port}/v3"
            client = any_client.client(base_url=base_url, max_retries=0)
            error = error_from(any_client, GET.act, client)
        assert reason in str(error)
        assert "SSL_CERT_FILE" not in str(error)


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_proxy_that_does_not_listen(any_client: AnyClient, scheme: str) -> None:
    """If the proxy does not listen, the error names the service and the proxy, and the outcome
    is known."""
    client = remote_client(any_client, proxy=f"{scheme}://user:hunter2@127.0.0.1:1")
    error = error_from(any_client, PUT.act, client)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
    assert f"{HOST} through the proxy 127.0.0.1:1 (Connection refused" in str(error)
    assert "hunter2" not in repr(error)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://user:hun#ter2@proxy.example:3128", "must be an address"),
        ("http://user:hun/ter2@proxy.example:3128", "must be an address"),
        ("http://user:hun?ter2@proxy.example:3128", "must be an address"),
        # httpx takes the host from before the mark.
        ("http://user:3128#hunter2@proxy.example:3128", "must be an address"),
        ("http://user:p@hun#1@proxy.example:3128", "must be an address"),
        ("http://user:8080/cd@proxy.example:3128", "must be an address"),
        ("http://proxy.example:3128/path", "must be an address"),
        ("http://proxy.example:3128//", "must be an address"),
        ("http://proxy.example:3128?", "must be an address"),
        ("  ", "must be an address"),
        ("http://user:hun ter2@proxy.example:3128", "must not contain white space"),
        ('"http://user:hunter2@proxy.example:3128"', "must not have quotation marks"),
    ],
)
@pytest.mark.parametrize("given", [True, False], ids=["argument", "environment"])
def test_address_of_another_host_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str, reason: str, *, given: bool
) -> None:
    """A proxy whose host would be a part of the password is refused, and so is one with a path or
    without anything. The error shows no part of the password."""
    if not given:
        monkeypatch.setenv("https_proxy", address)
    with pytest.raises(ConfigurationError, match=reason) as caught:
        find_proxy(f"https://{HOST}/v3", Secret(address) if given else None)
    assert caught.value.argument == ("proxy" if given else "HTTPS_PROXY or ALL_PROXY")
    assert not any(part in repr(caught.value) for part in ("hun", "ter2", "cd@"))
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "address",
    [" http://proxy.example:3128\n", "http://proxy.example:3128/", "HTTP://a:b@c@[::1]:1"],
)
def test_address_of_a_proxy(address: str) -> None:
    """White space around the address of a proxy, and one slash at its end, do no harm."""
    proxy = find_proxy(f"https://{HOST}/v3", Secret(address))
    assert proxy is not None
    assert (proxy.url.host, proxy.url.port) in (("proxy.example", 3128), ("::1", 1))


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        (" proxy.example:3128\n", None),
        ("\ufeffproxy.example:3128", "byte order mark"),
        ("Bearer proxy.example:3128", "'Bearer'"),
    ],
)
def test_proxy_of_the_environment_without_a_scheme(
    monkeypatch: pytest.MonkeyPatch, address: str, fault: str | None
) -> None:
    """The variables may name a proxy without `http://`; it is trimmed and checked as others."""
    monkeypatch.setenv("https_proxy", address)
    if fault is not None:
        with pytest.raises(ConfigurationError, match=fault):
            find_proxy(f"https://{HOST}/v3", None)
        return
    proxy = find_proxy(f"https://{HOST}/v3", None)
    assert proxy is not None
    assert (proxy.url.host, proxy.url.port) == ("proxy.example", 3128)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("given", [True, False], ids=["argument", "environment"])
def test_loopback_never_uses_a_proxy(
    any_client: AnyClient, simulator: Simulator, unused_proxy: WireServer, host: str, *, given: bool
) -> None:
    """Loopback addresses never use a proxy, given or from the environment."""
    base_url = simulator.base_url.replace("127.0.0.1", host)
    any_client.call(
        GET.act, any_client.client(base_url=base_url, proxy=unused_proxy.address if given else None)
    )
    assert len(simulator.requests) == 1
    assert unused_proxy.received == []


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize("base_url", ["http://127.0.0.1:1/v3", "https://localhost/v3"])
def test_invalid_proxy_that_no_call_would_use(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, base_url: str, variable: str
) -> None:
    """A loopback address never uses a proxy, so an invalid one in the environment does no harm."""
    monkeypatch.setenv(variable, "http://user:hun#ter2@proxy.example:3128")
    assert any_client.client(base_url=base_url).base_url == base_url


@pytest.mark.parametrize(
    ("no_proxy", "direct"),
    [
        *(
            (value, True)
            for value in (
                "*",
                "invalid",
                ".chat.invalid",
                "CHAT.Invalid",
                "a.example, chat.invalid",
            )
        ),
        *(
            (value, False)
            for value in ("", "hat.invalid", "example", "10.0.0.0/8", "xabc.chat.invalid")
        ),
    ],
)
def test_no_proxy_names_hosts_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch, no_proxy: str, *, direct: bool
) -> None:
    """NO_PROXY excludes the hosts that Python's urllib excludes for this value."""
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", no_proxy)
    assert (find_proxy("https://abc.chat.invalid/v3", None) is None) is direct


def test_missing_socks_support_is_an_error(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If SOCKS support is not installed, a SOCKS proxy is an error that says what to install."""
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(ConfigurationError, match=r"httpx\[socks\]"):
        remote_client(any_client, proxy="socks5://127.0.0.1:1")


@pytest.mark.parametrize("variable", ["http://127.0.0.1:1", "://"])
def test_custom_transport_ignores_the_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """A custom transport sends everything itself, whatever proxy the environment names, valid or
    not."""
    monkeypatch.setenv("https_proxy", variable)
    stub = StubTransport(always_respond(200, GET.success))
    any_client.call(GET.act, remote_client(any_client, transport=stub))
    assert [(request.url.host, request.url.scheme) for request in stub.requests] == [
        (HOST, "https")
    ]


@pytest.mark.parametrize("name", ["proxy", "ssl_context"])
def test_settings_of_the_route_are_refused_beside_a_transport(
    any_client: AnyClient, ca: trustme.CA, name: str
) -> None:
    """A transport has its own proxy and certificates, so `proxy` and `ssl_context` beside it are
    refused."""
    setting = {"proxy": "http://proxy.example", "ssl_context": trusting(ca)}[name]
    with pytest.raises(ConfigurationError, match=rf"^{name} and transport cannot be combined"):
        any_client.client(transport=unused_transport(), **{name: setting})


# Certificates.


def test_unreadable_certificates_are_refused(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If SSL_CERT_FILE names an unreadable file, making a client is an error that names the
    variable."""
    (tmp_path / "none.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with (
        pytest.raises(ConfigurationError, match="SSL_CERT_FILE"),
        isolated_client(any_client, app_id="abc", api_key=KEY, transport=None),
    ):
        pass


def from_truststore(_: trustme.CA) -> ssl.SSLContext:
    """The certificates of the system. On Linux, OpenSSL reads them from SSL_CERT_FILE."""
    context: ssl.SSLContext = pytest.importorskip("truststore").SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return context


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("make_context", [None, trusting, from_truststore])
def test_trusted_certificates(
    any_client: AnyClient,
    service: Service,
    ca: trustme.CA,
    make_context: Callable[[trustme.CA], ssl.SSLContext] | None,
) -> None:
    """SSL_CERT_FILE or `ssl_context` names the trusted certificates of the client's connections,
    which are kept."""
    context = None if make_context is None else make_context(ca)
    client = any_client.client(base_url=f"https://127.0.0.1:{service.port}/v3", ssl_context=context)
    assert any_client.call(GET.act, client).id == LIST_ID
    assert any_client.call(GET.act, client).id == LIST_ID
    assert service.opened == 1


def test_client_certificate(any_client: AnyClient, ca: trustme.CA) -> None:
    """A client certificate in `ssl_context` is shown to a service that asks for one."""
    asking, known = server_context(ca), trusting(ca)
    ca.configure_trust(asking)
    asking.verify_mode = ssl.CERT_REQUIRED
    ca.issue_cert("client@chat.example").configure_cert(known)
    with Service(context=asking) as server:
        settings = {"base_url": f"https://127.0.0.1:{server.port}/v3", "max_retries": 0}
        assert (
            any_client.call(GET.act, any_client.client(**settings, ssl_context=known)).id == LIST_ID
        )
        error = error_from(
            any_client, GET.act, any_client.client(**settings, ssl_context=trusting(ca))
        )
        assert isinstance(error, TransportError)
