"""Sends attempts through transports of httpx: the client's own or the caller's. No other module meets them.

A client has one transport with one connection for each call that runs at the same time, and a call takes the transport
that was used last. A single pool of httpx would look at all calls whenever one begins: fifty calls at a time would cost
six times as much. A transport is kept only after a complete response, so nothing of a call that ended in another way
can reach the next one.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncGenerator
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any, TypeAlias

import anyio
import httpx
from anyio.lowlevel import checkpoint_if_cancelled, current_token

from cometchat_rest._support.concurrency import MAX_CONCURRENCY
from cometchat_rest._support.forks import reset_in_children
from cometchat_rest.errors import ConfigurationError

from .outgoing import Outgoing, apieces, pieces
from .progress import Progress
from .redaction import hiding_secrets
from .request import Attempt
from .response import BodyReader, RawResponse
from .settings import Settings
from .slots import KEEP_ALIVE, Idle, new_permits
from .transport_errors import AttemptError

if TYPE_CHECKING:
    import ssl

    import httpx2

    #: The transports that the two clients accept.
    Transport: TypeAlias = httpx.BaseTransport | httpx2.BaseTransport
    AsyncTransport: TypeAlias = httpx.AsyncBaseTransport | httpx2.AsyncBaseTransport

_ALL_IN_USE = f"all {MAX_CONCURRENCY} connections are in use"


class Transports:
    """The transports for blocking calls, of any number of threads."""

    def __init__(self, settings: Settings, transport: Transport | None, ssl_context: ssl.SSLContext | None) -> None:
        _check(transport, ssl_context, "handle_request", "close", "httpx.BaseTransport")
        self._given: Any = transport
        self._outgoing = Outgoing(transport, settings.address, pieces)
        self._make = partial(httpx.HTTPTransport, **_options(settings, transport, ssl_context))
        self._proxied = settings.proxy is not None
        self._idle, self._permits = Idle[httpx.HTTPTransport](), new_permits()
        self._closed = False
        reset_in_children(self)

    def reset_after_fork(self) -> None:
        """Forget what belongs to the parent process: the connections, and the permits of its other threads."""
        self._close_idle(0)
        self._permits = new_permits()

    def send(self, attempt: Attempt) -> RawResponse:
        """Send a request and read its response."""
        with hiding_secrets(attempt.request.redact):
            if self._given is not None:
                return self._receive(self._given, attempt)
            permits = self._permits
            try:
                permit = permits.get(timeout=attempt.phases()["pool"])
            except Empty:
                raise AttemptError("pool", request_sent=False) from TimeoutError(_ALL_IN_USE)
            try:
                # After an exception, the transport is dropped, and with it a connection that httpcore left open.
                # An exception of a signal handler can leave a lock of httpcore locked: `close` might wait for ever.
                transport = self._idle.take(attempt.request.method) or self._make()
                received = self._receive(transport, attempt)
                if received.fault is None:
                    self._idle.keep(transport)
            finally:
                permits.put(permit)
        # Without this, the connections of many calls at once would stay open. A client can be closed during a call.
        self._close_idle(0 if self._closed else KEEP_ALIVE)
        return received

    def close(self) -> None:
        """Close the idle connections now, and the others when their calls end; or the caller's transport."""
        self._closed = True
        self._close_idle(0)
        if self._given is not None:
            self._given.close()

    def _close_idle(self, longest: float) -> None:
        for transport in self._idle.expired(longest):
            transport.close()

    def _receive(self, transport: Any, attempt: Attempt) -> RawResponse:
        progress = Progress(attempt.phases()["connect"] if self._proxied else None)
        request = self._outgoing.request(attempt, progress.note)
        try:
            response = transport.handle_request(request)
            try:
                reader = BodyReader(response.headers.raw, attempt.max_response_bytes)
                for chunk in response.stream:
                    if reader.is_full_after(chunk):
                        break
                    if time.monotonic() > attempt.deadline:
                        raise TimeoutError
            finally:
                response.close()
            return reader.response(_status(response))
        except Exception as error:  # noqa: BLE001 - a transport of the caller may raise anything
            raise progress.error(error) from (TimeoutError() if progress.timed_out else error)
        finally:
            progress.end_watch()
            if (unused := progress.unused) is not None:
                unused.close()


