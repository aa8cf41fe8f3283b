"""Lets a caller's own httpx transport take the place of the pool."""

from __future__ import annotations

import time
from collections.abc import AsyncIterable, Iterable
from functools import lru_cache
from typing import cast

import anyio.lowlevel
import httpcore
import httpx

from cometchat_rest._call.redaction import guard_wire_logs, redacting_logs
from cometchat_rest._call.request import Attempt
from cometchat_rest._call.response import BodyReader, RawResponse
from cometchat_rest._call.settings import Address
from cometchat_rest._call.transport_errors import AttemptError
from cometchat_rest.errors import InvalidRequestError, TransportErrorKind

# For each exception of a transport: the phase that failed, and whether the request may have been sent. The first class
# that fits counts.
_KINDS: tuple[tuple[tuple[type[Exception], ...], TransportErrorKind, bool], ...] = (
    ((httpx.ConnectTimeout, httpx.ConnectError, httpcore.ConnectTimeout, httpcore.ConnectError), "connect", False),
    ((httpx.PoolTimeout, httpcore.PoolTimeout), "pool", False),
    ((httpx.ProxyError, httpcore.ProxyError), "proxy", False),
    ((httpx.UnsupportedProtocol, httpcore.UnsupportedProtocol), "protocol", False),
    ((httpx.WriteTimeout, httpx.WriteError, httpcore.WriteTimeout, httpcore.WriteError), "write", True),
    ((httpx.TimeoutException, httpx.NetworkError, httpcore.TimeoutException, httpcore.NetworkError), "read", True),
    ((TimeoutError,), "deadline", True),
    ((httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, httpcore.ProtocolError), "protocol", True),
)
_FAILURES = tuple(cls for classes, _, _ in _KINDS for cls in classes)


def _url(address: Address, target: bytes) -> httpx.URL:
    return httpx.URL(b"".join((address.scheme, b"://", address.netloc, target)).decode("ascii"))


# Parsing an address is most of the work that httpx does for a request. The address of a GET holds no secret.
_remembered_url = lru_cache(256)(_url)


def _to_httpx(attempt: Attempt, address: Address) -> httpx.Request:
    request = attempt.request
    outgoing = httpx.Request(
        request.method,
        (_remembered_url if request.method == "GET" else _url)(address, request.target),
        headers=request.headers,
        content=request.body,
        extensions={"timeout": attempt.phases()},
    )
    # httpx normalises addresses; that could make the difference between one token and all tokens.
    if outgoing.url.raw_path != request.target:
        raise InvalidRequestError("the address would change on its way, and the request would go elsewhere")
    return outgoing


def _attempt_error(error: Exception) -> AttemptError:
    return next(AttemptError(kind, request_sent=sent) for classes, kind, sent in _KINDS if isinstance(error, classes))


class HttpxTransportAdapter:
    """A blocking httpx transport, which looks after its connections itself; as `api.ConnectionSource`."""

    def __init__(self, transport: httpx.BaseTransport, address: Address) -> None:
        guard_wire_logs()
        self._transport = transport
        self._address = address

    def send(self, attempt: Attempt) -> RawResponse:
        """Send the request through the transport.

        Raises:
            AttemptError: no complete response arrived.
            InvalidRequestError: httpx would send the request to another address.
        """
        with redacting_logs(attempt.request.redact):
            try:
                response = self._transport.handle_request(_to_httpx(attempt, self._address))
                try:
                    reader = BodyReader(response.headers.raw, attempt.max_response_bytes)
                    for chunk in cast("Iterable[bytes]", response.stream):
                        reader.feed(chunk)
                        if reader.fault is not None:
                            break
                        if time.monotonic() > attempt.deadline:
                            raise TimeoutError
                finally:
                    response.close()
            except _FAILURES as error:
                raise _attempt_error(error) from error
        return reader.response(response.status_code)

    def close(self) -> None:
        """Close the transport."""
        self._transport.close()


class AsyncHttpxTransportAdapter:
    """An awaited httpx transport, which looks after its connections itself; as `api.AsyncConnectionSource`."""

    def __init__(self, transport: httpx.AsyncBaseTransport, address: Address) -> None:
        guard_wire_logs()
        self._transport = transport
        self._address = address

    async def send(self, attempt: Attempt) -> RawResponse:
        """Like `HttpxTransportAdapter.send`, awaited."""
        # A transport may not notice, and a cancelled call must not send its request.
        await anyio.lowlevel.checkpoint_if_cancelled()
        with redacting_logs(attempt.request.redact):
            try:
                with anyio.fail_after(max(0.0, attempt.deadline - time.monotonic())):
                    response = await self._transport.handle_async_request(_to_httpx(attempt, self._address))
                    try:
                        reader = BodyReader(response.headers.raw, attempt.max_response_bytes)
                        async for chunk in cast("AsyncIterable[bytes]", response.stream):
                            reader.feed(chunk)
                            if reader.fault is not None:
                                break
                    finally:
                        await response.aclose()
            except _FAILURES as error:
                raise _attempt_error(error) from error
        return reader.response(response.status_code)

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()
