"""From what came back to the result of a call, or to its error (pure)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from attrs import field, frozen

from cometchat_openapi import Operation
from cometchat_openapi.types import Response
from cometchat_rest.errors import (
    CometChatError,
    ResponseTooLargeError,
    ServerError,
    UnexpectedResponse,
)

from .api_errors import api_error, sample, shortened, shown
from .drift import Drift, deviations, report
from .redaction import Redactor
from .settings import Settings

T = TypeVar("T")

#: Checks the body of a success. If the body does not confirm the change: a JSON pointer, and the value expected there.
Confirm: TypeAlias = Callable[[T], tuple[str, str] | None]

# Where a departure from the description leaves nothing to hand out.
_ESSENTIAL = frozenset({"", "/data"})
# The one encoding that is asked for, by both its names. What "deflate" means, servers do not agree on.
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_WINDOW = 31


@frozen
class Answer:
    """What came back: the status, the headers with names in lower case, the decoded body.

    `fault` says why the body is not all there, in words, where it is not; `too_large`, whether its size is why.
    """

    status: int
    # What may repeat a secret is not for those who look at frames.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    fault: str | None = None
    too_large: bool = False


class Body:
    """Collects a body, decoded, and never more of it than allowed: a small answer may unpack to a huge one."""

    def __init__(self, headers: Sequence[tuple[bytes, bytes]], limit: int) -> None:
        self.headers: dict[str, str] = {}
        for raw_name, raw_value in headers:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            self.headers[name] = f"{self.headers[name]}, {value}" if name in self.headers else value
        self.fault: str | None = None
        self._too_large = False
        self._limit = limit
        self._received = 0
        # Not a list of chunks: a service may send a byte at a time, and each would cost forty.
        self._content = bytearray()
        self._unpack = None
        encoding = self.headers.get("content-encoding", "identity").strip().lower()
        if encoding in _GZIP:
            self._unpack = zlib.decompressobj(_GZIP_WINDOW)
        elif encoding != "identity":
            self.fault = "is in an encoding that was not asked for"
        promised = self.headers.get("content-length", "")
        if promised.isascii() and promised.isdigit() and int(promised[:20]) > limit:
            self._refuse_size()

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes off the wire; once `fault` is set, no more are wanted."""
        # Counted before it is unpacked as well: what unpacks to nothing must not go on for ever either.
        self._received += len(chunk)
        if self._unpack is not None:
            try:
                # One byte more than allowed is enough to know. What follows the end is no part of the body, nor kept.
                room = self._limit - len(self._content) + 1
                chunk = b"" if self._unpack.eof else self._unpack.decompress(chunk, room)
            except zlib.error:
                self.fault = "is not encoded as its headers say"
                return
        if self._received > self._limit or len(self._content) + len(chunk) > self._limit:
            self._refuse_size()
        else:
            self._content += chunk

    def answer(self, status: int) -> Answer:
        """What came back, now that no more will."""
        if self.fault is None and self._unpack is not None and self._content and not self._unpack.eof:
            self.fault = "ends too early"
        return Answer(status, self.headers, bytes(self._content), self.fault, self._too_large)

    def _refuse_size(self) -> None:
        self._too_large = True
        self.fault = f"is larger than {self._limit} bytes (max_response_bytes)"


def judge(
    operation: Operation[T], settings: Settings, answer: Answer, redact: Redactor, confirm: Confirm[T] | None = None
) -> Response[T] | CometChatError:
    """The result of a call, or its error; returned, so that whoever raises it has no secrets in its frame."""
    if not any(first <= answer.status <= last for first, last in operation.success):
        return _refusal(operation, answer, redact)
    if operation.result is None:
        return Response(answer.status, answer.body, answer.headers, operation.parse(None, None))
    if answer.fault is not None:
        cls = ResponseTooLargeError if answer.too_large else UnexpectedResponse
        return _unexpected(operation, answer, redact, f"its body {answer.fault}", cls=cls)
    try:
        document = json.loads(answer.body)
    except (ValueError, RecursionError):
        return _unexpected(operation, answer, redact, "its body is not JSON" if answer.body else "its body is empty")
    odd: list[type] = []
    parsed = operation.parse(document, odd)
    if odd:
        # Once more, because reading took the document apart.
        for pointer, expected in deviations(operation.result, json.loads(answer.body)):
            if settings.strict or pointer in _ESSENTIAL:
                error = _unexpected(operation, answer, redact, f"{pointer or 'its body'} is not {expected}", pointer)
                # A response that only strict reading refuses still shows that the request was carried out.
                error.outcome_unknown &= pointer in _ESSENTIAL or bool(confirm and confirm(parsed))
                return error
            drift = Drift(operation.name, pointer, expected)
            report(drift)
            if settings.on_drift is not None:
                settings.on_drift(drift)
    if confirm is not None and (missing := confirm(parsed)) is not None:
        pointer, expected = missing
        return _unexpected(operation, answer, redact, f"{pointer} is not {expected}", pointer)
    return Response(answer.status, answer.body, answer.headers, parsed)


def _refusal(operation: Operation[Any], answer: Answer, redact: Redactor) -> CometChatError:
    if 400 <= answer.status < 600:
        error = api_error(operation.name, answer.status, answer.headers, answer.body, redact)
        error.outcome_unknown = operation.method != "GET" and isinstance(error, ServerError)
        return error
    if 300 <= answer.status < 400:
        target = shortened(redact(answer.headers.get("location", "nowhere")))
        return _unexpected(operation, answer, redact, f"a redirect to {target}, which is never followed")
    return _unexpected(operation, answer, redact, "a status outside the contract")


def _unexpected(
    operation: Operation[Any],
    answer: Answer,
    redact: Redactor,
    what: str,
    pointer: str | None = None,
    cls: type[UnexpectedResponse] = UnexpectedResponse,
) -> UnexpectedResponse:
    error = cls(
        f"{operation.name} was answered with {answer.status}: {what}",
        operation=operation.name,
        status_code=answer.status,
        pointer=pointer,
        headers=answer.headers,
        body=sample(answer.body, redact),
    )
    error.headers = shown(answer.headers, redact)
    error.outcome_unknown = operation.method != "GET"
    return error
