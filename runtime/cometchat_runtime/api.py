"""`chat.api`: carries out calls, blocking and awaited."""

import time
from collections.abc import Callable, Sequence
from threading import Event, Lock
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import evolve, field, frozen

from .checks import check_callable, check_int
from .concurrency import MAX_CONCURRENCY, in_threads, wait
from .errors import CometChatError, InvalidRequestError
from .operation import Call, Response
from .options import Options
from .request import Attempt
from .response import Confirm
from .steps import Recheck, Shared, StepResult, Steps, steps

if TYPE_CHECKING:
    from .async_transport import AsyncTransports
    from .transport import Transports

T = TypeVar("T")


@frozen(eq=False, repr=False, kw_only=True)
class BaseApi:
    """The part of `chat.api` that both clients share.

    Attributes:
        options: the options of every call.
        shared: the state that derived clients share.
    """

    options: Options
    shared: Shared = field(factory=Shared)

    def steps(
        self,
        call: Call[T],
        confirm: Confirm[T] | None = None,
        recheck: Recheck = None,
        *,
        repeatable: bool = False,
    ) -> Steps[Response[T] | CometChatError]:
        """The steps of one call; they return its error instead of raising it."""
        return steps(call, self.options, self.shared, confirm, recheck, repeatable=repeatable)

    def response_steps(
        self, call: Call[T], confirm: Confirm[T] | None = None
    ) -> Steps[Response[T]]:
        """The steps of one call; they raise its error."""
        outcome = yield from self.steps(call, confirm)
        if isinstance(outcome, CometChatError):
            raise outcome
        return outcome


@frozen(eq=False, repr=False, kw_only=True)
class Api(BaseApi):
    """Carries out calls, under all rules of the client it belongs to.

    Attributes:
        transports: they send the attempts.
        stop: for a job of many calls: once it is set, a call that waits sends nothing more.
    """

    transports: "Transports"
    stop: Event | None = None

    def send(self, call: Call[T], /) -> Response[T]:
        """Make one call; its response has `status_code`, `headers`, `content` and `parsed`."""
        return self.run(self.response_steps(call))

    def run(self, steps: Steps[T], /) -> T:
        """Carry out the steps of one call, or of several that belong together. An error that they
        raise passes."""
        result: StepResult = None
        try:
            while True:
                step = steps.send(result)
                if isinstance(step, Attempt):
                    result = self.transports.send(step)
                elif callable(step):
                    result = step()
                else:
                    result = self._wait(step)
        except StopIteration as stop:
            return cast("T", stop.value)

    def run_all(
        self,
        jobs: Sequence[Steps[T]],
        concurrency: int,
        on_result: Callable[[T], object] | None,
    ) -> list[T]:
        """Carry out the steps of many jobs, several at a time; return their results in order.

        An error of a job or of `on_result`, which gets one result at a time, ends all jobs.
        """
        _check_jobs(concurrency, on_result)
        stop = Event()
        api = evolve(self, stop=stop)
        one_at_a_time = Lock()

        def run(job: Steps[T]) -> T:
            result = api.run(job)
            if on_result is not None:
                with one_at_a_time:
                    on_result(result)
            return result

        return in_threads(run, jobs, concurrency, stop)

    def _wait(self, seconds: float) -> bool:
        """Wait; returns whether the job of the call was stopped."""
        if self.stop is None:
            time.sleep(seconds)
            return False
        return wait(self.stop, seconds)


@frozen(eq=False, repr=False, kw_only=True)
class AsyncApi(BaseApi):
    """Carries out calls, awaited, under all rules of the client it belongs to."""

    transports: "AsyncTransports"

    async def send(self, call: Call[T], /) -> Response[T]:
        """Make one call; its response has `status_code`, `headers`, `content` and `parsed`."""
        return await self.run(self.response_steps(call))

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
                    result = await self.transports.send(step)
                elif callable(step):
                    # Without anyio's usual limit: all threads that it allows may wait for this
                    # call.
                    limiter = anyio.CapacityLimiter(1)
                    result = await anyio.to_thread.run_sync(
                        step, abandon_on_cancel=True, limiter=limiter
                    )
                else:
                    await anyio.sleep(step)
                    result = False
        except StopIteration as stop:
            return cast("T", stop.value)

    async def run_all(
        self,
        jobs: Sequence[Steps[T]],
        concurrency: int,
        on_result: Callable[[T], object] | None,
    ) -> list[T]:
        """Like `Api.run_all`, awaited."""
        # A blocking program does not load anyio.
        from .tasks import in_tasks  # noqa: PLC0415

        _check_jobs(concurrency, on_result)

        async def run(job: Steps[T]) -> T:
            result = await self.run(job)
            if on_result is not None:
                on_result(result)
            return result

        return await in_tasks(run, jobs, concurrency)


def _check_jobs(concurrency: int, on_result: Callable[..., object] | None) -> None:
    check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY, error=InvalidRequestError)
    check_callable("on_result", on_result, InvalidRequestError)


class Resource:
    """The methods of one tag of the description, with blocking calls."""

    def __init__(self, api: Api, /) -> None:
        self._api = api


class AsyncResource:
    """The methods of one tag of the description, with awaited calls."""

    def __init__(self, api: AsyncApi, /) -> None:
        self._api = api