class AsyncTransports:
    """The transports for awaited calls. A connection belongs to an event loop, and each loop has its own."""

    def __init__(
        self, settings: Settings, transport: AsyncTransport | None, ssl_context: ssl.SSLContext | None
    ) -> None:
        _check(transport, ssl_context, "handle_async_request", "aclose", "httpx.AsyncBaseTransport")
        self._given: Any = transport
        self._outgoing = Outgoing(transport, settings.address, apieces)
        self._make = partial(httpx.AsyncHTTPTransport, **_options(settings, transport, ssl_context))
        self._loops: dict[Any, _Loop] = {}
        self._closed = False
        reset_in_children(self)

    def reset_after_fork(self) -> None:
        """Leave the event loops of the parent process alone: to close or to lose them would disturb the parent."""
        _LEFT_BEHIND.append(self._loops)
        self._loops = {}

    async def send(self, attempt: Attempt) -> RawResponse:
        """Like `Transports.send`, awaited."""
        # A transport may not notice, and a cancelled call must not send its request.
        await checkpoint_if_cancelled()
        with hiding_secrets(attempt.request.redact):
            if self._given is not None:
                return await self._receive(self._given, attempt)
            loop = await self._current_loop()
            await loop.wait_for_permit(attempt)
            try:
                transport = loop.idle.take(attempt.request.method) or self._make()
                kept = False
                try:
                    received = await self._receive(transport, attempt)
                    if kept := received.fault is None and not self._closed:
                        loop.idle.keep(transport)
                finally:
                    if not kept:
                        await _aclose(transport)
            finally:
                loop.permits.release()
            await loop.close_idle(KEEP_ALIVE)
            # All event loops together keep as many idle connections as one of them.
            idle = sum(len(other.idle) for other in list(self._loops.values()))
            if idle > MAX_CONCURRENCY and (surplus := loop.idle.take("GET")) is not None:
                await _aclose(surplus)
        return received

    async def aclose(self) -> None:
        """Like `Transports.close`, for all event loops."""
        self._closed = True
        for native in list(self._loops):
            await self._end(native)
        if self._given is not None:
            await self._given.aclose()

    async def _current_loop(self) -> _Loop:
        native = current_token().native_token
        if (loop := self._loops.get(native)) is None:
            loop = self._loops[native] = _Loop(self._live(native))
            await anext(loop.life)
            # These were closed without an end of their generators.
            for other in [other for other in list(self._loops) if getattr(other, "is_closed", bool)()]:
                await self._end(other)
        return loop

    async def _live(self, native: object) -> AsyncGenerator[None, None]:
        """As long as an event loop. At its end, the loop closes its generators, and so closes its connections."""
        try:
            yield
        finally:
            if (loop := self._loops.pop(native, None)) is not None:
                await loop.close_idle(0)

    async def _end(self, native: Any) -> None:
        if (loop := self._loops.get(native)) is None:
            return
        if native is not current_token().native_token and getattr(native, "is_running", bool)():
            import asyncio  # noqa: PLC0415 - slow to load, and an event loop that runs has loaded it

            # Another thread runs this event loop, and only that thread may close its connections.
            asyncio.run_coroutine_threadsafe(_aclose(loop.life), native)
        else:
            await _aclose(loop.life)

    async def _receive(self, transport: Any, attempt: Attempt) -> RawResponse:
        progress = Progress()
        request = self._outgoing.request(attempt, progress.anote)
        try:
            with anyio.move_on_after(attempt.deadline - time.monotonic()):
                return await self._read(transport, request, attempt)
            raise TimeoutError  # noqa: TRY301 - it needs the phase, too
        except Exception as error:
            raise progress.error(error) from error
        finally:
            if (unused := progress.unused) is not None:
                await _aclose(unused)

    async def _read(self, transport: Any, request: Any, attempt: Attempt) -> RawResponse:
        try:
            response = await transport.handle_async_request(request)
            try:
                reader = BodyReader(response.headers.raw, attempt.max_response_bytes)
                async for chunk in response.stream:
                    if reader.is_full_after(chunk):
                        break
            finally:
                await response.aclose()
        except anyio.get_cancelled_exc_class():
            # A transport, such as that of pyreqwest, may raise a new exception when it is cancelled. A cancel scope,
            # also one of the caller, expects its own exception.
            await checkpoint_if_cancelled()
            raise
        return reader.response(_status(response))


