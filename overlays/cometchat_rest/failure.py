"""From an exception of the HTTP layer to an error of ours (pure)."""

from __future__ import annotations

from typing import Any

import httpx

from cometchat_openapi import Operation

from .errors import RequestTimeoutError, TransportError, TransportErrorKind
from .redaction import Redactor

#: What a transport may raise when an exchange fails. Anything else is a fault of the program, and is not caught.
FAILURES = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, TimeoutError)

# The first match counts. `False`: surely not processed, because nothing of the request can have arrived.
_KINDS: tuple[tuple[type[Exception], TransportErrorKind, bool, str], ...] = (
    (httpx.ConnectTimeout, "connect", False, "connecting took too long"),
    (httpx.PoolTimeout, "pool", False, "no connection became free in time"),
    (httpx.WriteTimeout, "write", True, "sending took too long"),
    (httpx.ReadTimeout, "read", True, "the answer took too long"),
    (httpx.ProxyError, "proxy", False, "the proxy refused"),
    (httpx.ConnectError, "connect", False, "no connection"),
    (httpx.UnsupportedProtocol, "protocol", False, "no such protocol"),
    (httpx.WriteError, "write", True, "the connection broke while sending"),
    (httpx.NetworkError, "read", True, "the connection broke before the answer was whole"),
    (TimeoutError, "deadline", True, "the call's deadline passed"),
    (Exception, "protocol", True, "the exchange broke off"),
)


def failure(operation: Operation[Any], exception: Exception, redact: Redactor) -> TransportError:
    """The error for an exchange that brought no whole answer."""
    kind, sent, what = next((kind, sent, what) for cls, kind, sent, what in _KINDS if isinstance(exception, cls))
    detail = redact(str(exception))
    cls = RequestTimeoutError if isinstance(exception, httpx.TimeoutException | TimeoutError) else TransportError
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
