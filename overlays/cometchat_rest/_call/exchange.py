"""One call, from its arguments to its result, without touching a socket: what to send, when again, what came of it.

`exchange` is a generator. It yields requests to send and seconds to wait, takes what became of each request, and
returns the result. The two clients drive it, one with blocking calls and one with awaited ones, and hold no logic of
their own.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

import httpcore

from cometchat_openapi import Call
from cometchat_openapi.types import Response
from cometchat_rest.errors import CometChatError, InvalidRequestError

from .request import Prepared, prepare
from .response import Answer, Confirm, judge
from .retries import pause_before_retry
from .settings import Settings
from .transport_errors import failure

T = TypeVar("T")

#: The next step of a call: send this request, or wait so many seconds.
Step: TypeAlias = httpcore.Request | float
#: How a call ended: with a response, or with the error to raise.
Outcome: TypeAlias = Response[Any] | CometChatError
#: Several calls that belong together: a generator that yields a call to make or seconds to wait, receives the outcome
#: of the call (`None` after a wait), and returns the result.
Flow: TypeAlias = Generator[Call[Any] | float, Outcome | None, T]

#: What the client reports back after a step: a response as received, an exception, or nothing after a wait.
RawResult: TypeAlias = Answer | Exception | None

log = logging.getLogger("cometchat_rest")


def exchange(
    call: Call[T], settings: Settings, confirm: Confirm[T] | None = None
) -> Generator[Step, RawResult, Response[T] | CometChatError]:
    """Carry out one call. Errors are returned, so that whoever raises them has no secrets in its frame."""
    operation = call.operation
    try:
        prepared = prepare(call, settings)
    except InvalidRequestError as error:
        return InvalidRequestError(*error.args)
    deadline = time.monotonic() + settings.deadline
    attempt = 0
    while True:
        attempt += 1
        began = time.monotonic()
        outcome = yield prepared.attempt(settings.timeout.within(deadline - began), deadline)
        if isinstance(outcome, Answer):
            result = judge(operation, settings, outcome, prepared.redact, confirm)
        elif isinstance(outcome, InvalidRequestError):
            return InvalidRequestError(*outcome.args)
        elif isinstance(outcome, Exception):
            late = time.monotonic() >= deadline
            result = failure(operation, outcome, prepared.redact, route=settings.route, late=late)
        else:
            raise TypeError("a request was not answered by its outcome")
        now = time.monotonic()
        _log_attempt(call, prepared, outcome, attempt, now - began)
        if isinstance(result, Response):
            return result
        result.attempts = attempt
        pause = None
        if attempt <= settings.max_retries:
            pause = pause_before_retry(operation.method, result, attempt, deadline - now)
        if pause is None:
            return result
        log.info(
            "%s: attempt %d ended in %s; trying again in %.2f s",
            operation.name,
            attempt,
            type(result).__name__,
            pause,
            extra={"event": "retry", "operation": operation.name, "attempt": attempt, "pause": pause},
        )
        yield pause


def steps_of(flow: Flow[T], settings: Settings) -> Generator[Step, RawResult, T]:
    """Carry out a flow: the steps of each of its calls, and its own waits."""
    outcome: Outcome | None = None
    try:
        while True:
            step = flow.send(outcome)
            if isinstance(step, float):
                yield step
                outcome = None
            else:
                outcome = yield from exchange(step, settings)
    except StopIteration as stop:
        result: T = stop.value
        return result


def raise_if_error(outcome: Outcome | None) -> Response[Any]:
    """The response of a call that a flow yielded.

    Raises:
        CometChatError: the call failed.
    """
    if isinstance(outcome, CometChatError):
        raise outcome
    if outcome is None:
        raise TypeError("a flow did not receive the outcome of its call")
    return outcome


def _log_attempt(call: Call[Any], prepared: Prepared, outcome: Answer | Exception, attempt: int, took: float) -> None:
    if not log.isEnabledFor(logging.DEBUG):
        return
    operation = call.operation
    status = outcome.status if isinstance(outcome, Answer) else None
    log.debug(
        "%s %s: %s in %.3f s",
        operation.method,
        operation.path,
        status or type(outcome).__name__,
        took,
        extra={
            "event": "attempt",
            "operation": operation.name,
            "path": operation.path,
            "status": status,
            "duration": took,
            "attempt": attempt,
            "request_size": len(prepared.body),
        },
    )
