"""Chooses the connections of a client: its own pool, or the caller's httpx transport.

The pool is loaded for the first client that needs it, and httpx only for a transport. So a program that only imports
the clients loads neither TLS nor HTTP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cometchat_rest._call.settings import Settings
from cometchat_rest.errors import ConfigurationError

from .proxy import trusted_certificates

if TYPE_CHECKING:
    import ssl

    from .async_pool import AsyncPool
    from .connection import Route
    from .httpx_transport import AsyncHttpxTransportAdapter, AsyncTransport, HttpxTransportAdapter, Transport
    from .pool import Pool

_DEFAULT_PORTS = {b"https": 443, b"http": 80}


def connection_source(
    settings: Settings, transport: Transport | None, ssl_context: ssl.SSLContext | None
) -> Pool | HttpxTransportAdapter:
    """The connections for blocking calls.

    Raises:
        ConfigurationError: `transport` is not a transport, `ssl_context` cannot be used, or the environment names
            certificates that cannot be read.
    """
    if transport is None:
        from .pool import Pool  # noqa: PLC0415

        return Pool(_route(settings, ssl_context))
    from .httpx_transport import HttpxTransportAdapter  # noqa: PLC0415

    _check(transport, ssl_context, "handle_request", "close", "httpx.BaseTransport")
    return HttpxTransportAdapter(transport, settings.address)


def async_connection_source(
    settings: Settings, transport: AsyncTransport | None, ssl_context: ssl.SSLContext | None
) -> AsyncPool | AsyncHttpxTransportAdapter:
    """The connections for awaited calls; raises the errors of `connection_source`."""
    if transport is None:
        from .async_pool import AsyncPool  # noqa: PLC0415

        return AsyncPool(_route(settings, ssl_context))
    from .httpx_transport import AsyncHttpxTransportAdapter  # noqa: PLC0415

    _check(transport, ssl_context, "handle_async_request", "aclose", "httpx.AsyncBaseTransport")
    return AsyncHttpxTransportAdapter(transport, settings.address)


def _check(transport: object, ssl_context: object, send: str, close: str, kind: str) -> None:
    if ssl_context is not None:
        raise ConfigurationError("ssl_context and transport cannot be combined: the transport has its own TLS settings")
    if isinstance(transport, type):
        raise ConfigurationError(f"transport must be an object, not the class {transport.__name__}: add parentheses")
    if not (callable(getattr(transport, send, None)) and callable(getattr(transport, close, None))):
        raise ConfigurationError(f"transport must be an {kind}, not {type(transport).__name__}")


def _route(settings: Settings, ssl_context: ssl.SSLContext | None) -> Route:
    from .connection import Route  # noqa: PLC0415

    address = settings.address
    host = address.host.decode("ascii")
    certificates = None if ssl_context is None else _usable(ssl_context, host)
    if address.scheme != b"https":
        certificates = None
    elif certificates is None:
        # Only if necessary: loading certificates takes longer than a whole call to this machine.
        certificates = trusted_certificates()
    return Route(host, address.port or _DEFAULT_PORTS[address.scheme], certificates, settings.proxy)


def _usable(context: ssl.SSLContext, host: str) -> ssl.SSLContext:
    """A context that can begin a connection. It need not be an `ssl.SSLContext`: truststore can replace that class."""
    import ssl  # noqa: PLC0415

    try:
        context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname=host)
    except Exception as error:  # noqa: BLE001 - a caller may pass any object
        problem = str(error)
    else:
        return context
    raise ConfigurationError(
        f"ssl_context must be an ssl.SSLContext for clients, such as from ssl.create_default_context() ({problem})"
    )
