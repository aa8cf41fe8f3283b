"""One call, from its arguments to its result, without a socket: what to send, when to retry, how to read the response.

`exchange` is a generator. It yields attempts to make and seconds to wait, receives the result of each attempt, and
returns the outcome of the call. `api` drives it for both clients.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from copy import copy
from typing import Any, TypeAlias, TypeVar, cast

from cometchat_openapi import Call
from cometchat_openapi.types import Response
from cometchat_rest.errors import CometChatError, InvalidRequestError

from .drift import report
from .observer import Observer
from .pacing import Pacing
from .repeated import repeats_arguments
from .request import Attempt, prepare
from .response import Confirm, RawResponse, Reading
from .retries import Retries
from .settings import Settings
from .transport_errors import AttemptError, to_transport_error

T = TypeVar("T")

#: The next step of a call: make this attempt, wait so many seconds, or read a large response outside of an event loop.
Step: TypeAlias = Attempt | float | Callable[[], Response[Any] | CometChatError]
#: The result of a step: a response, or the reason why no response arrived; `None` after a wait; or the outcome.
StepResult: TypeAlias = RawResponse | AttemptError | Response[Any] | CometChatError | None
#: The steps of one call or of several, and then their result.
Steps: TypeAlias = Generator[Step, StepResult, T]
# A larger response would stop an event loop for too long.
_LARGE = 2**18


def exchange(
    call: Call[T], settings: Settings, pacing: Pacing, confirm: Confirm[T] | None = None
) -> Steps[Response[T] | CometChatError]:
    """Make one call. Errors are returned and not raised, because this frame holds secrets."""
    try:
        request = prepare(call, settings)
    except InvalidRequestError as error:
        # Made anew, because an argument may hold the key by mistake, and the frames of the first error hold secrets.
        about = {"argument": error.argument, "also_called": error.also_called, "operation": error.operation}
        return InvalidRequestError(settings.hide_key(error.reason), **about)
    deadline = time.monotonic() + settings.deadline
    retries = Retries(call.operation.method, settings.max_retries, deadline)
    with pacing.turn(deadline) as turn, Observer(call.operation, settings, request) as observer:
        while True:
            yield from turn.waits()
            attempt = Attempt(observer.begin(), settings.timeout, deadline, settings.max_response_bytes)
            result = yield attempt
            arrived = time.monotonic()
            if isinstance(result, InvalidRequestError):
                return copy(result)
            refused = isinstance(result, RawResponse) and result.status == 429
            if not refused:
                # Before the response is read: `on_drift` may make a call, which must not wait for this one.
                pacing.settle(turn, None, refused=False)
            outcome = yield from _outcome(call, settings, attempt, result, confirm, late=arrived >= deadline)
            retry_in = retries.pause(outcome)
            if refused:
                pacing.settle(turn, retry_in, refused=True)
            observer.end(result, outcome, arrived, retry_in)
            if retry_in is None:
                return outcome
            if not refused:
                yield retry_in


def _outcome(
    call: Call[T], settings: Settings, attempt: Attempt, result: StepResult, confirm: Confirm[T] | None, *, late: bool
) -> Steps[Response[T] | CometChatError]:
    """Judge an attempt: the response or the error of its call. The differences from the description are reported."""
    operation, redact = call.operation, attempt.request.redact
    if isinstance(result, RawResponse):
        confirm = confirm or repeats_arguments(call)
        reading = Reading(operation, settings, result, redact, confirm, attempt.deadline)
        read = (yield reading.outcome) if len(result.body) > _LARGE else reading.outcome()
        outcome = cast("Response[T] | CometChatError", read)
        for drift in reading.drifts:
            report(drift)
            if settings.on_drift is not None:
                settings.on_drift(drift)
    elif isinstance(result, AttemptError):
        outcome = to_transport_error(operation, result, redact, route=settings.route, deadline_passed=late)
    else:
        raise TypeError("the result of an attempt is missing")
    if isinstance(outcome, CometChatError):
        list_id = call.path_values.get("keyword_id")
        outcome.list_id = settings.hide_key(list_id) if isinstance(list_id, str) else None
    return outcome
