"""The proxy and the trusted certificates: those of the caller, else those that the environment names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from cometchat_rest._call.settings import Proxy, Secret
from cometchat_rest._platform import SYSTEM
from cometchat_rest._support.frames import without_frames
from cometchat_rest.endpoint import is_host, is_loopback
from cometchat_rest.errors import ConfigurationError

if TYPE_CHECKING:
    import ssl

_SOCKS = frozenset({"socks5", "socks5h"})
_DEFAULT_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
_FORM = f"an address such as http://proxy.example.com:3128, with the scheme {', '.join(_DEFAULT_PORTS)}"
# SOCKS sends a length in one byte.
_LONGEST_IN_SOCKS = 255


@without_frames
def find_proxy(base_url: str, proxy: str | None = None) -> Proxy | None:
    """The proxy for this address: the one that the caller names, else the one that the environment names.

    The environment is read as httpx reads it. For a proxy of the caller, NO_PROXY does not count.

    Raises:
        ConfigurationError: the proxy is invalid. The text does not repeat its address, which may hold a password.
    """
    service = urlsplit(base_url)
    given = None if proxy is None else _given_address(proxy)
    # Requests to a loopback address may be unencrypted, so they must not leave this machine.
    if is_loopback(service.hostname or ""):
        return None
    if given is not None:
        return given
    proxies = SYSTEM.proxies()
    address = proxies.get(service.scheme) or proxies.get("all")
    if not address or _is_excluded(service, proxies.get("no", "")):
        return None
    return _proxy_address(address, "HTTPS_PROXY or ALL_PROXY")


def trusted_certificates() -> ssl.SSLContext:
    """The certificates to trust: those that the environment names, in httpx's order, else certifi's.

    Raises:
        ConfigurationError: the environment names certificates that cannot be read.
    """
    # Only for a service with TLS: together they take as long as all other modules of a client.
    import ssl  # noqa: PLC0415

    import certifi  # noqa: PLC0415

    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    try:
        if file or folder:
            context = ssl.create_default_context(cafile=file or None, capath=None if file else folder)
        else:
            context = ssl.create_default_context(cafile=certifi.where())
    except OSError as error:
        raise ConfigurationError(f"SSL_CERT_FILE or SSL_CERT_DIR: the certificates cannot be read ({error})") from None
    context.set_alpn_protocols(["http/1.1"])
    return context


def _is_excluded(service: SplitResult, no_proxy: str) -> bool:
    """Whether NO_PROXY, or a setting of the system, excludes the service from the proxy."""
    from urllib.request import proxy_bypass  # noqa: PLC0415 - slow to load

    if "*" in map(str.strip, no_proxy.split(",")):
        return True
    # An entry may name a port.
    return bool(proxy_bypass(service.hostname or "") or proxy_bypass(service.netloc))


def _given_address(proxy: str) -> Proxy:
    if not isinstance(proxy, str):
        raise ConfigurationError(f"proxy must be the address of one proxy, as a str, not {type(proxy).__name__}")
    if "://" not in proxy:
        raise ConfigurationError(f"proxy must be {_FORM}, or None for the proxy of the environment")
    return _proxy_address(proxy, "proxy")


def _proxy_address(address: str, setting: str) -> Proxy:
    try:
        # In the environment, a host and a port without a scheme are common.
        parts = urlsplit(address if "://" in address else f"http://{address}")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ConfigurationError(f"{setting} is not a valid URL; it must be {_FORM}") from None
    if parts.scheme not in _DEFAULT_PORTS or not is_host(host):
        raise ConfigurationError(f"{setting} must be {_FORM}")
    username, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme in _SOCKS:
        from importlib.util import find_spec  # noqa: PLC0415 - slow to load

        if find_spec("socksio") is None:
            raise ConfigurationError(f"{setting} names a SOCKS proxy: pip install 'httpx[socks]'")
        if max(len(username.encode()), len(password.encode())) > _LONGEST_IN_SOCKS:
            raise ConfigurationError(
                f"{setting}: the name and the password for a SOCKS proxy take up to {_LONGEST_IN_SOCKS} bytes each"
            )
    return Proxy(
        scheme=parts.scheme,
        host=host,
        port=port or _DEFAULT_PORTS[parts.scheme],
        username=Secret(username),
        password=Secret(password),
    )
