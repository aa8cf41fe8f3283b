"""Sends attempts through transports of httpx: the client's own, or a custom one. No other module
meets them.

A client has one transport with one connection for each call that runs at the same time, and a call
takes the transport that was used last. A single pool of httpx would look at all calls whenever one
begins: fifty calls at a time would cost three times as much. A transport is kept only after a
complete response, so nothing of a call that ended in another way can reach the next one.
"""

import os
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, Generic, TypeVar, cast

import anyio
import httpx
from anyio.lowlevel import checkpoint_if_cancelled, current_token

from cometchat_runtime.concurrency import MAX_CONCURRENCY
from cometchat_runtime.errors import InvalidRequestError, TransportErrorKind
from cometchat_runtime.form import Form
from cometchat_runtime.options import Options
from cometchat_runtime.route import arguments_for
from cometchat_runtime.secrets import guard_logs, hidden_in_logs

from .body import Body, RawResponse
from .failures import NoResponse
from .request import Attempt, Request

T = TypeVar("T")

# Seconds after which an idle connection is not used again: many servers close one after five
# seconds. If the service closes a connection while a change is on its way, the outcome is unknown.
# So the connection must be fresh.
_KEEP_ALIVE, _KEEP_ALIVE_FOR_CHANGES = 4.0, 1.0
_ONE = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=_KEEP_ALIVE)
# The largest number of addresses that a client remembers.
_MOST_REMEMBERED = 256
_ALL_IN_USE = NoResponse(
    "pool", TimeoutError(f"all {MAX_CONCURRENCY} connections are in use"), timed_out=True
)
_HTTPX: tuple[type[Exception], ...] = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL)
# The phase in which httpx raises each class of exceptions.
_KINDS: tuple[tuple[tuple[type[Exception], ...], TransportErrorKind], ...] = (
    ((httpx.ConnectTimeout, httpx.ConnectError), "connect"),
    ((httpx.PoolTimeout,), "pool"),
    ((httpx.ProxyError,), "proxy"),
    ((httpx.WriteTimeout, httpx.WriteError), "write"),
    ((httpx.TimeoutException, httpx.NetworkError, OSError), "read"),
    (_HTTPX, "protocol"),
    ((Exception,), "transport"),
)


class _Trace:
    """Whether the request was sent: httpcore reports its progress to this object."""

    _used = _sent = False

    def note(self, event: str, info: dict[str, Any]) -> None:
        self._used = True
        # A tunnel through a proxy begins with a request as well.
        if event.endswith("send_request_headers.started") and info["request"].method != b"CONNECT":
            self._sent = True

    async def anote(self, event: str, info: dict[str, Any]) -> None:
        self.note(event, info)

    def failure(self, error: Exception, *, custom: bool) -> NoResponse:
        """The reason why no response arrived. A custom transport without a trace may have sent
        the request."""
        if isinstance(error, InvalidRequestError):
            raise error
        kind: TransportErrorKind = next(
            kind for classes, kind in _KINDS if isinstance(error, classes)
        )
        sent = self._sent if self._used else custom or kind not in ("connect", "pool", "proxy")
        if not sent and kind in ("read", "write", "protocol"):
            kind = "connect"
        return NoResponse(
            kind, error, sent, timed_out=isinstance(error, TimeoutError | httpx.TimeoutException)
        )


class _Idle(Generic[T]):
    """Idle transports, and when the last call of each ended."""

    def __init__(self) -> None:
        self._idle: deque[tuple[T, float]] = deque()

    def keep(self, transport: T) -> None:
        self._idle.append((transport, time.monotonic()))

    def take(self, method: str) -> T | None:
        """The transport that was used last, if its connection is fresh enough for this method."""
        longest = _KEEP_ALIVE if method == "GET" else _KEEP_ALIVE_FOR_CHANGES
        with suppress(IndexError):  # another thread may take the last one at any moment
            if time.monotonic() < self._idle[-1][1] + longest:
                return self._idle.pop()[0]
        return None

    def expired(self, longest: float = _KEEP_ALIVE) -> Iterator[T]:
        """Remove the transports that have been idle for longer, in seconds; the caller closes
        them."""
        with suppress(IndexError):
            while time.monotonic() >= self._idle[0][1] + longest:
                yield self._idle.popleft()[0]


