"""Which connections a client uses: the caller's own transport, or a pool, which may go by way of a proxy.

httpx is loaded for the first only: that takes longer than everything else up to a first answer.
"""

from __future__ import annotations

import os
import ssl
import sys
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

import certifi
import httpcore

from cometchat_rest._call.settings import Proxy, Secret, Settings
from cometchat_rest.endpoint import is_host, is_loopback
from cometchat_rest.errors import ConfigurationError

from .pool import AsyncPool, Pool

if TYPE_CHECKING:
    import httpx

    from .httpx_transport import AsyncForeign, Foreign

_SOCKS = frozenset({"socks5", "socks5h"})
_PROXIES = frozenset({"http", "https"}) | _SOCKS
# A length is one byte in SOCKS.
_LONGEST_IN_SOCKS = 255


def connect(settings: Settings, transport: httpx.BaseTransport | None) -> Pool | Foreign:
    """Connections for blocking calls.

    Raises:
        ConfigurationError: the transport is none, or the environment names certificates that cannot be read.
    """
    if transport is None:
        return Pool(*_route(settings))
    from .httpx_transport import Foreign  # noqa: PLC0415

    _check(transport, "handle_request", "close", "httpx.BaseTransport")
    return Foreign(transport)


def connect_async(settings: Settings, transport: httpx.AsyncBaseTransport | None) -> AsyncPool | AsyncForeign:
    """Connections for awaited calls; raises what `connect` does."""
    if transport is None:
        return AsyncPool(*_route(settings))
    from .httpx_transport import AsyncForeign  # noqa: PLC0415

    _check(transport, "handle_async_request", "aclose", "httpx.AsyncBaseTransport")
    return AsyncForeign(transport)


def environment_proxy(base_url: str) -> Proxy | ConfigurationError | None:
    """The proxy that the environment names for this address, as httpx finds it.

    What is wrong with it is returned, not raised, and does not repeat it: its address may hold a password.
    """
    parts = urlsplit(base_url)
    # What goes to this very machine may go unencrypted, so it must not go by another one.
    if is_loopback(parts.hostname or ""):
        return None
    # Only these two systems have a place for proxies beside the environment.
    if sys.platform not in ("darwin", "win32") and not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    from urllib.request import getproxies  # noqa: PLC0415 - slow to load

    proxies = getproxies()
    address = proxies.get(parts.scheme) or proxies.get("all")
    if not address or _goes_around(parts, proxies.get("no", "")):
        return None
    return _proxy(address if "://" in address else f"http://{address}")


def _goes_around(service: SplitResult, no_proxy: str) -> bool:
    """Whether the service is one of those that are reached without a proxy."""
    from urllib.request import proxy_bypass  # noqa: PLC0415 - slow to load

    if "*" in map(str.strip, no_proxy.split(",")):
        return True
    # An entry may name a port, or none.
    return bool(proxy_bypass(service.hostname or "") or proxy_bypass(service.netloc))


def _proxy(address: str) -> Proxy | ConfigurationError:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ConfigurationError("the proxy that the environment names is no address")
    if parts.scheme not in _PROXIES or not is_host(host):
        known = ", ".join(f"{scheme}://" for scheme in sorted(_PROXIES))
        return ConfigurationError(f"the proxy that the environment names must begin with {known}")
    username, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme in _SOCKS:
        from importlib.util import find_spec  # noqa: PLC0415 - slow to load

        if find_spec("socksio") is None:
            return ConfigurationError("the environment names a SOCKS proxy, which takes pip install 'httpcore[socks]'")
        if max(len(username.encode()), len(password.encode())) > _LONGEST_IN_SOCKS:
            return ConfigurationError("the environment names a SOCKS proxy with a name or password too long for SOCKS")
    url = httpcore.URL(scheme=parts.scheme, host=host, port=port, target="/")
    return Proxy(url, Secret(username), Secret(password))


def _check(transport: object, send: str, close: str, kind: str) -> None:
    if not (callable(getattr(transport, send, None)) and callable(getattr(transport, close, None))):
        raise ConfigurationError(f"transport: an {kind} is needed, not {type(transport).__name__}")


def _route(settings: Settings) -> tuple[httpcore.Origin, ssl.SSLContext | None, httpcore.Proxy | None]:
    """To where, trusting whom, and by way of what."""
    address, proxy = settings.address, settings.proxy
    origin = httpcore.URL(scheme=address.scheme, host=address.host, port=address.port, target=b"/").origin
    # Loading certificates takes longer than a whole call to this machine, which needs none.
    certificates = trusted_certificates() if address.scheme == b"https" else None
    if proxy is None:
        return origin, certificates, None
    to_proxy = certificates if proxy.url.scheme == b"https" else None
    return origin, certificates, httpcore.Proxy(proxy.url, proxy.credentials, ssl_context=to_proxy)


def trusted_certificates() -> ssl.SSLContext:
    """Whom to trust: what the environment says, in httpx's order, else what certifi says."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    try:
        if file or folder:
            return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
        return ssl.create_default_context(cafile=certifi.where())
    except OSError as error:
        raise ConfigurationError(f"SSL_CERT_FILE or SSL_CERT_DIR: certificates that cannot be read ({error})") from None
