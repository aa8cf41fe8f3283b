"""One call, from its arguments to its result, without a socket: what to send, when to retry, how to read the response.

`exchange` is a generator. It yields attempts to make and seconds to wait, receives the result of each attempt, and
returns the outcome of the call. `api` drives it for both clients.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from attrs import evolve

from cometchat_openapi import Call, Operation
from cometchat_openapi.types import Response
from cometchat_rest.errors import CometChatError, InvalidRequestError, RateLimit

from .api_errors import redacted_headers
from .pacing import Pacing, Turn
from .repeated import repeats_arguments
from .request import Attempt, Request, prepare
from .response import Confirm, RawResponse, parse_response
from .retries import backoff, pause_before_retry
from .settings import Settings
from .transport_errors import AttemptError, to_transport_error

if TYPE_CHECKING:
    from .tracing import AttemptSpan

T = TypeVar("T")

#: The next step of a call: make this attempt, or wait so many seconds.
Step: TypeAlias = Attempt | float
#: The result of a step: a response, or the reason why no response arrived. After a wait it is `None`.
StepResult: TypeAlias = RawResponse | AttemptError | InvalidRequestError | None
#: How a call ended: with a response, or with the error to raise.
CallOutcome: TypeAlias = Response[Any] | CometChatError
#: Several calls that belong together: a generator that yields a call to make or seconds to wait, receives the outcome
#: of the call (`None` after a wait), and returns the result.
Flow: TypeAlias = Generator[Call[Any] | float, CallOutcome | None, T]

log = logging.getLogger("cometchat_rest")


def exchange(
    call: Call[T], settings: Settings, pacing: Pacing, confirm: Confirm[T] | None = None
) -> Generator[Step, StepResult, Response[T] | CometChatError]:
    """Make one call. Errors are returned and not raised, because this frame holds secrets."""
    operation = call.operation
    try:
        request = prepare(call, settings)
    except InvalidRequestError as error:
        return copy(error)
    confirm = confirm or repeats_arguments(call)
    deadline = time.monotonic() + settings.deadline
    turn: Turn | None = None
    span: AttemptSpan | None = None
    number = failures = 0
    try:
        while True:
            number += 1
            if settings.job is not None or not pacing.calm:
                turn = turn or pacing.turn(deadline, settings.job)
                while (pause := pacing.wait(turn)) > 0:
                    yield pause
                    if settings.job is not None and settings.job.stopped:
                        return InvalidRequestError(
                            "the job was stopped while this call waited", operation=operation.name
                        )
            if settings.tracing is not None:
                query = request.redact(request.target.partition(b"?")[2].decode("ascii"))
                span = settings.tracing.start(operation, query, number)
            began = time.monotonic()
            result = yield Attempt(
                _with_headers(request, span.headers) if span else request,
                settings.timeout,
                deadline,
                settings.max_response_bytes,
            )
            now = time.monotonic()
            if isinstance(result, InvalidRequestError):
                return copy(result)
            refused = isinstance(result, RawResponse) and result.status == 429
            headers = result.headers if isinstance(result, RawResponse) else {}
            if turn is not None and not refused:
                # Before the response is read: `on_drift` may make a call, which must not wait for this one.
                pacing.settle(turn, RateLimit.from_headers(headers), None, refused=False)
            if isinstance(result, RawResponse):
                outcome = parse_response(operation, settings, result, request.redact, confirm)
            elif result is None:
                raise TypeError("the result of an attempt is missing")
            else:
                outcome = to_transport_error(
                    operation, result, request.redact, route=settings.route, deadline_passed=now >= deadline
                )
            retry_in = None
            if isinstance(outcome, CometChatError):
                outcome.attempts = number
                # Only a str has become a part of the path.
                outcome.list_id = cast("str | None", call.path_values.get("keyword_id"))
                # A long job reaches the rate limit again and again: for a 429, only the deadline limits its attempts.
                # Its pauses grow, because `Retry-After: 0` would flood the service.
                in_job = refused and settings.job is not None
                failures += not in_job
                shortest = backoff(number) if in_job and number > 2 else 0.0
                if failures <= settings.max_retries:
                    left = deadline - time.monotonic()
                    retry_in = pause_before_retry(operation.method, outcome, number, left, shortest)
            if refused and retry_in is not None:
                turn = turn or pacing.turn(deadline)
            if turn is not None and refused:
                pacing.settle(turn, RateLimit.from_headers(headers), retry_in, refused=True)
            if settings.on_attempt is not None or span is not None or log.isEnabledFor(logging.DEBUG):
                _report(settings, span, operation, request, result, outcome, number, now - began, retry_in)
            if retry_in is None:
                return outcome
            _log_retry(operation, type(outcome).__name__, number, retry_in)
            if not refused:
                yield retry_in
    finally:
        if span is not None:
            span.interrupt()
        if turn is not None:
            pacing.leave(turn)


def steps_of(flow: Flow[T], settings: Settings, pacing: Pacing) -> Generator[Step, StepResult, T]:
    """Carry out a flow: the steps of each of its calls, and its own waits."""
    outcome: CallOutcome | None = None
    try:
        while True:
            step = flow.send(outcome)
            if isinstance(step, float):
                yield step
                outcome = None
            else:
                outcome = yield from exchange(step, settings, pacing)
    except StopIteration as stop:
        result: T = stop.value
        return result


def raise_if_error(outcome: CallOutcome | None) -> Response[Any]:
    """The response of a call that a flow yielded.

    Raises:
        CometChatError: the call failed.
    """
    if isinstance(outcome, CometChatError):
        raise outcome
    if outcome is None:
        raise TypeError("a flow did not receive the outcome of its call")
    return outcome


def _log_retry(operation: Operation[Any], error: str, number: int, pause: float) -> None:
    log.info(
        "%s: attempt %d failed with %s; next attempt in %.2f s",
        operation.name,
        number,
        error,
        pause,
        extra={"event": "retry", "operation": operation.name, "attempt": number, "pause": pause},
    )


def _with_headers(request: Request, headers: Mapping[str, str]) -> Request:
    """The request with further headers; a header that the user has set takes precedence."""
    names = {name.lower() for name, _ in request.headers}
    added = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
    return evolve(request, headers=[*request.headers, *(pair for pair in added if pair[0] not in names)])


def _report(
    settings: Settings,
    span: AttemptSpan | None,
    operation: Operation[Any],
    request: Request,
    result: StepResult,
    outcome: CallOutcome,
    number: int,
    duration: float,
    retry_in: float | None,
) -> None:
    """Make the record of an attempt, and report it."""
    # Most programs need no records.
    from .attempts import KEPT_HEADERS, AttemptRecord, report  # noqa: PLC0415

    response = result if isinstance(result, RawResponse) else None
    headers = response.headers if response else {}
    kept = {name: value for name, value in headers.items() if name in KEPT_HEADERS}
    record = AttemptRecord(
        operation=operation.name,
        method=operation.method,
        path=operation.path,
        attempt=number,
        status_code=response.status if response else None,
        error=type(outcome).__name__ if isinstance(outcome, CometChatError) else None,
        duration=duration,
        request_size=len(request.body),
        response_size=len(response.body) if response else None,
        rate_limit=RateLimit.from_headers(headers),
        headers=redacted_headers(kept, request.redact),
        retry_in=retry_in,
    )
    if span is not None:
        span.end(record)
    report(record, settings.on_attempt)
