"""The part of a call that others see: the log, the record of each attempt, and the differences from
the description."""

import logging
from collections.abc import Mapping

from attrs import define

from .body import RawResponse
from .errors import CometChatError, RateLimitError
from .failures import redacted_headers
from .headers import rate_limit
from .hooks import AttemptRecord, Drift
from .options import Options
from .request import Attempt, Request

log = logging.getLogger("cometchat_rest")

# In seconds: a longer wait after a 429 is a warning.
_LONG_WAIT = 5.0

# With these headers, a service announces the end of an operation (RFC 9745, RFC 8594).
_ENDING = ("deprecation", "sunset")
# The response headers that a record keeps, besides those about rate limits. A service has no reason
# to put a secret into one of them.
_KEPT_HEADERS = frozenset(
    {
        "age",
        "cf-ray",
        "content-encoding",
        "content-length",
        "content-type",
        "date",
        "deprecation",
        "retry-after",
        "server",
        "sunset",
        "via",
        "x-amz-cf-id",
        "x-amzn-requestid",
        "x-amzn-trace-id",
        "x-correlation-id",
        "x-request-id",
    }
)


@define(eq=False, repr=False)
class Observer:
    """Observes the attempts of one call. `logged` remembers events that a client logs only
    once."""

    _request: Request
    _options: Options
    _logged: set[object]

    def drift(self, drift: Drift) -> None:
        """Log a difference once for each place, so that a thousand such records are one line; call
        the hook."""
        if self._is_new(drift.operation, drift.place):
            log.warning(
                "drift: the response to %s differs from the description at %s: not %s",
                drift.operation,
                drift.pointer,
                drift.expected,
                extra={
                    "event_name": "drift",
                    "operation": drift.operation,
                    "pointer": drift.pointer,
                },
            )
        if self._options.on_drift is not None:
            self._options.on_drift(drift)

    def end(
        self,
        attempt: Attempt,
        raw: object,
        arrived: float,
        outcome: object,
        retry_in: float | None,
    ) -> None:
        """End an attempt: the record for the log and the hook, and the log of a retry."""
        response = raw if isinstance(raw, RawResponse) else None
        error = outcome if isinstance(outcome, CometChatError) else None
        if response is not None:
            self._log_deprecation(response.headers)
        # Most programs need no records.
        if self._options.on_attempt is not None or log.isEnabledFor(logging.DEBUG):
            record = self._record(attempt, response, arrived, error, retry_in)
            self._log_attempt(record)
            self._call_hook(record)
        if error is not None and retry_in is not None:
            self._log_retry(attempt.number, error, retry_in)

    def _record(
        self,
        attempt: Attempt,
        response: RawResponse | None,
        arrived: float,
        error: CometChatError | None,
        retry_in: float | None,
    ) -> AttemptRecord:
        operation = self._request.call.operation
        headers = response.headers if response else {}
        return AttemptRecord(
            operation=operation.name,
            method=operation.method,
            path=self._request.hide(operation.path),
            attempt=attempt.number,
            status_code=response.status if response else None,
            error=type(error).__name__ if error else None,
            duration=arrived - attempt.began,
            request_size=attempt.size,
            response_size=len(response.body) if response else None,
            rate_limit=rate_limit(headers, self._options.service),
            headers=self._kept(headers),
            retry_in=retry_in,
        )

    def _kept(self, headers: Mapping[str, str]) -> dict[str, str]:
        service = self._options.service
        names = _KEPT_HEADERS.union(
            service.limit_headers, service.remaining_headers, service.reset_headers
        )
        kept = {name: value for name, value in headers.items() if name in names}
        return redacted_headers(kept, self._request.hide)

    def _log_attempt(self, record: AttemptRecord) -> None:
        log.debug(
            "%s %s: %s in %.3f s",
            record.method,
            record.path,
            record.status_code or record.error,
            record.duration,
            extra={
                "event_name": "attempt",
                "operation": record.operation,
                "path": record.path,
                "duration": record.duration,
                "attempt": record.attempt,
                "request_size": record.request_size,
                "response_size": record.response_size,
                "status": record.status_code,
            },
        )

    def _log_retry(self, number: int, error: CometChatError, pause: float) -> None:
        name = self._request.call.operation.name
        # Somebody may wonder why the program does nothing.
        is_long = isinstance(error, RateLimitError) and pause > _LONG_WAIT
        log.log(
            logging.WARNING if is_long else logging.INFO,
            "%s: attempt %d failed with %s; next attempt in %.2f s",
            name,
            number,
            type(error).__name__,
            pause,
            extra={"event_name": "retry", "operation": name, "attempt": number, "pause": pause},
        )

    def _log_deprecation(self, headers: Mapping[str, str]) -> None:
        name = self._request.call.operation.name
        announced = {
            header: self._request.hide(headers[header]) for header in _ENDING if header in headers
        }
        if announced and self._is_new("deprecation", name):
            log.warning(
                "%s: the service announces the end of this operation (%s);"
                " this is logged only once",
                name,
                ", ".join(f"{header}: {value!r}" for header, value in announced.items()),
                extra={"event_name": "deprecation", "operation": name, "deprecation": announced},
            )

    def _call_hook(self, record: AttemptRecord) -> None:
        if self._options.on_attempt is None:
            return
        try:
            self._options.on_attempt(record)
        except Exception as error:
            # Code that observes a call must not change its outcome.
            if self._is_new("on_attempt", type(error)):
                log.warning(
                    "on_attempt raised %s; the calls continue, and this is logged only once",
                    type(error).__qualname__,
                    exc_info=error,
                    extra={"event_name": "hook", "operation": record.operation},
                )

    def _is_new(self, *event: object) -> bool:
        # Two threads may both find an event new: two lines in a log do no harm.
        is_new = event not in self._logged
        self._logged.add(event)
        return is_new
