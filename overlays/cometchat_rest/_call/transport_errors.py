"""From an attempt without a complete response to the error for the caller (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cometchat_openapi import Operation
from cometchat_rest.errors import RequestTimeoutError, TransportError, TransportErrorKind

from .api_errors import abbreviated
from .redaction import Redactor


class AttemptError(Exception):
    """An attempt that brought no complete response; its `__cause__` is the exception of the network."""

    def __init__(self, kind: TransportErrorKind, *, request_sent: bool) -> None:
        super().__init__(kind)
        self.kind: TransportErrorKind = kind
        self.request_sent = request_sent


# The text for each phase that failed, and for each phase that took too long. `{}` is the way to the service.
_FAILURES: Mapping[TransportErrorKind, str] = {
    "connect": "no connection to {}",
    "pool": "no connection became free",
    "proxy": "no connection to {}: the proxy refused",
    "write": "the connection broke while the request was sent",
    "read": "the connection broke before the response was complete",
    "deadline": "the deadline of the call passed",
    "protocol": "the response is incomplete, or not valid HTTP",
    "transport": "the transport of this client failed",
}
_TIMEOUTS: Mapping[TransportErrorKind, str] = {
    **_FAILURES,
    "connect": "connecting to {} took too long",
    "pool": "no connection became free in time",
    "proxy": "the proxy took too long, so there is no connection to {}",
    "write": "sending the request took too long",
    "read": "the response took too long",
}


def to_transport_error(
    operation: Operation[Any], error: AttemptError, redact: Redactor, *, route: str, deadline_passed: bool
) -> TransportError:
    """The error for an attempt that brought no complete response."""
    cause = error.__cause__ or error
    timed_out = error.kind == "deadline" or _is_timeout(cause)
    # The deadline cut the phase short, so the user has to look at the deadline.
    kind: TransportErrorKind = "deadline" if timed_out and deadline_passed else error.kind
    detail = abbreviated(redact(_text(cause)))
    text = (_TIMEOUTS if timed_out else _FAILURES)[kind].format(route)
    cls = RequestTimeoutError if timed_out else TransportError
    # Without the name of its class, the text of a bug is often meaningless, such as that of a `KeyError`.
    shown = f"{type(cause).__name__}: {detail}".removesuffix(": ") if kind == "transport" else detail
    result = cls(
        text + (f" ({shown})" if shown else ""),
        operation=operation.name,
        kind=kind,
        request_sent=error.request_sent,
    )
    result.outcome_unknown = operation.method != "GET" and error.request_sent
    result.__cause__ = _without_secrets(cause, detail)
    return result


def _text(cause: BaseException) -> str:
    try:
        return str(cause)
    except Exception:  # noqa: BLE001 - an exception of a caller's transport may be anything
        return ""


def _is_timeout(cause: BaseException) -> bool:
    # httpx and httpcore, whose exceptions a caller's transport raises, have one base class each of this name.
    return isinstance(cause, TimeoutError) or any(each.__name__ == "TimeoutException" for each in type(cause).__mro__)


def _without_secrets(cause: BaseException, detail: str) -> BaseException:
    """The exception again, without traceback, request and causes: each of them can hold a secret."""
    try:
        return type(cause)(detail)
    except Exception:  # noqa: BLE001 - a class of a caller's transport may need other arguments than a text
        return ConnectionError(f"{type(cause).__name__}: {detail}")
