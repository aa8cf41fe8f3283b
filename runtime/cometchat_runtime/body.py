"""Bodies: from the bytes of a response to JSON, and from a call to the content of its request."""

import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO
from urllib.parse import urlencode

from attrs import define, field, frozen

from .errors import InvalidRequestError
from .model import RequestFiles
from .operation import Call

_fast: Callable[[bytes], object] | None = None
with suppress(ImportError):  # the extra `fast`
    from msgspec.json import decode as _fast

_PRINTABLE_ASCII = re.compile(r"[ -~]*")


@define(eq=False, repr=False)
class RawResponse:
    """A response as received.

    Attributes:
        status: its HTTP status.
        headers: its headers, with names in lower case.
        body: its body, after unpacking.
        fault: why the body is not complete, as the end of a sentence; `None` if it is complete.
    """

    status: int
    # Not shown in a traceback of locals: headers and body may repeat a secret.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    fault: str | None = None


def received(status: int, headers: Mapping[str, str], body: BytesIO, limit: int) -> RawResponse:
    """The response after the last byte of its body that was read, perhaps one beyond the limit."""
    is_too_large = body.tell() > limit
    fault = f"is larger than {limit} bytes (max_response_bytes)" if is_too_large else None
    return RawResponse(status, headers, body.getvalue(), fault)


def decode(body: bytes) -> object:
    """Return the same value as `json.loads`, or raise the same error."""
    # msgspec refuses everything that it would read differently, such as NaN, huge numbers and a
    # byte order mark.
    if _fast is not None:
        with suppress(Exception):
            return _fast(body)
    document: object = json.loads(body)
    return document


@frozen(eq=False, repr=False)
class Content:
    """The body of a request, in the parts from which httpx makes its bytes again for each
    attempt."""

    content_type: str | None = None
    data: bytes = b""
    files: RequestFiles | None = None


def content_of(call: Call[object]) -> Content:
    """The body of a call."""
    if call.files is not None:
        _check_parts(call.files)
        # One boundary for all attempts, so that they send the same bytes. It is random, so no value
        # can contain it.
        boundary = os.urandom(16).hex()
        return Content(f"multipart/form-data; boundary={boundary}", files=call.files)
    if call.json is not None:
        return Content("application/json", _json(call.json).encode())
    if call.form is not None:
        form = urlencode(texts(call.form), doseq=True)
        return Content("application/x-www-form-urlencoded", form.encode())
    if call.content is not None:
        return Content("application/octet-stream", call.content)
    return Content()


def texts(values: Mapping[str, object]) -> dict[str, object]:
    """The values that are set, as a query or a form holds them: `true` and `false` as in JSON."""
    return {name: _text(value) for name, value in values.items() if value is not None}


def _text(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_text(item) for item in value]
    # `str` of a member of an enumeration would be its name.
    return json.dumps(value) if isinstance(value, int) else value


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequestError(f"must hold only JSON values: {error}", argument="json") from None


def _check_parts(files: RequestFiles) -> None:
    for name, (file_name, content, content_type) in files:
        if not isinstance(content, str | bytes):
            raise InvalidRequestError(f"{name} must be str or bytes, not {type(content).__name__}")
        # httpx puts only the content type into a header of a part unchanged.
        if content_type is not None and not _PRINTABLE_ASCII.fullmatch(content_type):
            raise InvalidRequestError(f"{name}: the content type must be printable ASCII")
        # httpx would find a lone surrogate only while it sends the request.
        for text in (file_name, content):
            if isinstance(text, str):
                text.encode()
