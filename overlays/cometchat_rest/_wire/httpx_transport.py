"""Lets a caller's own httpx transport stand where a pool of ours would."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from functools import lru_cache
from typing import cast

import httpcore
import httpx

from cometchat_rest.errors import InvalidRequestError

from .pool import FAILURES

_FAILURES = (*FAILURES, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, InvalidRequestError)


def _address(scheme: bytes, netloc: bytes, target: bytes) -> httpx.URL:
    return httpx.URL(b"".join((scheme, b"://", netloc, target)).decode("ascii"))


# Taking an address apart is most of what httpx does for a request. No address of a GET holds a secret.
_remembered_address = lru_cache(256)(_address)


def _to_httpx(request: httpcore.Request) -> httpx.Request:
    url = request.url
    address = _remembered_address if request.method == b"GET" else _address
    outgoing = httpx.Request(
        request.method.decode("ascii"),
        address(url.scheme, request.headers[0][1], url.target),
        headers=request.headers,
        content=b"".join(cast("Iterable[bytes]", request.stream)),
        extensions=request.extensions,
    )
    # httpx tidies addresses up, and what it tidies could be the difference between a token and all tokens.
    if outgoing.url.raw_path != url.target:
        raise InvalidRequestError("the address would change on its way, and the request go elsewhere")
    return outgoing


class Foreign:
    """A blocking httpx transport, which looks after its connections itself."""

    failures = _FAILURES

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    def lend(self, _request: httpcore.Request) -> Foreign:
        """Itself: it takes any number of requests."""
        return self

    def give_back(self, connection: Foreign) -> None:
        """Nothing: closing the answer freed what it held."""

    def handle_request(self, request: httpcore.Request) -> httpcore.Response:
        """Send the request through the transport."""
        response = self._transport.handle_request(_to_httpx(request))
        stream = cast("Iterable[bytes]", response.stream)
        return httpcore.Response(response.status_code, headers=response.headers.raw, content=stream)

    def close(self) -> None:
        """Close the transport."""
        self._transport.close()


class AsyncForeign:
    """An awaited httpx transport, which looks after its connections itself."""

    failures = _FAILURES

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def lend(self, _request: httpcore.Request) -> AsyncForeign:
        """As `Foreign.lend`."""
        return self

    async def give_back(self, connection: AsyncForeign) -> None:
        """As `Foreign.give_back`."""

    def late(self, _line: AsyncForeign | None, error: TimeoutError) -> Exception:
        """The error itself: nobody knows what the transport was waiting for."""
        return error

    async def handle_async_request(self, request: httpcore.Request) -> httpcore.Response:
        """As `Foreign.handle_request`, awaited."""
        response = await self._transport.handle_async_request(_to_httpx(request))
        stream = cast("AsyncIterable[bytes]", response.stream)
        return httpcore.Response(response.status_code, headers=response.headers.raw, content=stream)

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()
