"""Sends attempts through transports of httpx: the client's own or the caller's. No other module meets them.

A client has one transport with one connection for each call that runs at the same time, and a call takes the transport
that was used last. A single pool of httpx would look at all calls whenever one begins: fifty calls at a time would cost
six times as much. A transport is kept only after a complete response, so nothing of a call that ended in another way
can reach the next one.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import anyio
import httpx
from anyio.lowlevel import checkpoint_if_cancelled, current_token

from cometchat_rest._support.concurrency import MAX_CONCURRENCY
from cometchat_rest._support.forks import reset_in_children
from cometchat_rest.errors import ConfigurationError, InvalidRequestError, TransportErrorKind

from .redaction import hiding_secrets
from .request import Attempt
from .response import BodyReader, RawResponse
from .settings import Address, Settings
from .transport_errors import AttemptError

if TYPE_CHECKING:
    import ssl

    import httpx2

    #: The transports that the two clients accept.
    Transport: TypeAlias = httpx.BaseTransport | httpx2.BaseTransport
    AsyncTransport: TypeAlias = httpx.AsyncBaseTransport | httpx2.AsyncBaseTransport

T = TypeVar("T")

# Seconds after which an idle connection is not used again. Many servers close an idle connection after five seconds. If
# that happens while a change is on its way, its outcome is unknown, so a change uses only a connection that is fresh.
_KEEP_ALIVE, _KEEP_ALIVE_FOR_CHANGES = 4.0, 1.0
_ALL_IN_USE = f"all {MAX_CONCURRENCY} connections are in use"
# How many bytes of a body are sent at a time. httpcore copies each piece. From 128 KiB, malloc takes new pages from the
# system for each copy; smaller pieces cost more calls.
_PIECE = 120_000
# For `shutdown` of a socket.
_BOTH_WAYS = 2
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


class _Idle(Generic[T]):
    """Idle transports, and when the last call of each ended. Every change is one step that no interruption divides."""

    def __init__(self) -> None:
        self._idle: deque[tuple[T, float]] = deque()

    def __len__(self) -> int:
        return len(self._idle)

    def keep(self, transport: T) -> None:
        self._idle.append((transport, time.monotonic()))

    def take(self, method: str) -> T | None:
        """The transport that was used last, if its connection is fresh enough for this method."""
        longest = _KEEP_ALIVE if method == "GET" else _KEEP_ALIVE_FOR_CHANGES
        try:
            if time.monotonic() < self._idle[-1][1] + longest:
                return self._idle.pop()[0]
        except IndexError:  # another thread may take the last one at any moment
            pass
        return None

    def expired(self, longest: float = _KEEP_ALIVE) -> Iterator[T]:
        """Remove the transports that have been idle for longer, in seconds; the caller closes them."""
        try:
            while time.monotonic() >= self._idle[0][1] + longest:
                yield self._idle.popleft()[0]
        except IndexError:
            pass


class Transports:
    """The transports for blocking calls, of any number of threads."""

    def __init__(self, settings: Settings, transport: Transport | None, ssl_context: ssl.SSLContext | None) -> None:
        _check(transport, ssl_context, "handle_request", "close", "httpx.BaseTransport")
        self._given: Any = transport
        self._outgoing = partial(_outgoing, _library(transport), settings.address, _pieces)
        self._make = partial(httpx.HTTPTransport, **_options(settings, transport, ssl_context))
        self._proxied = settings.proxy is not None
        self._idle, self._permits = _Idle[httpx.HTTPTransport](), _new_permits()
        self._closed = False
        reset_in_children(self)

    def reset_after_fork(self) -> None:
        """Forget what belongs to the parent process: the connections, and the permits of its other threads."""
        self._close_idle(0)
        self._permits = _new_permits()

    def send(self, attempt: Attempt) -> RawResponse:
        """Send a request and read its response."""
        with hiding_secrets(attempt.request.redact):
            if self._given is not None:
                return self._receive(self._given, attempt)
            permits = self._permits
            try:
                permit = permits.get(timeout=attempt.left("pool"))
            except Empty:
                raise AttemptError("pool", request_sent=False) from TimeoutError(_ALL_IN_USE)
            try:
                # After an exception, the transport is dropped. httpcore has closed its connection. An exception of a
                # signal handler can leave a lock of httpcore locked, so `close` might wait for ever.
                transport = self._idle.take(attempt.request.method) or self._make()
                received = self._receive(transport, attempt)
                if received.fault is None:
                    self._idle.keep(transport)
            finally:
                permits.put(permit)
        # Without this, the connections of many calls at once would stay open. A client can be closed during a call.
        self._close_idle(0 if self._closed else _KEEP_ALIVE)
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
        progress = _Progress(attempt.left("connect") if self._proxied else None)
        request = self._outgoing(attempt, progress.note)
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
        self._outgoing = partial(_outgoing, _library(transport), settings.address, _apieces)
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
            try:
                loop.permits.acquire_nowait()
            except anyio.WouldBlock:
                with anyio.move_on_after(attempt.left("pool")) as waiting:
                    await loop.permits.acquire()
                if waiting.cancelled_caught:
                    raise AttemptError("pool", request_sent=False) from TimeoutError(_ALL_IN_USE)
            try:
                transport = loop.idle.take(attempt.request.method) or self._make()
                kept = False
                try:
                    received = await self._receive(transport, attempt)
                    # All event loops together keep as many connections as one of them.
                    idle = sum(len(each.idle) for each in list(self._loops.values()))
                    if kept := received.fault is None and idle < MAX_CONCURRENCY and not self._closed:
                        loop.idle.keep(transport)
                finally:
                    if not kept:
                        await _aclose(transport)
            finally:
                loop.permits.release()
            await loop.close_idle(_KEEP_ALIVE)
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
            for each in [each for each in self._loops if getattr(each, "is_closed", bool)()]:
                await self._end(each)
        return loop

    async def _live(self, native: object) -> AsyncGenerator[None, None]:
        """As long as an event loop. At its end, the loop closes its generators, and so closes its connections."""
        try:
            yield
        finally:
            if (loop := self._loops.pop(native, None)) is not None:
                await loop.close_idle(0)

    async def _end(self, native: object) -> None:
        if (loop := self._loops.get(native)) is not None:
            await _aclose(loop.life)

    async def _receive(self, transport: Any, attempt: Attempt) -> RawResponse:
        progress = _Progress()
        request = self._outgoing(attempt, progress.anote)
        try:
            with anyio.fail_after(attempt.deadline - time.monotonic()):
                return await self._read(transport, request, attempt)
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
        self.idle = _Idle[httpx.AsyncHTTPTransport]()

    async def close_idle(self, longest: float) -> None:
        for transport in self.idle.expired(longest):
            await _aclose(transport)


async def _aclose(connection: Any) -> None:
    # The connection may have ended with its event loop.
    with anyio.CancelScope(shield=True), contextlib.suppress(Exception):
        await connection.aclose()


#: The event loops of parent processes.
_LEFT_BEHIND: list[object] = []


class _Permit:
    """The right to use one connection. If an interruption loses a permit, its finalizer puts a new one in its place.

    `SimpleQueue` is written in C: unlike a `Semaphore`, an exception of a signal handler cannot leave it half-way.
    """

    # An interruption may come before `__init__` has ended.
    _permits: weakref.ref[SimpleQueue[_Permit]] | None = None

    def __init__(self, permits: SimpleQueue[_Permit]) -> None:
        self._permits = weakref.ref(permits)

    def __del__(self) -> None:
        if self._permits is not None and (permits := self._permits()) is not None:
            permits.put(_Permit(permits))


def _new_permits() -> SimpleQueue[_Permit]:
    permits: SimpleQueue[_Permit] = SimpleQueue()
    for _ in range(MAX_CONCURRENCY):
        permits.put(_Permit(permits))
    return permits


class _Progress:
    """How far an attempt has come. httpx reports it to a function in the extension `trace`."""

    __slots__ = ("_connecting", "_limit", "_sending", "_stream", "_watch", "timed_out")

    def __init__(self, limit: float | None = None) -> None:
        """For a blocking call through a proxy, `limit` is the seconds for the way through the proxy."""
        self._connecting = self._sending = self.timed_out = False
        self._limit = limit
        # A connection that was opened, and is not yet ready for the request.
        self._stream: Any = None
        self._watch: threading.Timer | None = None

    def note(self, event: str, info: dict[str, Any]) -> None:
        if event.endswith("send_request_headers.started"):
            # A tunnel through a proxy begins with a request as well.
            if info["request"].method != b"CONNECT":
                self._sending = True
                self.end_watch()
        elif event.endswith("connect_tcp.started"):
            self._connecting = True
        elif event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = info["return_value"]
            if self._limit is not None and self._watch is None:
                self._watch = threading.Timer(self._limit, self._cut_off)
                self._watch.daemon = True
                self._watch.start()

    async def anote(self, event: str, info: dict[str, Any]) -> None:
        self.note(event, info)

    def end_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    def _cut_off(self) -> None:
        """Wake a thread that waits for a proxy: httpcore has no timeout for SOCKS, and none for all reads together."""
        self.timed_out = True
        with contextlib.suppress(OSError):
            self._stream.get_extra_info("socket").shutdown(_BOTH_WAYS)

    @property
    def unused(self) -> Any:
        """A connection that a refusal of a proxy or a cancellation left behind; httpcore does not close it."""
        return None if self._sending else self._stream

    def error(self, error: Exception) -> AttemptError:
        """The phase that failed. An exception that belongs to no network library may be anything, such as a bug."""
        kind: TransportErrorKind = "read" if isinstance(error, OSError) else "transport"
        sent = True
        for each in type(error).__mro__:
            if _package(each) in _LIBRARIES and each.__name__ in _KINDS:
                kind, sent = _KINDS[each.__name__]
                if not sent and not _is_reliable(error.__cause__):
                    kind, sent = "read", True
                break
        if sent and self._connecting and not self._sending:
            kind, sent = "connect", False
        return AttemptError(kind, request_sent=sent)


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


def _pieces(attempt: Attempt) -> Iterator[bytes]:
    rest = b""
    for each in attempt.request.body:
        for start in range(0, len(each), _PIECE):
            piece = each[start : start + _PIECE]
            if len(rest) + len(piece) > _PIECE:
                yield rest
                # The timeout for writing begins anew with each piece.
                if time.monotonic() > attempt.deadline:
                    raise TimeoutError
                rest = b""
            rest = rest + piece if rest else piece
    yield rest


async def _apieces(attempt: Attempt) -> AsyncIterator[bytes]:
    for piece in _pieces(attempt):
        yield piece


def _check(transport: object, ssl_context: object, send: str, close: str, kind: str) -> None:
    if ssl_context is not None and (isinstance(ssl_context, type) or not hasattr(ssl_context, "wrap_bio")):
        raise ConfigurationError(
            "ssl_context must be an ssl.SSLContext for clients, such as from ssl.create_default_context()"
        )
    if transport is None:
        return
    if ssl_context is not None:
        raise ConfigurationError("ssl_context and transport cannot be combined: the transport has its own TLS settings")
    if isinstance(transport, type):
        raise ConfigurationError(f"transport must be an object, not the class {transport.__name__}: add parentheses")
    if not (callable(getattr(transport, send, None)) and callable(getattr(transport, close, None))):
        raise ConfigurationError(f"transport must be an {kind}, not {type(transport).__name__}")


def _options(settings: Settings, transport: object, context: ssl.SSLContext | None) -> dict[str, Any]:
    """The arguments for a transport with one connection. All transports of a client share the certificates."""
    if transport is None and context is None:
        try:
            # Plain HTTP stays on this machine. To read certificates takes longer than a whole call there.
            context = httpx.create_ssl_context(verify=settings.address.scheme == b"https")
        except OSError as error:
            raise ConfigurationError(
                f"SSL_CERT_FILE or SSL_CERT_DIR: the certificates cannot be read ({error})"
            ) from None
    proxy = None
    if settings.proxy is not None:
        to_proxy = context if settings.proxy.address.startswith("https:") else None
        proxy = httpx.Proxy(settings.proxy.url.reveal(), ssl_context=to_proxy)
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=_KEEP_ALIVE)
    return {"verify": context, "trust_env": False, "limits": limits, "proxy": proxy}


def _library(transport: object) -> ModuleType:
    """The library whose requests a transport takes: httpx2 for a transport of httpx2, else httpx."""
    # Only a program that has loaded httpx2 can have such a transport.
    httpx2 = sys.modules.get("httpx2")
    if httpx2 is not None and isinstance(transport, (httpx2.BaseTransport, httpx2.AsyncBaseTransport)):
        return httpx2
    return httpx


def _url(library: ModuleType, address: Address, target: bytes) -> Any:
    return library.URL(b"".join((address.scheme, b"://", address.netloc, target)).decode("ascii"))


# Parsing an address is most of the work that httpx does for a request. The address of a GET holds no secret.
_remembered_url = lru_cache(256)(_url)


def _outgoing(library: ModuleType, address: Address, pieces: Any, attempt: Attempt, trace: object) -> Any:
    """The request, as the library of the transport represents it."""
    request = attempt.request
    if time.monotonic() >= attempt.deadline:
        raise AttemptError("deadline", request_sent=False) from TimeoutError()
    outgoing = library.Request(
        request.method,
        (_remembered_url if request.method == "GET" else _url)(library, address, request.target),
        headers=request.headers,
        content=b"".join(request.body) if request.size <= _PIECE else pieces(attempt),
        extensions={"timeout": attempt.phases(), "trace": trace},
    )
    # httpx normalises addresses; that could make the difference between one token and all tokens.
    if outgoing.url.raw_path != request.target:
        raise InvalidRequestError("the address would change on its way, and the request would go elsewhere")
    return outgoing


def _status(response: Any) -> int:
    """The status of a response; a transport of the caller may return anything."""
    status = response.status_code
    if type(status) is not int or not 100 <= status <= 999:
        raise ValueError(f"the status of the response is {status!r}")
    return status
