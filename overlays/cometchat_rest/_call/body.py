"""Bodies: from the bytes of a response to JSON, and from a call to the content of its request."""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from urllib.parse import urlencode

from attrs import define, field, frozen

from cometchat_openapi import Call
from cometchat_openapi.types import RequestFiles
from cometchat_rest.errors import InvalidRequestError

# The only encoding that requests ask for, by both its names. Servers do not agree on the meaning of "deflate".
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_WINDOW = 31
# For a smaller body, msgspec saves less than a fifth of a millisecond, and its import takes ten milliseconds.
_LARGE = 2**16
_CONTENT_TYPE = re.compile(r"[ -~]*")


@define(eq=False, repr=False)
class RawResponse:
    """A response as received; `fault` says why its body is not complete, as the end of a sentence."""

    status: int
    # Not shown in a traceback of locals: headers and body may repeat a secret.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    fault: str | None = None
    too_large: bool = False


class BodyReader:
    """Collects and decodes the body of a response up to a limit; a small response may unpack to a huge one."""

    def __init__(self, headers: Sequence[tuple[bytes, bytes]], limit: int) -> None:
        self.headers: dict[str, str] = {}
        for raw_name, raw_value in headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            self.headers[name] = f"{self.headers[name]}, {value}" if name in self.headers else value
        self.fault: str | None = None
        self._too_large = False
        self._limit = limit
        self._received = 0
        # Not a list of chunks: a service may send one byte at a time, and a list needs forty bytes for each.
        self._content = BytesIO()
        self._unpack = None
        encoding = self.headers.get("content-encoding", "identity").strip().lower()
        if encoding in _GZIP:
            self._unpack = zlib.decompressobj(_GZIP_WINDOW)
        elif encoding != "identity":
            self.fault = "is in an encoding that the request does not allow"
        promised = self.headers.get("content-length", "")
        if promised.isascii() and promised.isdigit() and int(promised[:20]) > limit:
            self._refuse_size()

    def is_full_after(self, chunk: bytes) -> bool:
        """Add the next bytes of the body; whether to stop reading, because of a fault."""
        # Also counted before unpacking: data that unpacks to nothing must not continue for ever.
        self._received += len(chunk)
        if self._unpack is not None:
            try:
                # One byte above the limit is enough to know. Data after the end of the gzip stream is ignored.
                room = self._limit - self._content.tell() + 1
                chunk = b"" if self._unpack.eof else self._unpack.decompress(chunk, room)
            except zlib.error:
                self.fault = "is not valid gzip, although its headers say so"
                return True
        if self._received > self._limit or self._content.tell() + len(chunk) > self._limit:
            self._refuse_size()
        else:
            self._content.write(chunk)
        return self.fault is not None

    def response(self, status: int) -> RawResponse:
        """The response, after the last byte of its body."""
        if self.fault is None and self._unpack is not None and self._content.tell() and not self._unpack.eof:
            self.fault = "ends before the gzip stream is complete"
        return RawResponse(status, self.headers, self._content.getvalue(), self.fault, self._too_large)

    def _refuse_size(self) -> None:
        self._too_large = True
        self.fault = f"is larger than {self._limit} bytes (max_response_bytes)"


def decode(body: bytes) -> object:
    """Return the same value as `json.loads`, or raise the same error."""
    # msgspec refuses everything that it would read differently, such as NaN, huge numbers and a byte order mark.
    if len(body) >= _LARGE and (fast := _fast_decoder()) is not None:
        with contextlib.suppress(Exception):
            return fast(body)
    document: object = json.loads(body)
    return document


@cache
def _fast_decoder() -> Callable[[bytes], object] | None:
    try:
        from msgspec.json import Decoder  # noqa: PLC0415 - optional, and loaded when a large response arrives
    except ImportError:
        return None
    return Decoder().decode


@frozen(eq=False, repr=False)
class Content:
    """The body of a request, in the parts from which httpx makes its bytes again for each attempt."""

    content_type: str | None = None
    data: bytes = b""
    files: RequestFiles | None = None


def content_of(call: Call[object]) -> Content:
    """The body of a call."""
    if call.files is not None:
        _check_parts(call.files)
        # One boundary for all attempts, so that they send the same bytes. It is random, so no value can contain it.
        return Content(f"multipart/form-data; boundary={os.urandom(16).hex()}", files=call.files)
    if call.json is not None:
        return Content("application/json", _json(call.json).encode())
    if call.form is not None:
        return Content("application/x-www-form-urlencoded", urlencode(texts(call.form), doseq=True).encode())
    return Content() if call.content is None else Content("application/octet-stream", call.content)


def texts(values: Mapping[str, object]) -> dict[str, object]:
    """The values that are set, as a query or a form holds them: `true` and `false` as in JSON."""
    return {name: _text(value) for name, value in values.items() if value is not None}


def _text(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_text(single) for single in value]
    return json.dumps(value) if isinstance(value, bool) else value


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
        if content_type is not None and not _CONTENT_TYPE.fullmatch(content_type):
            raise InvalidRequestError(f"{name}: the content type must be printable ASCII")
        # httpx would find a lone surrogate only while it sends the request.
        for text in (file_name, content):
            if isinstance(text, str):
                text.encode()
