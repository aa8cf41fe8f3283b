"""From a refusal of the service, or from an attempt without a complete response, to the error of
the call (pure)."""

import json
import os
import ssl
from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import field, frozen

from . import errors
from .body import RawResponse
from .errors import BODY_SAMPLE, ApiError, TransportError, TransportErrorKind
from .headers import rate_limit, request_id, retry_after
from .operation import Operation
from .service import ErrorFields, Service

#: Removes the secrets of a call from a text.
Hide: TypeAlias = Callable[[str], str]

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
    operation: Operation[object], raw: RawResponse, hide: Hide, service: Service
) -> ApiError:
    """The error for a refusal, whatever its body holds."""
    fields = _error_fields(raw.body, service)
    code = _shown(fields.code, hide)
    message = _shown(fields.message, hide)
    details = {
        _shown(name, hide): [_shown(text, hide) for text in texts]
        for name, texts in fields.details.items()
    }
    cls = _BY_STATUS.get(raw.status, errors.ServerError if raw.status >= 500 else ApiError)
    return cls(
        _reason(raw.status, code, message, details),
        operation=operation.name,
        code=code or None,
        message=message or None,
        dev_message=_shown(fields.dev_message, hide) or None,
        source=_shown(fields.source, hide) or None,
        details=details,
        retry_after=retry_after(raw.headers),
        outcome_unknown=operation.method != "GET" and raw.status >= 500,
        **response_facts(raw, hide, service),
    )


def response_facts(raw: RawResponse, hide: Hide, service: Service) -> dict[str, object]:
    """The facts about a response that an error keeps."""
    headers = redacted_headers(raw.headers, hide)
    return {
        "status_code": raw.status,
        "headers": headers,
        "body": _sample(raw.body, hide),
        "request_id": request_id(headers),
        "rate_limit": rate_limit(raw.headers, service),
    }


def _error_fields(body: bytes, service: Service) -> ErrorFields:
    try:
        return service.read_error(json.loads(body))
    except (ValueError, RecursionError):
        return ErrorFields()


def _shown(text: str | None, hide: Hide) -> str:
    """A text without secrets, of a limited length."""
    return hide(text or "")[:BODY_SAMPLE]


def _reason(status: int, code: str, message: str, details: Mapping[str, list[str]]) -> str:
    fields = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in details.items())
    parts = (f"the response has status {status}", code, message, fields)
    return ": ".join(abbreviated(part.removesuffix(".")) for part in parts if part)


def redacted_headers(headers: Mapping[str, str], hide: Hide) -> dict[str, str]:
    """Headers as an error keeps them."""
    return {hide(name): hide(value) for name, value in headers.items()}


def abbreviated(text: str) -> str:
    """The beginning of a redacted text, for the message of an error."""
    return text if len(text) <= _ABBREVIATED else text[: _ABBREVIATED - 3] + "..."


def _sample(body: bytes, hide: Hide) -> str:
    """The first characters of a body, without secrets."""
    # In UTF-16 a NUL after each letter would hide a secret, so the text is decoded first. The whole
    # text, because a cut could divide a secret.
    return _shown(body.decode(json.detect_encoding(body), "replace"), hide)


@frozen(eq=False, repr=False)
class NoResponse:
    """The reason why an attempt brought no complete response."""

    kind: TransportErrorKind
    cause: Exception = field(repr=False)
    request_sent: bool = False
    timed_out: bool = False


# The text if a phase failed. `{}` is the way to the service.
_FAILED: Mapping[TransportErrorKind, str] = {
    "connect": "no connection to {}",
    "pool": "no connection became free",
    "proxy": "no connection to {}: the proxy refused",
    "write": "the connection broke while the request was sent",
    "read": "the connection broke before the response was complete",
    "deadline": "the deadline of the call passed",
    "protocol": "the response is incomplete, or not valid HTTP",
    "transport": "the transport of this client failed",
}
# The text if a phase took too long.
_LATE: Mapping[TransportErrorKind, str] = {
    "connect": "connecting to {} took too long",
    "pool": "no connection became free in time",
    "proxy": "the proxy took too long, so there is no connection to {}",
    "write": "sending the request took too long",
    "read": "the response took too long",
    "deadline": "the deadline of the call passed",
    "protocol": "the response took too long",
    "transport": "the transport of this client took too long",
}


def transport_error(
    operation: Operation[object], failure: NoResponse, hide: Hide, *, route: str, late: bool
) -> TransportError:
    """The error for an attempt without a complete response; `late` says that the deadline of the
    call has passed."""
    # The deadline cut the phase short, so the user has to look at the deadline.
    kind: TransportErrorKind = "deadline" if failure.timed_out and late else failure.kind
    detail = abbreviated(hide(_detail(failure.cause)))
    text = (_LATE if failure.timed_out else _FAILED)[kind].format(route)
    shown = detail
    if kind == "transport":
        # Without the name of its class, the text of a bug is often meaningless, such as that of a
        # `KeyError`.
        shown = f"{type(failure.cause).__name__}: {detail}".removesuffix(": ")
    cls = errors.RequestTimeoutError if failure.timed_out else TransportError
    error = cls(
        f"{text} ({shown})" if shown else text,
        operation=operation.name,
        kind=kind,
        request_sent=failure.request_sent,
        outcome_unknown=operation.method != "GET" and failure.request_sent,
    )
    error.__cause__ = _without_secrets(failure.cause, detail)
    return error


def _detail(cause: Exception) -> str:
    """The text of an exception, with the reason that httpx or anyio keep only in one of its
    causes."""
    for error in _causes(cause):
        if isinstance(error, ssl.SSLCertVerificationError):
            advice = "set SSL_CERT_FILE to a file with its CA if you trust the certificate"
            return f"{error.strerror}; {advice}"
        if isinstance(error, ConnectionError) and error.errno is not None:
            return os.strerror(error.errno)
    return str(cause)


def _causes(error: BaseException | None) -> list[BaseException]:
    """An exception and its causes, the outer one first."""
    causes = []
    while error is not None:
        causes.append(error)
        if isinstance(error, BaseExceptionGroup):
            # A host name with several addresses has one failure for each.
            error = error.exceptions[0]
        else:
            error = error.__cause__ or error.__context__
    return causes


def _without_secrets(cause: Exception, detail: str) -> Exception:
    """The exception again, without traceback, request and causes: each of them can hold a
    secret."""
    try:
        return type(cause)(detail)
    except Exception:  # noqa: BLE001 - a class of a custom transport may need other arguments
        return ConnectionError(f"{type(cause).__name__}: {detail}")
