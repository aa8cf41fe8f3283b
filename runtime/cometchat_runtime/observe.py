"""The part of a call that others see: the log, the record of each attempt, and the differences from
the description."""

import logging

from attrs import asdict, define

from .body import RawResponse
from .errors import CometChatError, RateLimitError
from .headers import rate_limit
from .hooks import AttemptRecord, Drift
from .options import Options
from .request import Attempt

log = logging.getLogger("cometchat_rest")

# In seconds: a longer wait after a 429 is a warning.
_LONG_WAIT = 5.0


@define(eq=False, repr=False)
class Observer:
    """Observes the attempts of one call. `logged` remembers events that a client logs only
    once."""

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
        # Most programs need no records.
        if self._options.on_attempt is not None or log.isEnabledFor(logging.DEBUG):
            record = self._record(attempt, response, arrived, error, retry_in)
            self._log_attempt(record)
            self._call_hook(record)
        if error is not None and retry_in is not None:
            self._log_retry(attempt, error, retry_in)

    def _record(
        self,
        attempt: Attempt,
        response: RawResponse | None,
        arrived: float,
        error: CometChatError | None,
        retry_in: float | None,
    ) -> AttemptRecord:
        request = attempt.request
        operation = request.call.operation
        headers = response.headers if response else {}
        return AttemptRecord(
            operation=operation.name,
            method=operation.method,
            path=request.hide(operation.path),
            attempt=attempt.number,
            status_code=response.status if response else None,
            error=type(error).__name__ if error else None,
            duration=arrived - attempt.began,
            request_size=attempt.size,
            response_size=len(response.body) if response else None,
            rate_limit=rate_limit(headers, self._options.service),
            retry_in=retry_in,
        )

    def _log_attempt(self, record: AttemptRecord) -> None:
        log.debug(
            "%s %s: %s in %.3f s",
            record.method,
            record.path,
            record.status_code or record.error,
            record.duration,
            extra={"event_name": "attempt", **asdict(record)},
        )

    def _log_retry(self, attempt: Attempt, error: CometChatError, pause: float) -> None:
        name = attempt.request.call.operation.name
        # Somebody may wonder why the program does nothing.
        is_long = isinstance(error, RateLimitError) and pause > _LONG_WAIT
        log.log(
            logging.WARNING if is_long else logging.INFO,
            "%s: attempt %d failed with %s; next attempt in %.2f s",
            name,
            attempt.number,
            type(error).__name__,
            pause,
            extra={
                "event_name": "retry",
                "operation": name,
                "attempt": attempt.number,
                "pause": pause,
            },
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