class _Base:
    """The part that both kinds of transports share: the requests, and the connections of this
    process."""

    closed: bool = False
    _kind: ClassVar[Callable[..., Any]]

    def __init__(self, options: Options, custom: Any, context: ssl.SSLContext | None) -> None:
        guard_logs()
        self._custom = custom
        self._start()
        # A custom transport may raise anything. Every other exception in our own one is that of a
        # signal handler. (anyio's TLS raises some SSLErrors that httpx does not translate.)
        self._errors: tuple[type[Exception], ...] = (
            (Exception,) if custom is not None else (*_HTTPX, ssl.SSLError)
        )
        arguments = arguments_for(options, context) if custom is None else {}
        self._make = partial(self._kind, limits=_ONE, **arguments)
        self._base = f"{options.address.scheme}://{options.address.netloc}"
        # Parsing an address is most of the work that httpx does for a request. One with a secret is
        # not remembered.
        self._remembered: dict[str, httpx.URL] = {}

    def _start(self) -> None:
        """Begin without connections: at first, and after a fork, because those of the parent are
        not ours."""
        self._process = os.getpid()

    def _outgoing(self, attempt: Attempt, trace: object) -> httpx.Request:
        request, content = attempt.request, attempt.request.content
        url = self._url(request)
        # Tracing takes time. Without a proxy, httpx's own exceptions are enough for a GET.
        is_simple = (
            request.method == "GET" and self._custom is None and attempt.options.proxy is None
        )
        # Not as `content`: httpx would look for headers to add.
        body: Any = (
            {"files": content.files}
            if content.files
            else {"stream": httpx.ByteStream(content.data)}
        )
        extensions = {"timeout": attempt.phases()} | ({} if is_simple else {"trace": trace})
        outgoing = httpx.Request(
            request.method, url, headers=request.headers, extensions=extensions, **body
        )
        attempt.size = (
            int(outgoing.headers["content-length"]) if content.files else len(content.data)
        )
        if content.files:
            outgoing.stream = Form(cast("Iterable[bytes]", outgoing.stream))
        else:
            outgoing.read()  # test tools expect to find the content
        return outgoing

    def _url(self, request: Request) -> httpx.URL:
        target = request.target.reveal()
        remembered = self._remembered.get(target)
        if remembered is not None:
            return remembered
        url = httpx.URL(self._base + target)
        # httpx normalises addresses; that could make the difference between one token and all
        # tokens.
        if url.raw_path != target.encode("ascii"):
            raise InvalidRequestError(
                "httpx would change the address, and the request would go elsewhere"
            )
        if not request.has_secret_target:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[target] = url
        return url


class Transports(_Base):
    """The transports for blocking calls, of any number of threads."""

    #: The classes of a custom transport and of a custom client.
    custom_kinds: ClassVar[tuple[type, type]] = httpx.BaseTransport, httpx.Client
    _kind = httpx.HTTPTransport

    def _start(self) -> None:
        self._idle = _Idle[httpx.HTTPTransport]()
        # A permit for each connection. Not a semaphore of `threading`: an exception of a signal
        # handler inside of it leaves its lock taken for ever. This queue is written in C, and no
        # such exception begins inside of it.
        self._permits = SimpleQueue[None]()
        for _ in range(MAX_CONCURRENCY):
            self._permits.put(None)
        super()._start()

    def send(self, attempt: Attempt) -> RawResponse | NoResponse:
        """Send a request and read its response."""
        with hidden_in_logs(attempt.request.secrets, in_address=attempt.request.has_secret_target):
            if self._custom is not None:
                return self._receive(self._custom, attempt)
            if self._process != os.getpid():
                self._start()
            # After a fork, this thread still gives the permit back to the queue from which it took
            # it.
            permits, holds_permit = self._permits, False
            try:
                permits.get(timeout=attempt.phases()["pool"])
                holds_permit = True
                return self._send_on_idle(attempt)
            except Empty:
                return _ALL_IN_USE
            finally:
                if holds_permit:
                    permits.put(None)

    def _send_on_idle(self, attempt: Attempt) -> RawResponse | NoResponse:
        idle = self._idle
        raw: RawResponse | NoResponse | None = None
        transport = idle.take(attempt.request.method) or self._make()
        try:
            raw = response = self._receive(transport, attempt)
        finally:
            if _may_be_kept(attempt.request, raw):
                idle.keep(transport)
            else:
                transport.close()
            for old in idle.expired(0 if self.closed else _KEEP_ALIVE):
                old.close()
        return response

    def close(self) -> None:
        """Close the idle connections now, and the others when their calls end; or the custom
        transport."""
        self.closed = True
        for transport in self._idle.expired(0):
            transport.close()
        if self._custom is not None:
            self._custom.close()

    def _receive(self, transport: Any, attempt: Attempt) -> RawResponse | NoResponse:
        trace = _Trace()
        try:
            response = transport.handle_request(self._outgoing(attempt, trace.note))
            try:
                body, headers = (
                    Body(attempt.options.max_response_bytes),
                    dict(response.headers.items()),
                )
                for chunk in (
                    response.stream if _is_plain(response, headers) else response.iter_bytes()
                ):
                    if body.is_full_after(chunk):
                        break
                    if time.monotonic() > attempt.deadline:
                        raise httpx.ReadTimeout("")
            finally:
                response.close()
            return body.response(response.status_code, headers)
        except self._errors as error:
            return trace.failure(error, custom=self._custom is not None)


