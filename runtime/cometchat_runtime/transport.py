"""Sends attempts through transports of httpx: the client's own, or a custom one.

A client has one transport with one connection for each call that runs at the same time, and a call
takes the transport that was used last. A single pool of httpx would look at all calls whenever one
begins: fifty calls at a time would cost three times as much. A transport is kept only after a
complete response, so nothing of a call that ended in another way can reach the next one.
"""

import os
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import BytesIO
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import httpx

from .body import RawResponse, received
from .concurrency import MAX_CONCURRENCY
from .errors import InvalidRequestError, TransportErrorKind
from .failures import NoResponse
from .options import Options
from .outgoing import Outgoing
from .request import Attempt, Request
from .route import arguments_for, custom_transport
from .secrets import guard_logs, hidden_in_logs

T = TypeVar("T")

#: The result of an attempt; an error if nothing was sent because a client is closed.
Result: TypeAlias = RawResponse | NoResponse | InvalidRequestError

# Seconds after which an idle connection is not used again: many servers close one after five
# seconds. If the service closes a connection while a change is on its way, the outcome is unknown.
# So the connection must be fresh.
KEEP_ALIVE = 4.0
_KEEP_ALIVE_FOR_CHANGES = 1.0
_ONE_CONNECTION = httpx.Limits(
    max_connections=1, max_keepalive_connections=1, keepalive_expiry=KEEP_ALIVE
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


def closed_error() -> InvalidRequestError:
    """The error of a call with a closed client."""
    return InvalidRequestError("this client is closed; make a new one")


def all_in_use() -> NoResponse:
    """The failure of a call for which no connection became free in time."""
    cause = TimeoutError(f"all {MAX_CONCURRENCY} connections are in use")
    return NoResponse("pool", cause, timed_out=True)


class Trace:
    """Whether the request was sent: httpcore reports its progress to this object."""

    def __init__(self, *, is_custom: bool) -> None:
        self._is_custom = is_custom
        self._is_used = False
        self._is_sent = False

    def note(self, event: str, info: dict[str, Any]) -> None:
        """Note an event of a blocking request."""
        self._is_used = True
        # A tunnel through a proxy begins with a request as well.
        if event.endswith("send_request_headers.started") and info["request"].method != b"CONNECT":
            self._is_sent = True

    async def anote(self, event: str, info: dict[str, Any]) -> None:
        """Note an event of an awaited request."""
        self.note(event, info)

    def failure(self, error: Exception) -> NoResponse | InvalidRequestError:
        """The reason why no response arrived. A custom transport without a trace may have sent the
        request."""
        if isinstance(error, InvalidRequestError):
            return error
        kind: TransportErrorKind = next(
            kind for classes, kind in _KINDS if isinstance(error, classes)
        )
        if kind == "transport" and not self._is_custom:
            # The client's own transport raises such an error only before it has a connection.
            kind = "connect"
        is_sent = self._is_sent
        if not self._is_used:
            is_sent = self._is_custom or kind not in ("connect", "pool", "proxy")
        if not is_sent and kind in ("read", "write", "protocol"):
            kind = "connect"
        timed_out = isinstance(error, TimeoutError | httpx.TimeoutException)
        return NoResponse(kind, error, is_sent, timed_out=timed_out)


class Idle(Generic[T]):
    """Idle transports, and when the last call of each ended."""

    def __init__(self) -> None:
        self._idle: deque[tuple[T, float]] = deque()

    def keep(self, transport: T) -> None:
        """Keep a transport whose call has ended."""
        self._idle.append((transport, time.monotonic()))

    def take(self, method: str) -> T | None:
        """The transport that was used last, if its connection is fresh enough for this method."""
        longest = KEEP_ALIVE if method == "GET" else _KEEP_ALIVE_FOR_CHANGES
        with suppress(IndexError):  # another thread may take the last one at any moment
            transport, ended = self._idle.pop()
            if time.monotonic() < ended + longest:
                return transport
            self._idle.append((transport, ended))
        return None

    def expired(self, longest: float) -> Iterator[T]:
        """Remove the transports that have been idle for longer, in seconds; close them."""
        with suppress(IndexError):
            while True:
                _, ended = self._idle[0]
                if time.monotonic() < ended + longest:
                    return
                transport, _ = self._idle.popleft()
                yield transport


class BaseTransports:
    """The part that both kinds of transports share: the requests, and the connections of this
    process."""

    #: The transport of httpx that the client makes for itself, and the kinds that a user may give.
    kind: ClassVar[Callable[..., Any]]
    custom_kinds: ClassVar[tuple[type, type]]
    # A custom transport may raise anything. Every other exception in the client's own transport is
    # that of a signal handler. (anyio's TLS raises some SSLErrors that httpx does not translate.)
    own_errors: ClassVar[tuple[type[Exception], ...]] = (*_HTTPX, ssl.SSLError)

    def __init__(
        self, options: Options, transport: Any, http_client: Any, context: ssl.SSLContext | None
    ) -> None:
        guard_logs()
        self.closed = False
        custom = custom_transport(transport, http_client, *self.custom_kinds)
        self._custom = custom
        self._outgoing = Outgoing(options, is_custom=custom is not None)
        self._errors = self.own_errors if custom is None else (Exception,)
        arguments = arguments_for(options, context) if custom is None else {}
        self._make = partial(self.kind, limits=_ONE_CONNECTION, **arguments)
        self._start()

    def _start(self) -> None:
        """Begin without connections: at first, and after a fork, because those of the parent are
        not ours."""
        self._process = os.getpid()

    def _trace(self) -> Trace:
        return Trace(is_custom=self._custom is not None)


class Transports(BaseTransports):
    """The transports for blocking calls, of any number of threads."""

    kind = httpx.HTTPTransport
    custom_kinds = (httpx.BaseTransport, httpx.Client)

    def _start(self) -> None:
        self._idle = Idle[httpx.HTTPTransport]()
        # A permit for each connection. Not a semaphore of `threading`: an exception of a signal
        # handler inside of it leaves its lock taken for ever. This queue is written in C, and no
        # such exception begins inside of it.
        self._permits = SimpleQueue[None]()
        for _ in range(MAX_CONCURRENCY):
            self._permits.put(None)
        super()._start()

    def send(self, attempt: Attempt) -> Result:
        """Send a request and read its response."""
        if self.closed:
            return closed_error()
        request = attempt.request
        with hidden_in_logs(request.secrets, in_address=request.has_secret_target):
            if self._custom is not None:
                return self._receive(self._custom, attempt)
            if self._process != os.getpid():
                self._start()
            permits = self._permits
            has_permit = False
            try:
                permits.get(timeout=attempt.phases()["pool"])
                has_permit = True
                return self._send_on_idle(attempt, self._idle)
            except Empty:
                return all_in_use()
            finally:
                if has_permit:
                    permits.put(None)

    def _send_on_idle(self, attempt: Attempt, idle: Idle[httpx.HTTPTransport]) -> Result:
        result: Result | None = None
        transport = idle.take(attempt.request.method) or self._make()
        try:
            result = self._receive(transport, attempt)
            return result
        finally:
            if may_be_kept(attempt.request, result):
                idle.keep(transport)
            else:
                transport.close()
            for old in idle.expired(0 if self.closed else KEEP_ALIVE):
                old.close()

    def close(self) -> None:
        """Close the idle connections now, and the others when their calls end; or the custom
        transport."""
        self.closed = True
        for transport in self._idle.expired(0):
            transport.close()
        if self._custom is not None:
            self._custom.close()

    def _receive(self, transport: Any, attempt: Attempt) -> Result:
        trace = self._trace()
        limit = attempt.options.max_response_bytes
        # Not a list of chunks: a service may send one byte at a time, and a list needs forty bytes
        # for each.
        body = BytesIO()
        try:
            response = transport.handle_request(self._outgoing.request(attempt, trace.note))
            try:
                headers = dict(response.headers.items())
                is_plain = has_plain_body(response, headers)
                for chunk in response.stream if is_plain else response.iter_bytes():
                    body.write(chunk)
                    # After unpacking: a small response may unpack to a huge one.
                    if body.tell() > limit:
                        break
                    if time.monotonic() > attempt.deadline:
                        raise httpx.ReadTimeout("")
            finally:
                response.close()
            return received(response.status_code, headers, body, limit)
        except self._errors as error:
            return trace.failure(error)


def has_plain_body(response: httpx.Response, headers: dict[str, str]) -> bool:
    """Whether the body need not be decoded, which takes longer than reading it, and was not read by
    a hook."""
    return "content-encoding" not in headers and not response.is_stream_consumed


def may_be_kept(request: Request, result: Result | None) -> bool:
    """Whether the next call may use the connection: no other response to this request can arrive on
    it."""
    if not isinstance(result, RawResponse) or result.fault is not None:
        return False
    return 200 <= result.status < 300 or request.content.content_type is None
