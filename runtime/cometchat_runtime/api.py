"""`chat.api`: carries out calls, blocking and awaited, and the state that a client shares with
its derived clients."""

import time
from collections.abc import Mapping
from threading import Event
from typing import Any, TypeVar, cast

import anyio
import anyio.to_thread
from anyio import CapacityLimiter
from attrs import frozen

from cometchat_openapi import Call
from cometchat_openapi.types import Response
from cometchat_runtime.concurrency import wait
from cometchat_runtime.errors import CometChatError, InvalidRequestError
from cometchat_runtime.options import Options

from .body import RawResponse
from .failures import NoResponse
from .pacing import Pacing
from .pages import AsyncPages, Pages
from .request import Attempt
from .response import Confirm
from .steps import Recheck, StepResult, Steps, steps

T = TypeVar("T")
ApiT = TypeVar("ApiT", bound="BaseApi")


class SharedState:
    """State shared by a client and its derived clients: transports, last response headers, pace."""

    def __init__(self, transports: Any) -> None:
        self.transports = transports
        self.headers: Mapping[str, str] = {}
        self.pacing: Pacing = Pacing()
        #: What is logged only once.
        self.logged: set[object] = set()


@frozen(eq=False, repr=False)
class BaseApi:
    """The part of `chat.api` that both clients share."""

    state: SharedState
    options: Options
    #: For a job of many calls: once it is set, a call that waits sends nothing more.
    stop: Event | None = None

    def steps(
        self,
        call: Call[T],
        confirm: Confirm[T] | None = None,
        recheck: Recheck = None,
        *,
        repeatable: bool = False,
    ) -> Steps[Response[T] | CometChatError]:
        """The steps of one call; they return its error instead of raising it."""
        pacing, logged = self.state.pacing, self.state.logged
        return steps(call, self.options, pacing, logged, confirm, recheck, repeatable=repeatable)

    def response(self, call: Call[T]) -> Steps[Response[T]]:
        """The steps of one call; they raise its error."""
        outcome = yield from self.steps(call)
        if isinstance(outcome, CometChatError):
            raise outcome
        return outcome

    def _closed_error(self) -> InvalidRequestError | None:
        return (
            InvalidRequestError("this client is closed; make a new one")
            if self.state.transports.closed
            else None
        )

    def _remember(self, raw: RawResponse | NoResponse) -> RawResponse | NoResponse:
        if isinstance(raw, RawResponse):
            self.state.headers = raw.headers
        return raw


class Api(BaseApi):
    """Carries out calls, under all rules of the client it belongs to."""

    def send(self, call: Call[T], /) -> Response[T]:
        """Make one call; its response has `status_code`, `headers`, `content` and `parsed`."""
        return self.run(self.response(call))

    def pages(self, call: Call[object], /) -> Pages[Any, Any]:
        """Read the first page of a list; a loop over the result reads the following pages."""
        return Pages(self, call)

    def run(self, steps: Steps[T], /) -> T:
        """Carry out the steps of one call, or of several that belong together. An error that
        they raise passes."""
        result: StepResult = None
        try:
            while True:
                step = steps.send(result)
                if isinstance(step, Attempt):
                    result = self._closed_error() or self._remember(
                        self.state.transports.send(step)
                    )
                elif callable(step):
                    result = step()
                else:
                    self._wait(step)
                    result = None
        except StopIteration as stop:
            return cast("T", stop.value)

    def _wait(self, seconds: float) -> None:
        if self.stop is None:
            time.sleep(seconds)
        elif wait(self.stop, seconds):
            raise InvalidRequestError("the job was stopped while this call waited")


class AsyncApi(BaseApi):
    """Carries out calls, awaited, under all rules of the client it belongs to."""

    async def send(self, call: Call[T], /) -> Response[T]:
        """Make one call; its response has `status_code`, `headers`, `content` and `parsed`."""
        return await self.run(self.response(call))

    def pages(self, call: Call[object], /) -> AsyncPages[Any, Any]:
        """A list with several pages. Nothing is sent until the result is awaited, or used in
        `async for`."""
        return AsyncPages(self, call)

    async def run(self, steps: Steps[T], /) -> T:
        """Carry out the steps of one call, or of several that belong together. An error that
        they raise passes."""
        result: StepResult = None
        try:
            while True:
                step = steps.send(result)
                if isinstance(step, Attempt):
                    result = self._closed_error() or self._remember(
                        await self.state.transports.send(step)
                    )
                elif callable(step):
                    # Without anyio's usual limit: all threads that it allows may wait for this
                    # call.
                    result = await anyio.to_thread.run_sync(
                        step, abandon_on_cancel=True, limiter=CapacityLimiter(1)
                    )
                else:
                    await anyio.sleep(step)
                    result = None
        except StopIteration as stop:
            return cast("T", stop.value)
