"""From a response to the result of a call, or to its error (pure)."""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import define, field

from cometchat_openapi import Operation
from cometchat_openapi.types import Response
from cometchat_rest.errors import BODY_SAMPLE, CometChatError, ResponseTooLargeError, ServerError, UnexpectedResponse

from .api_errors import abbreviated, api_error, redacted_headers, sample
from .decoding import decode
from .drift import DeadlinePassed, Drift, deviations, fields_of, mismatch
from .redaction import Redactor
from .settings import Settings

T = TypeVar("T")

#: Checks the body of a success. If the body does not confirm the change: a JSON pointer, and the value expected there.
Confirm: TypeAlias = Callable[[T], tuple[str, str] | None]

# Each object and each name in it costs time and memory, also one that compresses to nothing. Only the first mismatches
# are reported: the search for them is much slower than reading.
_MOST_OBJECTS, _MOST_NAMES, _MOST_MISMATCHES = 250_000, 500_000, 100
# Everything up to the next object, array or value of a name, with the texts before it. Possessive, so that the time is
# linear; it also matches a text without an end, so that no character is read twice; limited, so that other threads get
# their turn.
_UP_TO_A_MARK = r'(?s)(?:[^"{\[:]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"?+){0,999}+([{\[:])?+'
_LATE = "the deadline of the call passed while its body was read; raise the deadline, or ask for less in one call"
# The only encoding that requests ask for, by both its names. Servers do not agree on the meaning of "deflate".
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_WINDOW = 31


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
    """Collects and decodes a body up to a limit; a small response may unpack to a huge one."""

    def __init__(self, headers: Sequence[tuple[bytes, bytes]], limit: int) -> None:
        self.headers: dict[str, str] = {}
        for raw_name, raw_value in headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            self.headers[name] = f"{self.headers[name]}, {value}" if name in self.headers else value
        self.fault: str | None = None
        self._too_large = False
        self._limit = limit
        self._received = 0
        # Not a list of chunks: a service may send one byte at a time, and a list needs forty bytes for each. Not a
        # bytearray: its bytes would be copied at the end.
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
        """Add the next bytes of the body; whether the caller should stop reading, because of a fault."""
        self._add(chunk)
        return self.fault is not None

    def _add(self, chunk: bytes) -> None:
        # Also counted before unpacking: data that unpacks to nothing must not continue for ever.
        self._received += len(chunk)
        if self._unpack is not None:
            try:
                # One byte above the limit is enough to know. Data after the end of the gzip stream is ignored.
                room = self._limit - self._content.tell() + 1
                chunk = b"" if self._unpack.eof else self._unpack.decompress(chunk, room)
            except zlib.error:
                self.fault = "is not valid gzip, although its headers say so"
                return
        if self._received > self._limit or self._content.tell() + len(chunk) > self._limit:
            self._refuse_size()
        else:
            self._content.write(chunk)

    def response(self, status: int) -> RawResponse:
        """The response, after the last byte of its body."""
        if self.fault is None and self._unpack is not None and self._content.tell() and not self._unpack.eof:
            self.fault = "ends before the gzip stream is complete"
        return RawResponse(status, self.headers, self._content.getvalue(), self.fault, self._too_large)

    def _refuse_size(self) -> None:
        self._too_large = True
        self.fault = f"is larger than {self._limit} bytes (max_response_bytes)"


@define(eq=False)
class _Unusable(Exception):  # noqa: N818 - it never leaves this module
    """The reason why a response cannot be used, and whether it proves that the request was carried out."""

    reason: str
    pointer: str | None = None
    carried_out: bool = False
    cls: type[UnexpectedResponse] = UnexpectedResponse