class AsyncTransports(_Base):
    """The transports for awaited calls. A connection belongs to an event loop, and each loop has
    its own."""

    custom_kinds: ClassVar[tuple[type, type]] = httpx.AsyncBaseTransport, httpx.AsyncClient
    _kind = httpx.AsyncHTTPTransport

    def _start(self) -> None:
        self._loops: dict[object, tuple[_Idle[httpx.AsyncHTTPTransport], anyio.Semaphore]] = {}
        super()._start()

    async def send(self, attempt: Attempt) -> RawResponse | NoResponse:
        """Like `Transports.send`, awaited."""
        # A transport may not notice, and a cancelled call must not send its request.
        await checkpoint_if_cancelled()
        with hidden_in_logs(attempt.request.secrets, in_address=attempt.request.has_secret_target):
            if self._custom is not None:
                return await self._receive(self._custom, attempt)
            idle, free = await self._of_loop()
            with anyio.move_on_after(attempt.phases()["pool"]) as waiting:
                await free.acquire()
            if waiting.cancelled_caught:
                return _ALL_IN_USE
            try:
                transport, raw = idle.take(attempt.request.method) or self._make(), None
                try:
                    return (raw := await self._receive(transport, attempt))
                finally:
                    if _may_be_kept(attempt.request, raw):
                        idle.keep(transport)
                    else:
                        await _aclose([transport])
            finally:
                free.release()
                await _aclose(idle.expired(0 if self.closed else _KEEP_ALIVE))

    async def aclose(self) -> None:
        """Close the idle connections of this event loop now, and the others when their calls
        end."""
        self.closed = True
        await _aclose((await self._of_loop())[0].expired(0))
        if self._custom is not None:
            await self._custom.aclose()

    async def _of_loop(self) -> tuple[_Idle[httpx.AsyncHTTPTransport], anyio.Semaphore]:
        native = current_token().native_token
        if self._process != os.getpid():
            self._start()
        if (found := self._loops.get(native)) is None:
            # The connections of loops that have ended are dropped. Only asyncio can say that a loop
            # still runs.
            ended = [other for other in [*self._loops] if not getattr(other, "is_running", bool)()]
            # Stored before the first await: other tasks and threads come here, too.
            found = self._loops[native] = (
                _Idle(),
                anyio.Semaphore(MAX_CONCURRENCY, fast_acquire=True),
            )
            for old in [self._loops.pop(other, None) for other in ended]:
                await _aclose(old[0].expired(0) if old else ())
        return found

    async def _receive(self, transport: Any, attempt: Attempt) -> RawResponse | NoResponse:
        trace = _Trace()
        try:
            with anyio.move_on_after(attempt.deadline - time.monotonic()):
                response = await transport.handle_async_request(
                    self._outgoing(attempt, trace.anote)
                )
                try:
                    body, headers = (
                        Body(attempt.options.max_response_bytes),
                        dict(response.headers.items()),
                    )
                    async for chunk in (
                        response.stream if _is_plain(response, headers) else response.aiter_bytes()
                    ):
                        if body.is_full_after(chunk):
                            break
                finally:
                    await response.aclose()
                return body.response(response.status_code, headers)
            raise httpx.ReadTimeout("")
        except self._errors as error:
            return trace.failure(error, custom=self._custom is not None)


async def _aclose(transports: Iterable[httpx.AsyncHTTPTransport]) -> None:
    for transport in transports:
        # A connection may have ended with its event loop.
        with anyio.CancelScope(shield=True), suppress(Exception):
            await transport.aclose()


def _is_plain(response: httpx.Response, headers: dict[str, str]) -> bool:
    """Whether the body need not be decoded, which takes longer than reading it, and was not read
    by a hook."""
    return "content-encoding" not in headers and not response.is_stream_consumed


def _may_be_kept(request: Request, raw: RawResponse | NoResponse | None) -> bool:
    """Whether the next call may use the connection: no other response to this request can arrive
    on it."""
    if not isinstance(raw, RawResponse) or raw.fault is not None:
        return False
    return 200 <= raw.status < 300 or request.content.content_type is None
