"""Which connections a client uses: the caller's transport, httpx's where the environment names a proxy, else a pool.

httpx is loaded for the first two only: that takes longer than everything else up to a first answer.
"""

from __future__ import annotations

import os
import ssl
import sys
from typing import TYPE_CHECKING

import certifi
import httpcore

from .endpoint import is_loopback
from .errors import ConfigurationError
from .pool import AsyncPool, Pool
from .settings import Settings

if TYPE_CHECKING:
    import httpx

    from .foreign import AsyncForeign, Foreign


def connect(settings: Settings, transport: httpx.BaseTransport | None) -> Pool | Foreign:
    """Connections for blocking calls.

    Raises:
        ConfigurationError: the environment names certificates or a proxy that cannot be used.
    """
    proxy = None if transport is not None else _proxy(settings)
    if transport is None and proxy is None:
        return Pool(_origin(settings), _ssl_context(settings))
    from .foreign import Foreign, behind_proxy  # noqa: PLC0415

    if transport is not None:
        _check(transport, "handle_request", "close", "httpx.BaseTransport")
    return Foreign(transport or behind_proxy(proxy or "", _certificates()))


def connect_async(settings: Settings, transport: httpx.AsyncBaseTransport | None) -> AsyncPool | AsyncForeign:
    """Connections for awaited calls; raises what `connect` does."""
    proxy = None if transport is not None else _proxy(settings)
    if transport is None and proxy is None:
        return AsyncPool(_origin(settings), _ssl_context(settings))
    from .foreign import AsyncForeign, async_behind_proxy  # noqa: PLC0415

    if transport is not None:
        _check(transport, "handle_async_request", "aclose", "httpx.AsyncBaseTransport")
    return AsyncForeign(transport or async_behind_proxy(proxy or "", _certificates()))


def _check(transport: object, send: str, close: str, kind: str) -> None:
    if not (callable(getattr(transport, send, None)) and callable(getattr(transport, close, None))):
        raise ConfigurationError(f"transport: an {kind} is needed, not {type(transport).__name__}")


def _origin(settings: Settings) -> httpcore.Origin:
    address = settings.address
    return httpcore.URL(scheme=address.scheme, host=address.host, port=address.port, target=b"/").origin


def _ssl_context(settings: Settings) -> ssl.SSLContext | None:
    # Loading certificates takes longer than a whole call to this machine, which needs none.
    return _certificates() if settings.address.scheme == b"https" else None


def _certificates() -> ssl.SSLContext:
    """Whom to trust: what the environment says, in httpx's order, else what certifi says."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    try:
        if file or folder:
            return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
        return ssl.create_default_context(cafile=certifi.where())
    except OSError as error:
        raise ConfigurationError(f"SSL_CERT_FILE or SSL_CERT_DIR: certificates that cannot be read ({error})") from None


def _proxy(settings: Settings) -> str | None:
    """The address of the proxy that the environment names for this host."""
    host, scheme = settings.address.host.decode("ascii"), settings.address.scheme.decode("ascii")
    # What goes to this very machine may go unencrypted, so it must not go by another one.
    if is_loopback(host):
        return None
    # Only these two systems have a place for proxies beside the environment.
    if sys.platform not in ("darwin", "win32") and not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    from urllib.request import getproxies, proxy_bypass  # noqa: PLC0415 - slow to load

    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    return None if proxy is None or proxy_bypass(host) else proxy
