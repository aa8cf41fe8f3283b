"""From a refusal of the service to its error: the code, the message and the details of an error body."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from cometchat_rest.errors import (
    BODY_SAMPLE,
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    UnprocessableEntityError,
)

from .redaction import Redactor

#: The code of the service for an auth token that is gone.
GONE = "ERR_AUTH_TOKEN_NOT_FOUND"
# How much of an error body is read for its code and message, in bytes; a longer one is not an error body.
_LARGEST_ERROR = 1 << 20
_MOST_DETAILS = 100
# How much of each text of the service the message of an error shows, in characters.
_ABBREVIATED = 500
# How much an error keeps of one header value, and of all of them together, in characters.
_HEADER_SAMPLE, _HEADERS_SAMPLE = 1024, 16_384
_ERROR_CODE = re.compile(r"(?=.{1,100}$)[A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")

_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}


def api_error(operation: str, status: int, headers: Mapping[str, str], body: bytes, redact: Redactor) -> ApiError:
    """The error for a refusal, whatever its body holds."""
    error_object = _error_object(body)

    def text(name: str) -> str | None:
        value = error_object.get(name)
        return redact(value[:BODY_SAMPLE]) if isinstance(value, str) else None

    code, message, details = _code(error_object, redact), text("message"), _details(error_object, redact)
    faults = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in details.items())
    parts = (code, message, faults)
    cls = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    error = cls(
        _joined(f"the response has status {status}", *(abbreviated(part) for part in parts if part)),
        operation=operation,
        status_code=status,
        code=code,
        message=message,
        dev_message=text("devMessage"),
        source=text("source"),
        details=details,
        headers=headers,
        body=sample(body, redact),
    )
    # Only now, because the figures of the rate limit may look like a part of a secret.
    error.headers = redacted_headers(headers, redact)
    return error


def redacted_headers(headers: Mapping[str, str], redact: Redactor) -> dict[str, str]:
    """Headers as an error keeps them: without secrets, long values cut off, and only the first of very many."""
    kept: dict[str, str] = {}
    left = _HEADERS_SAMPLE
    for raw_name, raw_value in headers.items():
        name, value = _sample(raw_name, _HEADER_SAMPLE, redact), _sample(raw_value, _HEADER_SAMPLE, redact)
        left -= len(name) + len(value)
        if left < 0:
            break
        kept[name] = value
    return kept


def abbreviated(text: str) -> str:
    """The beginning of a redacted text, for the message of an error."""
    return text if len(text) <= _ABBREVIATED else text[: _ABBREVIATED - 3] + "..."


def sample(body: bytes, redact: Redactor) -> str:
    """The first characters of a body, without secrets."""
    # In UTF-16 a NUL after each letter would hide a secret, so the text is decoded first.
    return _sample(body[: 2 * BODY_SAMPLE].decode(json.detect_encoding(body), "replace"), BODY_SAMPLE, redact)


def _sample(text: str, size: int, redact: Redactor) -> str:
    # Some more than the sample is redacted: the cut could divide a secret, and the rest would not be recognised.
    return redact(text[: 2 * size])[:size]


def _code(error_object: Mapping[str, object], redact: Redactor) -> str | None:
    """The error code as the service sent it: programs decide by it. No code has another form, or holds a secret."""
    code = error_object.get("code")
    if not isinstance(code, str):
        return None
    return code if _ERROR_CODE.fullmatch(code) and not redact.is_in(code) else redact(code[:BODY_SAMPLE])


def _error_object(body: bytes) -> Mapping[str, object]:
    """The object under `error`, else an empty one."""
    try:
        document = json.loads(body[:_LARGEST_ERROR])
    except (ValueError, RecursionError):
        return {}
    error_object = document.get("error") if isinstance(document, dict) else None
    return error_object if isinstance(error_object, dict) else {}


def _joined(*parts: str) -> str:
    """Parts of a message, with a colon between them in place of a full stop."""
    return ": ".join([*(part.removesuffix(".") for part in parts[:-1]), *parts[-1:]])


def _details(error_object: Mapping[str, object], redact: Redactor) -> dict[str, list[str]]:
    details = error_object.get("details")
    if not isinstance(details, dict):
        return {}

    def text(value: object) -> str:
        return redact(str(value)[:BODY_SAMPLE])

    return {
        text(name): [text(each) for each in (texts if isinstance(texts, list) else [texts])[:_MOST_DETAILS]]
        for name, texts in list(details.items())[:_MOST_DETAILS]
    }
