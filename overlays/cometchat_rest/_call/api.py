"""What stands between generated code and the socket: `chat.api`, sync and async, and the connection behind it."""

from __future__ import annotations

import sys
import time
import warnings
import weakref
from collections.abc import AsyncIterable, Generator, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar, cast

import anyio
import httpcore
from attrs import define, field

from cometchat_openapi import Call
from cometchat_openapi.types import Response
from cometchat_rest.errors import CometChatError, InvalidRequestError, RateLimit

from .exchange import Flow, RawResult, Step, exchange, steps_of
from .redaction import clear_frames, guard_wire_logs, redacting
from .response import Answer, Body, Confirm
from .settings import Settings

T = TypeVar("T")
LinesT = TypeVar("LinesT")


class Lines(Protocol):
    """Where connections for blocking calls come from: a pool, or a transport of the caller's own."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What an exchange may end in. Any other exception is a fault of the program, and is not caught."""
        ...

    def lend(self, request: httpcore.Request, /) -> Any:
        """Something with httpcore's `handle_request`, for this request alone."""

    def give_back(self, line: Any, /) -> None:
        """Take back what was lent, its answer read and closed, or none come."""

    def close(self) -> None:
        """Close all of them."""


class AsyncLines(Protocol):
    """Where connections for awaited calls come from."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """As `Lines.failures`."""
        ...

    async def lend(self, request: httpcore.Request, /) -> Any:
        """Something with httpcore's `handle_async_request`, for this request alone."""

    async def give_back(self, line: Any, /) -> None:
        """As `Lines.give_back`."""

    def late(self, line: Any, error: TimeoutError, /) -> Exception:
        """What to make of a call whose deadline passed; `line` is what it was lent, if anything."""
        ...

    async def aclose(self) -> None:
        """As `Lines.close`."""


@define(eq=False)
class _State:
    closed: bool = False
    headers: Mapping[str, str] = field(factory=dict)


class Connection(Generic[LinesT]):
    """The connections that a client and all clients derived from it share, and the last it heard."""

    def __init__(self, lines: LinesT) -> None:
        guard_wire_logs()
        self.lines = lines
        self.state = _State()
        # Not at exit: a program that ends closes its sockets anyway, and wants no noise.
        weakref.finalize(self, _warn_if_open, self.state).atexit = False

    @property
    def rate_limit(self) -> RateLimit:
        """What the last answer said of the rate limit."""
        return RateLimit.from_headers(self.state.headers)


def _warn_if_open(state: _State) -> None:
    if not state.closed:
        warnings.warn(
            "a Client or AsyncClient was never closed: use `with`, or close it", ResourceWarning, stacklevel=2
        )


@define(frozen=True, eq=False, repr=False)
class _Api(Generic[LinesT]):
    connection: Connection[LinesT]
    settings: Settings

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.settings.base_url}>"

    def _closed(self) -> InvalidRequestError | None:
        return InvalidRequestError("this client is closed") if self.connection.state.closed else None

    def _heard(self, answer: Answer) -> Answer:
        self.connection.state.headers = answer.headers
        return answer


class Api(_Api[Lines]):
    """Sends the calls of generated functions, under all the laws of the client it belongs to."""

    def send(self, call: Call[T], /) -> Response[T]:
        """Make one call.

        Raises:
            CometChatError: of the class that fits. It is raised here, in a frame that holds no secrets, and not where
                it was found.
        """
        outcome = self.attempt(call)
        if isinstance(outcome, CometChatError):
            raise outcome
        return outcome

    def attempt(self, call: Call[T], /, confirm: Confirm[T] | None = None) -> Response[T] | CometChatError:
        """Make one call, and return its error instead of raising it.

        Args:
            call: the call to make.
            confirm: an additional check of a success; if it fails, the call ends in an `UnexpectedResponse`.
        """
        return self._drive(exchange(call, self.settings, confirm))

    def run(self, flow: Flow[T], /) -> T:
        """Carry out several calls that belong together; see `Flow`. An error that the flow raises passes through."""
        return self._drive(steps_of(flow, self.settings))

    def _drive(self, steps: Generator[Step, RawResult, T]) -> T:
        callers = sys.exception()
        result: RawResult = None
        try:
            while True:
                step = steps.send(result)
                result = None
                if isinstance(step, httpcore.Request):
                    result = self._closed() or self._attempt(step)
                else:
                    time.sleep(step)
        except StopIteration as stop:
            value: T = stop.value
            return value
        except BaseException as passing:
            clear_frames(passing, callers)
            raise

    def _attempt(self, request: httpcore.Request) -> Answer | Exception:
        lines = self.connection.lines
        under_way = redacting.set(request.extensions["redact"])
        try:
            line = lines.lend(request)
            try:
                response = line.handle_request(request)
                try:
                    body = Body(response.headers, self.settings.max_response_bytes)
                    for chunk in cast("Iterable[bytes]", response.stream):
                        body.feed(chunk)
                        if body.fault is not None:
                            break
                        if time.monotonic() > request.extensions["deadline"]:
                            return TimeoutError()
                finally:
                    response.close()
            finally:
                lines.give_back(line)
        except lines.failures as exception:
            return exception
        finally:
            redacting.reset(under_way)
        return self._heard(body.answer(response.status))


class AsyncApi(_Api[AsyncLines]):
    """Sends the calls of generated functions, awaited, under all the laws of the client it belongs to."""

    async def send(self, call: Call[T], /) -> Response[T]:
        """Make one call.

        Raises:
            CometChatError: of the class that fits. It is raised here, in a frame that holds no secrets, and not where
                it was found.
        """
        outcome = await self.attempt(call)
        if isinstance(outcome, CometChatError):
            raise outcome
        return outcome

    async def attempt(self, call: Call[T], /, confirm: Confirm[T] | None = None) -> Response[T] | CometChatError:
        """Make one call, and return its error instead of raising it; see `Api.attempt`."""
        return await self._drive(exchange(call, self.settings, confirm))

    async def run(self, flow: Flow[T], /) -> T:
        """Carry out several calls that belong together; see `Flow`. An error that the flow raises passes through."""
        return await self._drive(steps_of(flow, self.settings))

    async def _drive(self, steps: Generator[Step, RawResult, T]) -> T:
        callers = sys.exception()
        result: RawResult = None
        try:
            while True:
                step = steps.send(result)
                result = None
                if isinstance(step, httpcore.Request):
                    result = self._closed() or await self._attempt(step)
                else:
                    await anyio.sleep(step)
        except StopIteration as stop:
            value: T = stop.value
            return value
        except BaseException as passing:
            clear_frames(passing, callers)
            raise

    async def _attempt(self, request: httpcore.Request) -> Answer | Exception:
        lines = self.connection.lines
        under_way = redacting.set(request.extensions["redact"])
        line = None
        try:
            with anyio.fail_after(max(0.0, request.extensions["deadline"] - time.monotonic())):
                line = await lines.lend(request)
                try:
                    response = await line.handle_async_request(request)
                    try:
                        body = Body(response.headers, self.settings.max_response_bytes)
                        async for chunk in cast("AsyncIterable[bytes]", response.stream):
                            body.feed(chunk)
                            if body.fault is not None:
                                break
                    finally:
                        await response.aclose()
                finally:
                    await lines.give_back(line)
        except TimeoutError as exception:
            return lines.late(line, exception)
        except lines.failures as exception:
            return exception
        finally:
            redacting.reset(under_way)
        return self._heard(body.answer(response.status))
