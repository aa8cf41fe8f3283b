"""From a refusal of the service, or from an attempt without a complete response, to the error of
the call (pure)."""

import json
import os
import ssl
from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from cometchat_openapi import Operation
from cometchat_runtime import errors
from cometchat_runtime.errors import (
    BODY_SAMPLE,
    ApiError,
    RateLimit,
    TransportError,
    TransportErrorKind,
)

from .headers import request_id, retry_after

#: Removes the secrets of a call from a text.
Hide: TypeAlias = Callable[[str], str]

#: The code of the service for an auth token that is gone.
GONE = "ERR_AUTH_TOKEN_NOT_FOUND"
# How much of each text of the service the message of an error shows, in characters.
_ABBREVIATED = 500

_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: errors.BadRequestError,
    401: errors.AuthenticationError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    422: errors.UnprocessableEntityError,
    429: errors.RateLimitError,
}


def api_error(
    operation: Operation[object], status: int, headers: Mapping[str, str], body: bytes, hide: Hide
) -> ApiError:
    """The error for a refusal, whatever its body holds."""
    error_object = _error_object(body)

    def text(name: str) -> str | None:
        value = error_object.get(name)
        return hide(value)[:BODY_SAMPLE] if isinstance(value, str) else None

    code, message, details = text("code"), text("message"), _details(error_object, hide)
    faults = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in details.items())
    cls = _BY_STATUS.get(status, errors.ServerError if status >= 500 else ApiError)
    parts = (f"the response has status {status}", code, message, faults)
    redacted = redacted_headers(headers, hide)
    return cls(
        ": ".join(abbreviated(part.removesuffix(".")) for part in parts if part),
        operation=operation.name,
        status_code=status,
        code=code,
        message=message,
        dev_message=text("devMessage"),
        source=text("source"),
        details=details,
        headers=redacted,
        body=sample(body, hide),
        request_id=request_id(redacted),
        rate_limit=RateLimit.from_headers(headers),
        retry_after=retry_after(headers),
        outcome_unknown=operation.method != "GET" and status >= 500,
    )


def redacted_headers(headers: Mapping[str, str], hide: Hide) -> dict[str, str]:
    """Headers as an error keeps them."""
    return {hide(name): hide(value) for name, value in headers.items()}


def abbreviated(text: str) -> str:
    """The beginning of a redacted text, for the message of an error."""
    return text if len(text) <= _ABBREVIATED else text[: _ABBREVIATED - 3] + "..."


def sample(body: bytes, hide: Hide) -> str:
    """The first characters of a body, without secrets."""
    # In UTF-16 a NUL after each letter would hide a secret, so the text is decoded first.
    # The whole text, because a cut could divide a secret.
    return hide(body.decode(json.detect_encoding(body), "replace"))[:BODY_SAMPLE]


def _error_object(body: bytes) -> Mapping[str, object]:
    """The object under `error`, else an empty one."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    error_object = document.get("error") if isinstance(document, dict) else None
    return error_object if isinstance(error_object, dict) else {}


def _details(error_object: Mapping[str, object], hide: Hide) -> dict[str, list[str]]:
    details = error_object.get("details")
    if not isinstance(details, dict):
        return {}

    def text(value: object) -> str:
        return hide(str(value))[:BODY_SAMPLE]

    return {
        text(name): [text(each) for each in (texts if isinstance(texts, list) else [texts])]
        for name, texts in details.items()
    }


@frozen(eq=False, repr=False)
class NoResponse:
    """The reason why an attempt brought no complete response."""

    kind: TransportErrorKind
    cause: Exception = field(repr=False)
    request_sent: bool = False
    timed_out: bool = False


# For each phase: the text if it failed, and the text if it took too long. `{}` is the way to the
# service.
_TEXTS: Mapping[TransportErrorKind, tuple[str, str]] = {
    "connect": ("no connection to {}", "connecting to {} took too long"),
    "pool": ("no connection became free", "no connection became free in time"),
    "proxy": (
        "no connection to {}: the proxy refused",
        "the proxy took too long, so there is no connection to {}",
    ),
    "write": (
        "the connection broke while the request was sent",
        "sending the request took too long",
    ),
    "read": ("the connection broke before the response was complete", "the response took too long"),
    "deadline": ("the deadline of the call passed", "the deadline of the call passed"),
    "protocol": ("the response is incomplete, or not valid HTTP", "the response took too long"),
    "transport": (
        "the transport of this client failed",
        "the transport of this client took too long",
    ),
}


def transport_error(
    operation: Operation[object], failure: NoResponse, hide: Hide, *, route: str, late: bool
) -> TransportError:
    """The error for an attempt without a complete response; `late` says that the deadline of the
    call has passed."""
    cause, timed_out = failure.cause, failure.timed_out
    # The deadline cut the phase short, so the user has to look at the deadline.
    kind: TransportErrorKind = "deadline" if timed_out and late else failure.kind
    detail = abbreviated(hide(_detail(cause)))
    text = _TEXTS[kind][timed_out].format(route)
    # Without the name of its class, the text of a bug is often meaningless, such as that of a
    # `KeyError`.
    shown = (
        f"{type(cause).__name__}: {detail}".removesuffix(": ") if kind == "transport" else detail
    )
    error = (errors.RequestTimeoutError if timed_out else TransportError)(
        text + (f" ({shown})" if shown else ""),
        operation=operation.name,
        kind=kind,
        request_sent=failure.request_sent,
        outcome_unknown=operation.method != "GET" and failure.request_sent,
    )
    error.__cause__ = _without_secrets(cause, detail)
    return error


def _detail(cause: Exception) -> str:
    """The text of an exception, with the reason that httpx or anyio keep only in one of its
    causes."""
    each: BaseException | None = cause
    while each is not None:
        if isinstance(each, ssl.SSLCertVerificationError):
            return (
                f"{each.strerror}; set SSL_CERT_FILE to a file with its CA if you trust the"
                " certificate"
            )
        if isinstance(each, ConnectionError) and each.errno is not None:
            return os.strerror(each.errno)
        # A host name with several addresses has one failure for each.
        each = (
            each.exceptions[0]
            if isinstance(each, BaseExceptionGroup)
            else each.__cause__ or each.__context__
        )
    return str(cause)


def _without_secrets(cause: Exception, detail: str) -> Exception:
    """The exception again, without traceback, request and causes: each of them can hold a
    secret."""
    try:
        return type(cause)(detail)
    except Exception:  # noqa: BLE001 - a class of a custom transport may need other arguments than a text
        return ConnectionError(f"{type(cause).__name__}: {detail}")
