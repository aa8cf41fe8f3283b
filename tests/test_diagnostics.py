"""The proxy and the certificates that a client would use, found without a client."""

from __future__ import annotations

import ssl

import pytest

from cometchat_rest import ConfigurationError, diagnostics

SERVICE = "https://abc.api-us.cometchat.io/v3"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("http://me:opensesame@proxy.example.com:3128", "proxy.example.com:3128"),
        ("proxy.example.com", "proxy.example.com:80"),
        ("https://proxy.example.com", "proxy.example.com:443"),
        ("http://[::1]:8080", "[::1]:8080"),
    ],
)
def test_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch, value: str, address: str) -> None:
    """The address of the proxy has host and port, and neither user name nor password."""
    monkeypatch.setenv("HTTPS_PROXY", value)
    proxy = diagnostics.find_proxy(SERVICE)
    assert proxy is not None
    assert str(proxy) == address
    assert "opensesame" not in repr(proxy)


def test_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a proxy in the environment, for an excluded host and for this machine, connections are direct."""
    assert diagnostics.find_proxy(SERVICE) is None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.com")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.com")
    assert diagnostics.find_proxy("http://127.0.0.1:8080/v3") is None
    monkeypatch.setenv("NO_PROXY", "abc.api-us.cometchat.io")
    assert diagnostics.find_proxy(SERVICE) is None


def test_invalid_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """An invalid proxy is an error that does not show the password."""
    monkeypatch.setenv("HTTPS_PROXY", "ftp://me:opensesame@proxy.example.com")
    with pytest.raises(ConfigurationError) as raised:
        diagnostics.find_proxy(SERVICE)
    assert "opensesame" not in str(raised.value)


def test_trusted_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections verify certificates, and a file that cannot be read is an error."""
    context = diagnostics.trusted_certificates()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    monkeypatch.setenv("SSL_CERT_FILE", "no/such/file.pem")
    with pytest.raises(ConfigurationError):
        diagnostics.trusted_certificates()
