"""`chat.api`: carries out calls, blocking and awaited, and the state that a client shares with its
derived clients."""

import time
from collections.abc import Mapping
from threading import Event
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import define, field, frozen

from .body import RawResponse
from .concurrency import wait
from .errors import CometChatError, InvalidRequestError
from .failures import NoResponse
from .operation import Call, Response
from .options import Options
from .pacing import Pacing
from .request import Attempt
from .response import Confirm
from .steps import Recheck, StepResult, Steps, steps

if TYPE_CHECKING:
    from .async_transport import AsyncTransports
    from .transport import Transports

T = TypeVar("T")


@define(eq=False, repr=False)
class Shared:
    """The state that a client shares with its derived clients.

    Attributes:
        headers: those of the last response, with names in lower case.
        pacing: the pause of all calls after a 429.
        logged: the events that are logged only once.
    """

    # Not shown in a traceback of locals: a response may repeat a secret.
    headers: Mapping[str, str] = field(factory=dict, init=False, repr=False)
    pacing: Pacing = field(factory=Pacing, init=False)
    logged: set[object] = field(factory=set, init=False)


@frozen(eq=False, repr=False, kw_only=True)
class BaseApi:
    """The part of `chat.api` that both clients share.

    Attributes:
        shared: the state that derived clients share.
        options: the options of every call.
        stop: for a job of many calls: once it is set, a call that waits sends nothing more.
    """

    shared: Shared
    options: Options
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
        pacing, logged = self.shared.pacing, self.shared.logged
        return steps(call, self.options, pacing, logged, confirm, recheck, repeatable=repeatable)

    def response(self, call: Call[T]) -> Steps[Response[T]]:
        """The steps of one call; they raise its error."""
        outcome = yield from self.steps(call)
        if isinstance(outcome, CometChatError):
            raise outcome
        return outcome

    def _remember(self, raw: RawResponse | NoResponse) -> RawResponse | NoResponse:
        if isinstance(raw, RawResponse):
            self.shared.headers = raw.headers
        return raw


def _closed_error() -> InvalidRequestError:
    return InvalidRequestError("this client is closed; make a new one")


@frozen(eq=False, repr=False, kw_only=True)
class Api(BaseApi):
    """Carries out calls, under all rules of the client it belongs to."""

    transports: "Transports"

    def send(self, call: Call[T], /) -> Response[T]:
        """Make one call; its response has `status_code`, `headers`, `content` and `parsed`."""
        return self.run(self.response(call))

    def run(self, steps: Steps[T], /) -> T:
        """Carry out the steps of one call, or of several that belong together. An error that they
        raise passes."""
        result: StepResult = None
        try:
            while True:
                step = steps.send(result)
                if isinstance(step, Attempt):
                    result = self._send(step)
                elif callable(step):
                    result = step()
                else:
                    self._wait(step)
                    result = None
        except StopIteration as stop:
            return cast("T", stop.value)

    def _send(self, attempt: Attempt) -> StepResult:
        if self.transports.closed:
            return _closed_error()
        return self._remember(self.transports.send(attempt))

    def _wait(self, seconds: float) -> None:
        if self.stop is None:
            time.sleep(seconds)
        elif wait(self.stop, seconds):
            raise InvalidRequestError("the job was stopped while this call waited")


@frozen(eq=False, repr=False, kw_only=True)
class AsyncApi(BaseApi):
    """Carries out calls, awaited, under all rules of the client it belongs to."""

    transports: "AsyncTransports"

    async def send(self, call: Call[T], /) -> Response[T]:
        """Make one call; its response has `status_code`, `headers`, `content` and `parsed`."""
        return await self.run(self.response(call))

    async def run(self, steps: Steps[T], /) -> T:
        """Carry out the steps of one call, or of several that belong together. An error that they
        raise passes."""
        import anyio  # noqa: PLC0415 - a blocking program does not load it
        import anyio.to_thread  # noqa: PLC0415

        result: StepResult = None
        try:
            while True:
                step = steps.send(result)
                if isinstance(step, Attempt):
                    result = await self._send(step)
                elif callable(step):
                    # Without anyio's usual limit: all threads that it allows may wait for this
                    # call.
                    limiter = anyio.CapacityLimiter(1)
                    result = await anyio.to_thread.run_sync(
                        step, abandon_on_cancel=True, limiter=limiter
                    )
                else:
                    await anyio.sleep(step)
                    result = None
        except StopIteration as stop:
            return cast("T", stop.value)

    async def _send(self, attempt: Attempt) -> StepResult:
        if self.transports.closed:
            return _closed_error()
        return self._remember(await self.transports.send(attempt))


class Resource:
    """The methods of one tag of the description, with blocking calls."""

    def __init__(self, api: Api, /) -> None:
        self._api = api


class AsyncResource:
    """The methods of one tag of the description, with awaited calls."""

    def __init__(self, api: AsyncApi, /) -> None:
        self._api = api
