"""From a refusal of the service, or from an attempt without a complete response, to the error of
the call (pure, except for the time)."""

import html
import json
import math
import os
import re
import ssl
import time
from collections.abc import Mapping

from attrs import field, frozen

from . import errors
from .body import RawResponse
from .errors import BODY_SAMPLE, ApiError, TransportError, TransportErrorKind
from .headers import rate_limit, request_id, requested_pause
from .request import Attempt
from .service import ErrorFields

# How much of each text of the service the message of an error shows, in characters.
_ABBREVIATED = 500
# The words in a page that say what it is about.
_TITLE = re.compile(
    r"""
    <(?P<tag>
        title        # HTML
        | h1         # HTML without a title
        | message    # XML
    )\b[^<>]*>
    (?P<words>.{0,1000}?)</(?P=tag)
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(r"<[^<>]*>")
# The search for a title reads this many characters of a page. Its styles may come first.
_SEARCHED = 2**16
# The results of OpenSSL that mean that nobody trusts the issuer of a certificate, or that it has
# none.
_UNKNOWN_ISSUER = frozenset({2, 18, 19, 20, 21})

_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: errors.BadRequestError,
    401: errors.AuthenticationError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    422: errors.UnprocessableEntityError,
    429: errors.RateLimitError,
}


def api_error(attempt: Attempt, raw: RawResponse) -> ApiError:
    """The error for a refusal, whatever its body holds."""
    error = error_in(attempt, raw)
    pause = requested_pause(raw.status, raw.headers, attempt.options.service)
    reason = reason_of(f"the response has status {raw.status}", error)
    if pause:
        reason += f"; retry after {math.ceil(pause)} s"
    cls = _BY_STATUS.get(raw.status, errors.ServerError if raw.status >= 500 else ApiError)
    return cls(
        reason,
        operation=attempt.request.call.operation.name,
        retry_after=pause,
        outcome_unknown=attempt.request.method != "GET" and raw.status >= 500,
        code=error.code,
        message=error.message,
        dev_message=error.dev_message,
        source=error.source,
        details=error.details,
        **response_facts(attempt, raw),
    )


def response_facts(attempt: Attempt, raw: RawResponse) -> dict[str, object]:
    """The facts about a response that an error keeps."""
    hide = attempt.request.hide
    headers = {hide(name): hide(value) for name, value in raw.headers.items()}
    return {
        "status_code": raw.status,
        "headers": headers,
        "body": _shown(attempt, _text(raw.body)),
        "request_id": request_id(headers),
        "rate_limit": rate_limit(raw.headers, attempt.options.service),
    }


def error_in(attempt: Attempt, raw: RawResponse) -> ErrorFields:
    """The error in a body, without secrets; if the body is not JSON, at most a reason."""
    text = _text(raw.body)
    try:
        fields = attempt.options.service.read_error(json.loads(text))
    except ValueError:
        fields = ErrorFields(reason=_first_words(attempt.request.hide(text)))
    except RecursionError:
        fields = ErrorFields()
    details = {
        _shown(attempt, name): [_shown(attempt, text) for text in texts]
        for name, texts in fields.details.items()
    }
    shown = {
        name: _shown(attempt, getattr(fields, name)) or None
        for name in ("code", "message", "dev_message", "source", "reason")
    }
    return ErrorFields(**shown, details=details)


def _text(body: bytes) -> str:
    # In UTF-16 a NUL after each letter would hide a secret.
    return body.decode(json.detect_encoding(body), "replace")


def _first_words(text: str) -> str:
    """The reason in a body that is not JSON: the title of a page, or the first line of a text."""
    text = text.strip()
    if text.startswith("<"):
        titles = (_TAG.sub(" ", title["words"]) for title in _TITLE.finditer(text[:_SEARCHED]))
        words = html.unescape(next(filter(str.strip, titles), ""))
    elif text.startswith(("{", "[")):
        # Of JSON that was cut off, this would be data.
        words = ""
    else:
        words = text.partition("\n")[0]
    line = " ".join(words.split())
    return line if line.isprintable() else ""


def _shown(attempt: Attempt, text: str | None) -> str:
    """A text without secrets, of a limited length. The whole text is searched, because a cut could
    divide a secret."""
    return attempt.request.hide(text or "")[:BODY_SAMPLE]


def reason_of(fault: str, error: ErrorFields) -> str:
    """The text about a response, with the error in its body."""
    fields = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in error.details.items())
    texts = (error.code, error.message or error.reason, fields)
    return ": ".join([fault, *(abbreviated(text.removesuffix(".")) for text in texts if text)])


def abbreviated(text: str) -> str:
    """The beginning of a redacted text, for the message of an error."""
    return text if len(text) <= _ABBREVIATED else text[: _ABBREVIATED - 3] + "..."


@frozen(eq=False, repr=False)
class NoResponse:
    """The reason why an attempt brought no complete response."""

    kind: TransportErrorKind
    cause: Exception = field(repr=False)
    request_sent: bool = False
    timed_out: bool = False


# The text if a phase failed.
_FAILED: Mapping[TransportErrorKind, str] = {
    "connect": "no connection to {route}",
    "proxy": "no connection to {route}: the proxy refused",
    "write": "the connection broke while the request was sent",
    "read": "the connection broke before the response was complete",
    "protocol": "the response is incomplete, or not valid HTTP",
    "transport": "the transport of this client failed",
}
# The text if a phase took too long.
_LATE: Mapping[TransportErrorKind, str] = {
    "connect": "connecting to {route} took too long",
    "pool": "no connection became free in time",
    "proxy": "the proxy took too long, so there is no connection to {route}",
    "write": "sending the request took too long",
    "read": "the response took too long",
    "deadline": "the deadline of the call passed after {seconds:g} s",
}


def transport_error(attempt: Attempt, failure: NoResponse) -> TransportError:
    """The error for an attempt without a complete response."""
    request, options = attempt.request, attempt.options
    kind = failure.kind
    if failure.timed_out and time.monotonic() >= attempt.deadline:
        # The deadline cut the phase short, so the user has to look at the deadline.
        kind = "deadline"
    detail = abbreviated(request.hide(_detail(failure.cause)))
    texts = _LATE if failure.timed_out else _FAILED
    text = texts[kind].format(route=options.route, seconds=options.deadline)
    shown = detail
    if kind == "transport":
        # Without the name of its class, the text of a bug is often meaningless, such as that of a
        # `KeyError`.
        shown = f"{type(failure.cause).__name__}: {detail}".removesuffix(": ")
    cls = errors.RequestTimeoutError if failure.timed_out else TransportError
    error = cls(
        f"{text} ({shown})" if shown else text,
        operation=request.call.operation.name,
        kind=kind,
        request_sent=failure.request_sent,
        outcome_unknown=request.method != "GET" and failure.request_sent,
    )
    error.__cause__ = _without_secrets(failure.cause, detail)
    return error


def _detail(cause: Exception) -> str:
    """The text of an exception, with the reason that httpx or anyio keep only in one of its
    causes."""
    for error in _causes(cause):
        if isinstance(error, ssl.SSLCertVerificationError):
            if error.verify_code not in _UNKNOWN_ISSUER:
                return str(error.strerror)
            advice = "set SSL_CERT_FILE to a file with its CA, or add the CA to your ssl_context"
            return f"{error.strerror}; if you trust the certificate, {advice}"
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
