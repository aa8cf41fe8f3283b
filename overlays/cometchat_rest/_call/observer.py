"""What others see of a call: the span and the record of each attempt, and the log of its retries."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Self

from attrs import evolve

from cometchat_openapi import Operation
from cometchat_openapi.types import Response
from cometchat_rest.errors import CometChatError, RateLimit

from .api_errors import redacted_headers
from .request import Request
from .response import RawResponse
from .settings import Settings

if TYPE_CHECKING:
    from .tracing import AttemptSpan

log = logging.getLogger("cometchat_rest")


# With these headers, a service announces the end of an operation (RFC 9745, RFC 8594).
_ENDING = frozenset({"deprecation", "sunset", "link"})


class Observer:
    """Observes the attempts of one call."""

    def __init__(self, operation: Operation[Any], settings: Settings, request: Request) -> None:
        self._operation, self._settings, self._request = operation, settings, request
        self._span: AttemptSpan | None = None
        self._number, self._began = 0, 0.0

    def begin(self) -> Request:
        """Begin an attempt; returns its request, which carries the headers of its span."""
        self._number += 1
        request, tracing = self._request, self._settings.tracing
        if tracing is not None:
            query = request.redact(request.target.partition(b"?")[2].decode("ascii"))
            self._span = tracing.start(self._operation, query, self._number)
            # A header that the user has set takes precedence.
            names = {name.lower() for name, _ in request.headers}
            added = [(name.encode("ascii"), value.encode("ascii")) for name, value in self._span.headers.items()]
            request = evolve(request, headers=[*request.headers, *(pair for pair in added if pair[0] not in names)])
        self._began = time.monotonic()
        return request

    def end(
        self, result: object, outcome: Response[Any] | CometChatError, arrived: float, retry_in: float | None
    ) -> None:
        """End an attempt: the span, the record for the log and the hook, and the log of a retry."""
        error = type(outcome).__name__ if isinstance(outcome, CometChatError) else None
        response = result if isinstance(result, RawResponse) else None
        # Most programs need no records.
        is_watched = self._settings.on_attempt is not None or self._span is not None or log.isEnabledFor(logging.DEBUG)
        if is_watched or (response is not None and not _ENDING.isdisjoint(response.headers)):
            self._report(response, error, arrived, retry_in)
        if retry_in is not None:
            name, number = self._operation.name, self._number
            log.info(
                "%s: attempt %d failed with %s; next attempt in %.2f s",
                name,
                number,
                error,
                retry_in,
                extra={"event_name": "retry", "operation": name, "attempt": number, "pause": retry_in},
            )

    def _report(self, response: RawResponse | None, error: str | None, arrived: float, retry_in: float | None) -> None:
        from .attempts import KEPT_HEADERS, AttemptRecord, announced_end, report  # noqa: PLC0415 - rarely needed

        headers = response.headers if response else {}
        kept = {name: value for name, value in headers.items() if name in KEPT_HEADERS}
        record = AttemptRecord(
            operation=self._operation.name,
            method=self._operation.method,
            path=self._operation.path,
            attempt=self._number,
            status_code=response.status if response else None,
            error=error,
            duration=arrived - self._began,
            request_size=self._request.size,
            response_size=len(response.body) if response else None,
            rate_limit=RateLimit.from_headers(headers),
            headers=redacted_headers(kept, self._request.redact),
            deprecation=redacted_headers(announced_end(headers), self._request.redact),
            retry_in=retry_in,
        )
        if self._span is not None:
            self._span.end(record)
        report(record, self._settings.on_attempt)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the span of an attempt that an interruption or a cancellation ended; nothing if it has ended."""
        if self._span is not None:
            self._span.interrupt()
