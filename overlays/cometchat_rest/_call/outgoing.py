"""From an attempt to a request of httpx."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import lru_cache, partial
from types import ModuleType
from typing import Any
from urllib.parse import SplitResult

import httpx

from cometchat_rest.errors import InvalidRequestError

from .request import Attempt
from .transport_errors import AttemptError

# How many bytes of a body are sent at a time. httpcore copies the rest of a piece that the system takes only in part,
# and from 128 KiB, malloc takes new pages for each copy; smaller pieces cost more calls.
_PIECE = 64_000


class Outgoing:
    """Makes the requests for one transport, as the library of the transport represents them."""

    def __init__(self, transport: object, address: SplitResult, pieces: Callable[[Attempt], Any]) -> None:
        self._library = _library(transport)
        self._pieces = pieces
        base = f"{address.scheme}://{address.netloc}".encode("ascii")
        # Parsing an address is most of the work that httpx does for a request. That of a DELETE may hold a token.
        self._url = partial(_url, self._library, base)
        self._remembered_url = lru_cache(256)(self._url)
        # The headers of nearly all calls are those of the client.
        self._headers: tuple[object, Any] = (None, None)

    def request(self, attempt: Attempt, trace: object) -> Any:
        """The request of an attempt; httpx reports its progress to `trace`."""
        request, library = attempt.request, self._library
        if time.monotonic() >= attempt.deadline:
            raise AttemptError("deadline", request_sent=False) from TimeoutError()
        known, headers = self._headers
        if known is not request.headers:
            headers = library.Headers(request.headers)
            self._headers = (request.headers, headers)
        in_pieces = request.size > _PIECE
        outgoing = library.Request(
            request.method,
            (self._url if request.method == "DELETE" else self._remembered_url)(request.target),
            headers=headers,
            content=self._pieces(attempt) if in_pieces else None,
            # Not as `content`: httpx would look for headers to add.
            stream=None if in_pieces else library.ByteStream(b"".join(request.body)),
            extensions={"timeout": attempt.phases(), "trace": trace},
        )
        if not in_pieces:
            # Transports of test tools expect to find the content.
            outgoing.read()
        return outgoing


def _library(transport: object) -> ModuleType:
    """The library whose requests a transport takes: httpx2 for a transport of httpx2, else httpx."""
    # Only a program that has loaded httpx2 can have such a transport.
    httpx2 = sys.modules.get("httpx2")
    if httpx2 is not None and isinstance(transport, (httpx2.BaseTransport, httpx2.AsyncBaseTransport)):
        return httpx2
    return httpx


def _url(library: ModuleType, base: bytes, target: bytes) -> Any:
    url = library.URL((base + target).decode("ascii"))
    # httpx normalises addresses; that could make the difference between one token and all tokens.
    if url.raw_path != target:
        raise InvalidRequestError("the address would change on its way, and the request would go elsewhere")
    return url


def pieces(attempt: Attempt) -> Iterator[bytes]:
    """The body of a large request, without a second copy of all of it."""
    rest = b""
    for part in attempt.request.body:
        start = 0
        while len(part) - start >= (room := _PIECE - len(rest)):
            yield rest + part[start : start + room] if rest else part[start : start + room]
            # The timeout for writing begins anew with each piece.
            if time.monotonic() > attempt.deadline:
                raise TimeoutError
            start, rest = start + room, b""
        rest += part[start:]
    yield rest


async def apieces(attempt: Attempt) -> AsyncIterator[bytes]:
    """Like `pieces`, awaited."""
    for piece in pieces(attempt):
        yield piece
