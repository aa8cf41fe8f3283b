"""From an exception of the HTTP layer to an error of ours (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cometchat_openapi import Operation
from cometchat_rest.errors import RequestTimeoutError, TransportError, TransportErrorKind

from .api_errors import shortened
from .redaction import Redactor

# By class name, because httpcore and httpx, which raises in a caller's own transport, have the same ones; the nearest
# name among a class's ancestors counts. `False`: nothing of the request can have arrived, so it was not processed.
# `{}` is the way to the service.
_KINDS: Mapping[str, tuple[type[TransportError], TransportErrorKind, bool, str]] = {
    "ConnectTimeout": (RequestTimeoutError, "connect", False, "connecting to {} took too long"),
    "PoolTimeout": (RequestTimeoutError, "pool", False, "no connection became free in time"),
    "WriteTimeout": (RequestTimeoutError, "write", True, "sending took too long"),
    "TimeoutException": (RequestTimeoutError, "read", True, "the answer took too long"),
    "TimeoutError": (RequestTimeoutError, "deadline", True, "the call's deadline passed"),
    "ProxyError": (TransportError, "proxy", False, "no connection to {}, since the proxy refused"),
    "SOCKSError": (TransportError, "proxy", False, "no connection to {}, since the proxy does not speak SOCKS"),
    "ConnectError": (TransportError, "connect", False, "no connection to {}"),
    "UnsupportedProtocol": (TransportError, "protocol", False, "no such protocol"),
    "WriteError": (TransportError, "write", True, "the connection broke while sending"),
    "NetworkError": (TransportError, "read", True, "the connection broke before the answer was whole"),
    "Exception": (TransportError, "protocol", True, "the exchange broke off"),
}


def failure(
    operation: Operation[Any], exception: Exception, redact: Redactor, *, route: str, late: bool
) -> TransportError:
    """The error for an exchange that brought no whole answer.

    Args:
        operation: what was to be done.
        exception: how it ended.
        redact: hides the call's secrets.
        route: the way to the service, as it may be shown.
        late: whether the call's deadline has passed.
    """
    ancestors = (each.__name__ for each in type(exception).__mro__)
    cls, kind, sent, what = next(_KINDS[name] for name in ancestors if name in _KINDS)
    if late and cls is RequestTimeoutError:
        # The phase was cut short by the deadline, and it is the deadline that the user has to look at.
        _, kind, _, what = _KINDS["TimeoutError"]
    detail = shortened(redact(str(exception)))
    error = cls(
        f"{operation.name}: {what.format(route)}" + (f" ({detail})" if detail else ""),
        operation=operation.name,
        kind=kind,
        request_sent=sent,
    )
    error.outcome_unknown = operation.method != "GET" and sent
    error.__cause__ = _bare(exception, detail)
    return error


def _bare(exception: Exception, detail: str) -> Exception:
    """The exception again, without traceback, request and causes of its own: each of them can hold a secret."""
    try:
        return type(exception)(detail)
    except Exception:  # noqa: BLE001 - a transport of the user's own may raise a class that wants anything but a text
        return ConnectionError(f"{type(exception).__name__}: {detail}")
