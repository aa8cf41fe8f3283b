"""Lets a caller's own transport, of httpx or of its fork httpx2, take the place of the pool."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterable, Iterable
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import anyio
import anyio.lowlevel

from cometchat_rest._call.redaction import guard_wire_logs, hiding_secrets
from cometchat_rest._call.request import Attempt
from cometchat_rest._call.response import BodyReader, RawResponse
from cometchat_rest._call.settings import Address
from cometchat_rest._call.transport_errors import AttemptError
from cometchat_rest.errors import InvalidRequestError, TransportErrorKind

if TYPE_CHECKING:
    import httpx
    import httpx2

    #: The transports that the two clients accept.
    Transport: TypeAlias = httpx.BaseTransport | httpx2.BaseTransport
    AsyncTransport: TypeAlias = httpx.AsyncBaseTransport | httpx2.AsyncBaseTransport

_LIBRARIES = frozenset({"httpx", "httpx2", "httpcore", "httpcore2"})
# For each exception class of these libraries: the phase that failed, and whether the request may have been sent.
_KINDS: dict[str, tuple[TransportErrorKind, bool]] = {
    "ConnectTimeout": ("connect", False),
    "ConnectError": ("connect", False),
    "PoolTimeout": ("pool", False),
    "ProxyError": ("proxy", False),
    "UnsupportedProtocol": ("protocol", False),
    "WriteTimeout": ("write", True),
    "WriteError": ("write", True),
    "TimeoutException": ("read", True),
    "NetworkError": ("read", True),
    "ProtocolError": ("protocol", True),
    "HTTPError": ("protocol", True),
    "StreamError": ("protocol", True),
    "InvalidURL": ("protocol", True),
}


def _library(transport: object) -> ModuleType:
    """The library whose requests a transport takes: httpx2 for a transport of httpx2, else httpx."""
    # Only a program that has loaded httpx2 can have such a transport.
    httpx2 = sys.modules.get("httpx2")
    if httpx2 is not None and isinstance(transport, (httpx2.BaseTransport, httpx2.AsyncBaseTransport)):
        return httpx2
    import httpx  # noqa: PLC0415 - slow to load; nearly every transport of a caller has loaded it

    return httpx


def _url(library: ModuleType, address: Address, target: bytes) -> Any:
    return library.URL(b"".join((address.scheme, b"://", address.netloc, target)).decode("ascii"))


# Parsing an address is most of the work that httpx does for a request. The address of a GET holds no secret.
_remembered_url = lru_cache(256)(_url)


def _outgoing(library: ModuleType, attempt: Attempt, address: Address) -> Any:
    """The request, as the library of the transport represents it."""
    request = attempt.request
    outgoing = library.Request(
        request.method,
        (_remembered_url if request.method == "GET" else _url)(library, address, request.target),
        headers=request.headers,
        content=request.body,
        extensions={"timeout": attempt.phases()},
    )
    # httpx normalises addresses; that could make the difference between one token and all tokens.
    if outgoing.url.raw_path != request.target:
        raise InvalidRequestError("the address would change on its way, and the request would go elsewhere")
    return outgoing


def _attempt_error(error: Exception) -> AttemptError:
    """The phase that failed. An exception that belongs to no network library may be anything, such as a bug."""
    for each in type(error).__mro__:
        if _package(each) in _LIBRARIES and each.__name__ in _KINDS:
            kind, sent = _KINDS[each.__name__]
            if sent or _is_reliable(error.__cause__):
                return AttemptError(kind, request_sent=sent)
            return AttemptError("read", request_sent=True)
    return AttemptError("read" if isinstance(error, OSError) else "transport", request_sent=True)


def _is_reliable(cause: BaseException | None) -> bool:
    """Whether an exception with this cause proves that nothing was sent.

    The transports of httpx-aiohttp and pyreqwest also raise `ConnectError` or `ConnectTimeout` for a connection that
    broke after the request was sent.
    """
    if cause is None or _package(type(cause)) in _LIBRARIES | sys.stdlib_module_names:
        return True
    return any(each.__name__ == "ClientConnectorError" for each in type(cause).__mro__)


def _package(cls: type) -> str:
    return cls.__module__.partition(".")[0]


def _status(response: Any) -> int:
    """The status of a response; a transport of the caller may return anything."""
    status = response.status_code
    if type(status) is not int or not 100 <= status <= 999:
        raise ValueError(f"the status of the response is {status!r}")
    return status


class _Adapter:
    """A transport, which looks after its connections itself."""

    def __init__(self, transport: Transport | AsyncTransport, address: Address) -> None:
        guard_wire_logs()
        self._transport: Any = transport
        self._library = _library(transport)
        self._address = address


class HttpxTransportAdapter(_Adapter):
    """A blocking transport; as `api.ConnectionSource`."""

    def send(self, attempt: Attempt) -> RawResponse:
        """Send the request through the transport.

        Raises:
            AttemptError: no complete response arrived.
            InvalidRequestError: httpx would send the request to another address.
        """
        request = _outgoing(self._library, attempt, self._address)
        with hiding_secrets(attempt.request.redact):
            try:
                response = self._transport.handle_request(request)
                try:
                    reader, late = BodyReader(response.headers.raw, attempt.max_response_bytes), False
                    for chunk in cast("Iterable[bytes]", response.stream):
                        reader.feed(chunk)
                        late = time.monotonic() > attempt.deadline
                        if late or reader.fault is not None:
                            break
                finally:
                    response.close()
                received = reader.response(_status(response))
            except Exception as error:
                raise _attempt_error(error) from error
        if late:
            raise AttemptError("deadline", request_sent=True) from TimeoutError()
        return received

    def close(self) -> None:
        """Close the transport."""
        self._transport.close()


class AsyncHttpxTransportAdapter(_Adapter):
    """An awaited transport; as `api.AsyncConnectionSource`."""

    async def send(self, attempt: Attempt) -> RawResponse:
        """Like `HttpxTransportAdapter.send`, awaited."""
        # A transport may not notice, and a cancelled call must not send its request.
        await anyio.lowlevel.checkpoint_if_cancelled()
        request = _outgoing(self._library, attempt, self._address)
        with hiding_secrets(attempt.request.redact):
            try:
                with anyio.move_on_after(attempt.deadline - time.monotonic()):
                    return await self._receive(request, attempt)
            except Exception as error:
                raise _attempt_error(error) from error
        raise AttemptError("deadline", request_sent=True) from TimeoutError()

    async def _receive(self, request: Any, attempt: Attempt) -> RawResponse:
        try:
            response = await self._transport.handle_async_request(request)
            try:
                reader = BodyReader(response.headers.raw, attempt.max_response_bytes)
                async for chunk in cast("AsyncIterable[bytes]", response.stream):
                    reader.feed(chunk)
                    if reader.fault is not None:
                        break
            finally:
                await response.aclose()
        except anyio.get_cancelled_exc_class():
            # A transport, such as that of pyreqwest, may raise a new exception when it is cancelled. A cancel scope,
            # also one of the caller, expects its own exception.
            await anyio.lowlevel.checkpoint_if_cancelled()
            raise
        return reader.response(_status(response))

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()