class _Loop:
    """The connections of one event loop, and a generator that ends with it."""

    def __init__(self, life: AsyncGenerator[None, None]) -> None:
        self.life = life
        self.permits = anyio.Semaphore(MAX_CONCURRENCY)
        self.idle = Idle[httpx.AsyncHTTPTransport]()

    async def wait_for_permit(self, attempt: Attempt) -> None:
        try:
            self.permits.acquire_nowait()
        except anyio.WouldBlock:
            with anyio.move_on_after(attempt.phases()["pool"]):
                await self.permits.acquire()
                return
            raise AttemptError("pool", request_sent=False) from TimeoutError(_ALL_IN_USE)

    async def close_idle(self, longest: float) -> None:
        for transport in self.idle.expired(longest):
            await _aclose(transport)


async def _aclose(connection: Any) -> None:
    # The connection may have ended with its event loop.
    with anyio.CancelScope(shield=True), contextlib.suppress(Exception):
        await connection.aclose()


#: The event loops of parent processes.
_LEFT_BEHIND: list[object] = []


def _check(transport: object, ssl_context: object, send: str, close: str, kind: str) -> None:
    if ssl_context is not None and (isinstance(ssl_context, type) or not hasattr(ssl_context, "wrap_bio")):
        raise ConfigurationError(
            "must be an ssl.SSLContext for clients, such as from ssl.create_default_context()", argument="ssl_context"
        )
    if transport is None:
        return
    if ssl_context is not None:
        reason = "and transport cannot be combined: the transport has its own TLS settings"
        raise ConfigurationError(reason, argument="ssl_context")
    if isinstance(transport, type):
        reason = f"must be an object, not the class {transport.__name__}: add parentheses"
        raise ConfigurationError(reason, argument="transport")
    if not (callable(getattr(transport, send, None)) and callable(getattr(transport, close, None))):
        raise ConfigurationError(f"must be an {kind}, not {type(transport).__name__}", argument="transport")


def _options(settings: Settings, transport: object, context: ssl.SSLContext | None) -> dict[str, Any]:
    """The arguments for a transport with one connection. All transports of a client share the certificates."""
    if transport is None and context is None:
        try:
            # Plain HTTP stays on this machine. To read certificates takes longer than a whole call there.
            context = httpx.create_ssl_context(verify=settings.address.scheme == "https")
        except OSError as error:
            raise ConfigurationError(
                f"SSL_CERT_FILE or SSL_CERT_DIR: the certificates cannot be read ({error})"
            ) from None
    proxy = None
    if settings.proxy is not None:
        to_proxy = context if settings.proxy.address.startswith("https:") else None
        proxy = httpx.Proxy(settings.proxy.url.reveal(), ssl_context=to_proxy)
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=KEEP_ALIVE)
    return {"verify": context, "trust_env": False, "limits": limits, "proxy": proxy}


def _status(response: Any) -> int:
    """The status of a response; a transport of the caller may return anything."""
    status = response.status_code
    if type(status) is not int or not 100 <= status <= 999:
        raise ValueError(f"the status of the response is {status!r}")
    return status
