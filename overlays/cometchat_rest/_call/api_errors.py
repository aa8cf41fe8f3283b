"""From a refusal of the service to its error: the code, the message and the details of an error body."""

from __future__ import annotations

import json
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

#: The code that says that an auth token is gone.
GONE = "ERR_AUTH_TOKEN_NOT_FOUND"
# The body of a refusal is read for its code and message up to this many bytes; none that means well is longer.
_LARGEST_ERROR = 1 << 20
_MOST_DETAILS = 100
# How much of each thing that came an error's own text shows, in characters.
_SHOWN = 500

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
    told = _told(body)

    def text(name: str) -> str | None:
        value = told.get(name)
        return redact(value[:BODY_SAMPLE]) if isinstance(value, str) else None

    # What the client decides by stays readable, whatever looks like a part of it.
    code = GONE if told.get("code") == GONE else text("code")
    message, details = text("message"), _details(told.get("details"), redact)
    faults = "; ".join(f"{name}: {', '.join(texts)}" for name, texts in details.items())
    parts = (code, message, faults)
    cls = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    error = cls(
        _joined(f"{operation} was answered with {status}", *(shortened(part) for part in parts if part)),
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
    error.headers = shown(headers, redact)
    return error


def shown(headers: Mapping[str, str], redact: Redactor) -> dict[str, str]:
    """Headers as an error shows them. Its figures were read before: one may look like a part of a secret."""
    return {redact(name): redact(value) for name, value in headers.items()}


def shortened(text: str) -> str:
    """As much of a text, redacted already, as an error's own text shows."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def sample(body: bytes, redact: Redactor) -> str:
    """The first characters of a body, with what no one should see left out."""
    # A secret across the cut would be half recognised only, so some more than the sample is looked at.
    # And a NUL after each letter would hide it, so text in UTF-16 is read as what it is.
    return redact(body[: 2 * BODY_SAMPLE].decode(json.detect_encoding(body), "replace"))[:BODY_SAMPLE]


def _told(body: bytes) -> Mapping[str, object]:
    """The object under `error`, or nothing."""
    try:
        document = json.loads(body[:_LARGEST_ERROR])
    except (ValueError, RecursionError):
        return {}
    told = document.get("error") if isinstance(document, dict) else None
    return told if isinstance(told, dict) else {}


def _joined(*parts: str) -> str:
    """Parts of a message with a colon between them, which takes the place of a full stop."""
    return ": ".join([*(part.removesuffix(".") for part in parts[:-1]), *parts[-1:]])


def _details(details: object, redact: Redactor) -> dict[str, list[str]]:
    if not isinstance(details, dict):
        return {}

    def text(value: object) -> str:
        return redact(str(value)[:BODY_SAMPLE])

    return {
        text(name): [text(each) for each in (texts if isinstance(texts, list) else [texts])[:_MOST_DETAILS]]
        for name, texts in list(details.items())[:_MOST_DETAILS]
    }
