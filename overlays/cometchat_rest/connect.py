"""Which connections a client uses: its own pool, or httpx's transport where the environment asks for a proxy."""

from __future__ import annotations

import ssl
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from .endpoint import is_loopback
from .errors import ConfigurationError
from .foreign import AsyncForeign, Foreign
from .pool import MAX_CONNECTIONS, AsyncPool, Pool
from .settings import Settings


def connect(settings: Settings) -> Pool | Foreign:
    """Connections for blocking calls.

    Raises:
        ConfigurationError: the environment names certificates or a proxy that cannot be used.
    """
    proxy = _proxy(settings)
    if proxy is None:
        return Pool(_origin(settings), _ssl_context(settings))
    return Foreign(httpx.HTTPTransport(verify=_certificates(), proxy=proxy, limits=_limits()))


def connect_async(settings: Settings) -> AsyncPool | AsyncForeign:
    """Connections for awaited calls; raises what `connect` does."""
    proxy = _proxy(settings)
    if proxy is None:
        return AsyncPool(_origin(settings), _ssl_context(settings))
    return AsyncForeign(httpx.AsyncHTTPTransport(verify=_certificates(), proxy=proxy, limits=_limits()))


def _origin(settings: Settings) -> httpcore.Origin:
    address = settings.address
    return httpcore.URL(scheme=address.scheme, host=address.host, port=address.port, target=b"/").origin


def _limits() -> httpx.Limits:
    return httpx.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS)


def _ssl_context(settings: Settings) -> ssl.SSLContext | None:
    # Loading certificates takes longer than a whole call to this machine, which needs none.
    return _certificates() if settings.address.scheme == b"https" else None


def _certificates() -> ssl.SSLContext:
    try:
        return httpx.create_ssl_context()
    except OSError as error:
        raise ConfigurationError(f"SSL_CERT_FILE or SSL_CERT_DIR: certificates that cannot be read ({error})") from None


def _proxy(settings: Settings) -> httpx.Proxy | None:
    """The proxy that the environment names for this host."""
    host, scheme = settings.address.host.decode("ascii"), settings.address.scheme.decode("ascii")
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    # What goes to this very machine may go unencrypted, so it must not go by another one.
    if not proxy or is_loopback(host) or proxy_bypass(host):
        return None
    try:
        return httpx.Proxy(proxy if "://" in proxy else f"http://{proxy}")
    except (ValueError, httpx.InvalidURL):
        # Without the address, which may hold a password.
        raise ConfigurationError(f"the proxy that the environment names for {scheme} is no address") from None