@define(eq=False, repr=False)
class Reading(Generic[T]):
    """The reading of one response. Errors are returned and not raised, because these frames hold secrets."""

    _operation: Operation[T]
    _settings: Settings
    _response: RawResponse
    _redact: Redactor
    _confirm: Confirm[T] | None
    _deadline: float
    drifts: list[Drift] = field(factory=list, init=False)

    def outcome(self) -> Response[T] | CometChatError:
        """The result of the call, or its error; `drifts` gets the mismatches."""
        operation, response = self._operation, self._response
        if not any(first <= response.status <= last for first, last in operation.success):
            return self._refusal()
        is_empty = operation.result is object and not response.body and response.fault is None
        try:
            parsed = operation.parse(None, []) if operation.result is None or is_empty else self._parsed()
        except _Unusable as unusable:
            return self._unexpected(unusable)
        return Response(response.status, response.body, response.headers, parsed)

    def _parsed(self) -> T:
        """The body of a success in its type."""
        self._check_time()
        document = _document(self._response)
        self._check_time()
        mismatches: list[type] = []
        parsed = self._operation.parse(document, mismatches)
        # A change that the response confirms is worth more than the rest of the deadline.
        if self._operation.method == "GET":
            self._check_time()
        unconfirmed = None if self._confirm is None else self._confirm(parsed)
        if mismatches:
            # Only strict reading refuses this response, so it proves that the request was carried out.
            self._find_drifts(carried_out=self._settings.strict and unconfirmed is None)
        if unconfirmed is not None:
            pointer, expected = unconfirmed
            raise _Unusable(f"{pointer} is not {expected}", pointer)
        return parsed

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise _Unusable(_LATE)

    def _find_drifts(self, *, carried_out: bool) -> None:
        """Find the first mismatches of a body; there may be none, because 5.0 is an integer for JSON Schema."""
        # Decoded again, because reading consumed the document.
        document = decode(self._response.body)
        operation, strict = self._operation, self._settings.strict
        _check_essentials(operation.result, document)
        try:
            places = islice(deviations(operation.result, document, deadline=self._deadline), _MOST_MISMATCHES)
            for pointer, expected in places:
                if strict:
                    raise _Unusable(f"{pointer} is not {expected}", pointer, carried_out)
                self.drifts.append(Drift(operation.name, pointer, expected))
        except DeadlinePassed:
            if strict:
                raise _Unusable(_LATE, None, carried_out) from None

    def _refusal(self) -> CometChatError:
        operation, response, redact = self._operation, self._response, self._redact
        if 400 <= response.status < 600:
            error = api_error(operation.name, response.status, response.headers, response.body, redact)
            error.outcome_unknown = operation.method != "GET" and isinstance(error, ServerError)
            return error
        fault = "a status outside the contract"
        if 300 <= response.status < 400 and "location" in response.headers:
            target = abbreviated(redact(response.headers["location"][:BODY_SAMPLE]))
            fault = f"a redirect to {target}; redirects are not followed, so check base_url"
        return self._unexpected(_Unusable(fault))

    def _unexpected(self, unusable: _Unusable) -> UnexpectedResponse:
        operation, response = self._operation, self._response
        error = unusable.cls(
            f"the response has status {response.status}: {unusable.reason}",
            operation=operation.name,
            status_code=response.status,
            pointer=unusable.pointer,
            headers=response.headers,
            body=sample(response.body, self._redact),
        )
        error.headers = redacted_headers(response.headers, self._redact)
        error.outcome_unknown = operation.method != "GET" and not unusable.carried_out
        return error


def _document(response: RawResponse) -> Any:
    """The decoded body."""
    if response.fault is not None:
        cls = ResponseTooLargeError if response.too_large else UnexpectedResponse
        raise _Unusable(f"its body {response.fault}", cls=cls)
    try:
        if _is_too_much(response.body):
            limits = f"{_MOST_OBJECTS} objects and arrays, or {_MOST_NAMES} names in objects"
            raise _Unusable(f"its body has more than {limits}; ask for less in one call")
        return decode(response.body)
    except (ValueError, RecursionError):
        raise _Unusable("its body is not JSON" if response.body else "its body is empty") from None


def _is_too_much(body: bytes) -> bool:
    """Whether a body has too many objects, arrays or names."""
    # A name with its value needs four bytes. To count the colons of a usual response would take a tenth of its time.
    few_names = len(body) <= 4 * _MOST_NAMES or body.count(b":") <= _MOST_NAMES
    if few_names and body.count(b"{") + body.count(b"[") <= _MOST_OBJECTS:
        return False
    # Texts may contain any number of brackets and colons, so only those between texts count.
    text = body.decode(json.detect_encoding(body), "surrogatepass")
    objects = names = 0
    for match in re.finditer(_UP_TO_A_MARK, text):
        if match[1] == ":":
            names += 1
        elif match[1]:
            objects += 1
        if objects > _MOST_OBJECTS or names > _MOST_NAMES:
            return True
    return False


def _check_essentials(expected: Any, document: Any) -> None:
    """Refuse a body that is of another type, or whose `data` is."""
    if (required := mismatch(expected, document)) is not None:
        raise _Unusable(f"its body is not {required}", "")
    fields = fields_of(expected)[0] if hasattr(expected, "JSON_NAMES") else {}
    if "data" not in fields:
        return
    inner, is_required = fields["data"]
    required = mismatch(inner, document["data"]) if "data" in document else "present" if is_required else None
    if required is not None:
        raise _Unusable(f"/data is not {required}", "/data")
