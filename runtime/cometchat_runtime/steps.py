"""One call, from its arguments to its result, without a socket.

`steps` is a generator. It yields attempts to make and seconds to wait, receives the result of each
attempt, and returns the outcome of the call. `api` carries the steps out for both clients.
"""

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import TypeAlias, TypeVar, cast

from attrs import define, field

from .body import RawResponse
from .errors import CometChatError, InvalidRequestError, RateLimitError
from .failures import NoResponse, transport_error
from .hooks import Drift
from .observe import Observer
from .operation import Call, Response
from .options import Options
from .pacing import Pacing
from .request import Attempt, Request, request_of
from .response import Confirm, read_response, repeats_arguments
from .retries import Retries

T = TypeVar("T")

#: The next step of a call: make this attempt, wait so many seconds, or read a large response
#: outside of an event loop.
Step: TypeAlias = Attempt | float | Callable[[], Response[object] | CometChatError]
#: The result of a step: a response, or the reason why no response arrived; after a wait, whether
#: the job of the call was stopped; or the outcome.
StepResult: TypeAlias = RawResponse | NoResponse | Response[object] | CometChatError | bool | None
#: The steps of one call or of several, and then their result.
Steps: TypeAlias = Generator[Step, StepResult, T]
#: A check that is made again before a call is repeated.
Recheck: TypeAlias = Callable[[], Steps[None]] | None
# A larger response would stop an event loop for too long.
_LARGE = 2**18


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


def steps(
    call: Call[T],
    options: Options,
    shared: Shared,
    confirm: Confirm[T] | None,
    recheck: Recheck,
    *,
    repeatable: bool,
) -> Steps[Response[T] | CometChatError]:
    """Make one call. The error of a call that was sent is returned; that of an invalid argument is
    raised.

    A call that is not a GET is sent again only if the service certainly did not process it, or if
    it is `repeatable`.
    """
    request = request_of(call, options)  # request: its arguments are valid, or nothing is sent
    deadline = time.monotonic() + options.deadline
    repeatable = repeatable or call.operation.method == "GET"
    retries = Retries(options.max_retries, deadline, repeatable=repeatable)  # no change sent twice
    observer = Observer(options, shared.logged)  # observe: the log, the hooks
    progress = _Progress(request)
    pause: tuple[float, ...] = ()
    while True:
        # pacing: one pause for all calls after a 429
        is_stopped = yield from _wait(chain(pause, shared.pacing.pauses(deadline)))
        if is_stopped:
            return progress.stopped()
        if progress.attempts and recheck is not None:
            yield from recheck()
        attempt = Attempt(request, options, deadline, progress.attempts + 1)
        raw = yield attempt  # outgoing: it goes where its operation says; transport: it is sent
        arrived = time.monotonic()
        if isinstance(raw, InvalidRequestError):
            return progress.not_sent(raw)
        outcome = yield from _outcome(call, attempt, raw, shared, confirm, observer)
        progress.sent(outcome)
        retry_in = retries.pause(outcome)
        # Before the log and the hook: after a 429 all calls wait, and this one with them.
        pause = _own_pause(outcome, retry_in, shared.pacing, deadline)
        observer.end(attempt, raw, arrived, outcome, retry_in)
        if retry_in is None:
            return outcome


@define(eq=False, repr=False)
class _Progress:
    """The attempts of one call so far."""

    request: Request
    attempts: int = 0
    error: CometChatError | None = None  # the error of the last attempt
    outcome_unknown: bool = False

    def sent(self, outcome: object) -> None:
        """Count an attempt, and complete its error."""
        self.attempts += 1
        if not isinstance(outcome, CometChatError):
            return
        # A later attempt does not tell whether an earlier one was processed.
        self.outcome_unknown |= outcome.outcome_unknown
        self.error = outcome
        outcome.conclude(
            path_values=self.request.shown_values,
            attempts=self.attempts,
            outcome_unknown=self.outcome_unknown,
        )

    def not_sent(self, error: CometChatError) -> CometChatError:
        """The error of an attempt that was refused before it was sent."""
        error.conclude(path_values={}, attempts=self.attempts, outcome_unknown=self.outcome_unknown)
        return error

    def stopped(self) -> CometChatError:
        """The error of a call that must not send more."""
        reason = "the job was stopped before this call was sent"
        return self.error or InvalidRequestError(
            reason,
            operation=self.request.call.operation.name,
            path_values=self.request.shown_values,
        )


def _own_pause(
    outcome: object, retry_in: float | None, pacing: Pacing, deadline: float
) -> tuple[float, ...]:
    """The pause of this call before its next attempt, unless it waits with all calls."""
    if isinstance(outcome, RateLimitError):
        pacing.refused(retry_in)
        if pacing.holds(deadline):
            return ()
    return () if retry_in is None else (retry_in,)


def _wait(pauses: Iterable[float]) -> Steps[bool]:
    """Wait; the result says whether the job of this call was stopped meanwhile."""
    for pause in pauses:
        if (yield pause):
            return True
    return False


def _outcome(
    call: Call[T],
    attempt: Attempt,
    raw: StepResult,
    shared: Shared,
    confirm: Confirm[T] | None,
    observer: Observer,
) -> Steps[Response[T] | CometChatError]:
    """Judge an attempt: the response or the error of its call. The differences from the description
    are reported."""
    if isinstance(raw, NoResponse):
        return transport_error(attempt, raw)
    raw = cast("RawResponse", raw)
    shared.headers = raw.headers
    if confirm is None:
        # Nobody should change a record by the content of another one, so a GET must repeat the
        # identifier.
        confirm = repeats_arguments(call, required=call.operation.method == "GET")
    drifts: list[Drift] = []
    read = partial(read_response, call, attempt, raw, confirm, drifts)
    if len(raw.body) > _LARGE:
        outcome = cast("Response[T] | CometChatError", (yield read))
    else:
        outcome = read()
    if not attempt.options.strict:
        for drift in drifts:
            observer.drift(drift)
    return outcome
