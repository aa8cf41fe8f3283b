"""Chooses the connections of a client: its own pool, or the caller's httpx transport.

httpx is loaded only for a transport: that takes longer than all other work before the first response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cometchat_rest._call.settings import Settings
from cometchat_rest.errors import ConfigurationError

from .connection import Route
from .pool import AsyncPool, Pool
from .proxy import trusted_certificates

if TYPE_CHECKING:
    from .httpx_transport import AsyncHttpxTransportAdapter, AsyncTransport, HttpxTransportAdapter, Transport

_DEFAULT_PORTS = {b"https": 443, b"http": 80}


def connection_source(settings: Settings, transport: Transport | None) -> Pool | HttpxTransportAdapter:
    """The connections for blocking calls.

    Raises:
        ConfigurationError: `transport` is not a transport, or the environment names certificates that cannot be read.
    """
    if transport is None:
        return Pool(_route(settings))
    from .httpx_transport import HttpxTransportAdapter  # noqa: PLC0415

    _check(transport, "handle_request", "close", "httpx.BaseTransport")
    return HttpxTransportAdapter(transport, settings.address)


def async_connection_source(
    settings: Settings, transport: AsyncTransport | None
) -> AsyncPool | AsyncHttpxTransportAdapter:
    """The connections for awaited calls; raises the errors of `connection_source`."""
    if transport is None:
        return AsyncPool(_route(settings))
    from .httpx_transport import AsyncHttpxTransportAdapter  # noqa: PLC0415

    _check(transport, "handle_async_request", "aclose", "httpx.AsyncBaseTransport")
    return AsyncHttpxTransportAdapter(transport, settings.address)


def _check(transport: object, send: str, close: str, kind: str) -> None:
    if isinstance(transport, type):
        raise ConfigurationError(f"transport must be an object, not the class {transport.__name__}: add parentheses")
    if not (callable(getattr(transport, send, None)) and callable(getattr(transport, close, None))):
        raise ConfigurationError(f"transport must be an {kind}, not {type(transport).__name__}")


def _route(settings: Settings) -> Route:
    address = settings.address
    # Loading certificates takes longer than a whole call to this machine, which needs none of them.
    certificates = trusted_certificates() if address.scheme == b"https" else None
    port = address.port or _DEFAULT_PORTS[address.scheme]
    return Route(address.host.decode("ascii"), port, certificates, settings.proxy)
