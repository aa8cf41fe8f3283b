"""What others see of a call: the log, the record of each attempt, and the differences from the
description."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from attrs import field, frozen

from cometchat_runtime.errors import CometChatError, RateLimit, RateLimitError
from cometchat_runtime.options import Options

from .body import RawResponse
from .drift import Drift
from .failures import redacted_headers

if TYPE_CHECKING:
    from .request import Attempt, Request

log = logging.getLogger("cometchat_rest")

# In seconds: a longer wait after a 429 is a warning.
_LONG_WAIT = 5.0

# With these headers, a service announces the end of an operation (RFC 9745, RFC 8594).
_ENDING = ("deprecation", "sunset")
#: The response headers that a record keeps. A service has no reason to put a secret into one of
#: them.
KEPT_HEADERS = frozenset(
    {
        "age",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "retry-after",
        "server",
        "via",
        *_ENDING,
    }
    | {
        "cf-ray",
        "x-amz-cf-id",
        "x-amzn-requestid",
        "x-amzn-trace-id",
        "x-correlation-id",
        "x-request-id",
    }
    | {"x-rate-limit", "x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset"}
    | {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
)


@frozen(kw_only=True)
class AttemptRecord:
    """One attempt of a call. It contains no value of the path, no key and no token.

    Attributes:
        operation: the operation's name, such as `get_keyword_list`.
        method: the HTTP method, such as `GET`.
        path: the path with the names of its parameters, such as
            `/users/{uid}/auth_tokens/{auth_token}`.
        attempt: the number of the attempt in its call, from 1.
        status_code: the HTTP status; `None` if no complete response arrived.
        error: the name of the error's class, such as `NotFoundError`; `None` after a success.
        duration: seconds from the start of the attempt to the end of its response.
        request_size: bytes of the body that was sent.
        response_size: bytes of the body that was received, after unpacking; `None` if no complete
            response arrived.
        rate_limit: the rate limit as the response gave it.
        headers: response headers from a list of harmless names, in lower case, such as `date`,
            `x-request-id`, `deprecation` and `sunset`.
        retry_in: seconds until the next attempt of the call; `None` if this attempt is its last
            one.
    """

    operation: str
    method: str
    path: str
    attempt: int
    status_code: int | None
    error: str | None
    duration: float
    request_size: int
    response_size: int | None
    rate_limit: RateLimit
    headers: Mapping[str, str] = field(hash=False)
    retry_in: float | None


#: Called with the record of each attempt.
OnAttempt: TypeAlias = Callable[[AttemptRecord], object]


class Observer:
    """Observes the attempts of one call. `logged` remembers what a client logs only once."""

    def __init__(self, request: Request, options: Options, logged: set[object]) -> None:
        self._operation, self._options, self._request, self._logged = (
            request.call.operation,
            options,
            request,
            logged,
        )

    def drift(self, drift: Drift) -> None:
        """Log a difference once for each place, so that a thousand such records are one line;
        call the hook."""
        if self._is_new(drift.operation, drift.place):
            text = "contract.drift: the response to %s differs from the description at %s: not %s"
            extra = {
                "event_name": "contract.drift",
                "operation": drift.operation,
                "pointer": drift.pointer,
            }
            log.warning(text, drift.operation, drift.pointer, drift.expected, extra=extra)
        if self._options.on_drift is not None:
            self._options.on_drift(drift)

    def end(
        self, attempt: Attempt, raw: object, arrived: float, outcome: object, retry_in: float | None
    ) -> None:
        """End an attempt: the record for the log and the hook, and the log of a retry."""
        name, number = self._operation.name, attempt.number
        error = type(outcome).__name__ if isinstance(outcome, CometChatError) else None
        response = raw if isinstance(raw, RawResponse) else None
        if response is not None:
            self._log_deprecation(response.headers)
        # Most programs need no records.
        if self._options.on_attempt is not None or log.isEnabledFor(logging.DEBUG):
            record = self._record(attempt, response, arrived, error, retry_in)
            result = record.status_code or record.error
            names = ("operation", "path", "duration", "attempt", "request_size", "response_size")
            extra = {each: getattr(record, each) for each in names}
            extra |= {"event_name": "attempt", "status": record.status_code}
            log.debug(
                "%s %s: %s in %.3f s",
                record.method,
                record.path,
                result,
                record.duration,
                extra=extra,
            )
            self._call_hook(record)
        if retry_in is not None:
            text = "%s: attempt %d failed with %s; next attempt in %.2f s"
            extra = {"event_name": "retry", "operation": name, "attempt": number, "pause": retry_in}
            # Somebody may wonder why the program stands still.
            level = (
                logging.WARNING
                if isinstance(outcome, RateLimitError) and retry_in > _LONG_WAIT
                else logging.INFO
            )
            log.log(level, text, name, number, error, retry_in, extra=extra)

    def _record(
        self,
        attempt: Attempt,
        response: RawResponse | None,
        arrived: float,
        error: str | None,
        retry_in: float | None,
    ) -> AttemptRecord:
        headers = response.headers if response else {}
        return AttemptRecord(
            operation=self._operation.name,
            method=self._operation.method,
            path=self._request.hide(self._operation.path),
            attempt=attempt.number,
            status_code=response.status if response else None,
            error=error,
            duration=arrived - attempt.began,
            request_size=attempt.size,
            response_size=len(response.body) if response else None,
            rate_limit=RateLimit.from_headers(headers),
            headers=redacted_headers(
                {k: v for k, v in headers.items() if k in KEPT_HEADERS}, self._request.hide
            ),
            retry_in=retry_in,
        )

    def _log_deprecation(self, headers: Mapping[str, str]) -> None:
        name = self._operation.name
        announced = {each: self._request.hide(headers[each]) for each in _ENDING if each in headers}
        if announced and self._is_new("deprecation", name):
            text = (
                "%s: the service announces the end of this operation (%s); this is logged only once"
            )
            shown = ", ".join(f"{each}: {value!r}" for each, value in announced.items())
            extra = {"event_name": "deprecation", "operation": name, "deprecation": announced}
            log.warning(text, name, shown, extra=extra)

    def _call_hook(self, record: AttemptRecord) -> None:
        try:
            if self._options.on_attempt is not None:
                self._options.on_attempt(record)
        except Exception as error:
            # Code that observes a call must not change its outcome.
            if self._is_new("on_attempt", type(error)):
                text = "on_attempt raised %s; the calls continue, and this is logged only once"
                extra = {"event_name": "hook", "operation": record.operation}
                log.warning(text, type(error).__qualname__, exc_info=error, extra=extra)

    def _is_new(self, *event: object) -> bool:
        # Two threads may both find an event new: two lines in a log do no harm.
        is_new = event not in self._logged
        self._logged.add(event)
        return is_new
