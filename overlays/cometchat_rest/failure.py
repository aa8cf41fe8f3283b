"""From an exception of the HTTP layer to an error of ours (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpcore
import httpx

from cometchat_openapi import Operation

from .errors import RequestTimeoutError, TransportError, TransportErrorKind
from .redaction import Redactor

#: What an exchange may fail with. Anything else is a fault of the program, and is not caught.
FAILURES = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    httpx.HTTPError,
    httpx.StreamError,
    httpx.InvalidURL,
    TimeoutError,
)

# By class name, because httpcore and httpx, which raises in a caller's own transport, have the same ones; the nearest
# name among a class's ancestors counts. `False`: nothing of the request can have arrived, so it was not processed.
_KINDS: Mapping[str, tuple[TransportErrorKind, bool, str]] = {
    "ConnectTimeout": ("connect", False, "connecting took too long"),
    "PoolTimeout": ("pool", False, "no connection became free in time"),
    "WriteTimeout": ("write", True, "sending took too long"),
    "ReadTimeout": ("read", True, "the answer took too long"),
    "ProxyError": ("proxy", False, "the proxy refused"),
    "ConnectError": ("connect", False, "no connection"),
    "UnsupportedProtocol": ("protocol", False, "no such protocol"),
    "WriteError": ("write", True, "the connection broke while sending"),
    "NetworkError": ("read", True, "the connection broke before the answer was whole"),
    "TimeoutError": ("deadline", True, "the call's deadline passed"),
    "Exception": ("protocol", True, "the exchange broke off"),
}


_TIMEOUTS = (httpcore.TimeoutException, httpx.TimeoutException, TimeoutError)


def failure(operation: Operation[Any], exception: Exception, redact: Redactor) -> TransportError:
    """The error for an exchange that brought no whole answer."""
    kind, sent, what = next(_KINDS[each.__name__] for each in type(exception).__mro__ if each.__name__ in _KINDS)
    detail = redact(str(exception))
    cls = RequestTimeoutError if isinstance(exception, _TIMEOUTS) else TransportError
    error = cls(
        f"{operation.name}: {what}" + (f" ({detail})" if detail else ""),
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
    except TypeError:
        # A transport of the user's own may raise a class with other arguments.
        return httpx.TransportError(f"{type(exception).__name__}: {detail}")
