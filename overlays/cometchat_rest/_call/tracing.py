"""OpenTelemetry: a span and a duration for each attempt, without a secret and without a value of the path.

The names follow the conventions for HTTP clients. A failure of a provider is logged, and never changes a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from opentelemetry import metrics, trace
from opentelemetry.context import attach, detach
from opentelemetry.trace import Span, SpanKind, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

from cometchat_openapi import Operation
from cometchat_rest import errors
from cometchat_rest.version import __version__

from .attempts import AttemptRecord, log_failure

Attributes: TypeAlias = dict[str, AttributeValue]

_SCOPE = "cometchat_rest"
# The buckets that the conventions recommend, in seconds.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
_DEFAULT_PORTS = {"https": 443, "http": 80}
_PARAMETER = re.compile(r"\{\w+\}")
# Not the global propagator: the baggage of a program is not for other companies.
_PROPAGATOR = TraceContextTextMapPropagator()


class Tracing:
    """Makes the spans of a client and its derived clients, and records the durations."""

    def __init__(
        self, base_url: str, tracer_provider: trace.TracerProvider | None, meter_provider: metrics.MeterProvider | None
    ) -> None:
        address = urlsplit(base_url)
        self.base_url = base_url
        self.server: Attributes = {
            "server.address": address.hostname or "",
            "server.port": address.port or _DEFAULT_PORTS[address.scheme],
        }
        self.tracer: trace.Tracer = trace.get_tracer(_SCOPE, __version__, tracer_provider)
        self.durations: metrics.Histogram = metrics.get_meter(_SCOPE, __version__, meter_provider).create_histogram(
            "http.client.request.duration",
            unit="s",
            description="Duration of HTTP client requests.",
            explicit_bucket_boundaries_advisory=_BUCKETS,
        )

    def start(self, operation: Operation[Any], query: str, number: int) -> AttemptSpan:
        """Start the span of an attempt; it is a child of the current span."""
        return AttemptSpan(self, operation, query, number)

    @contextmanager
    def parent(self, name: str) -> Iterator[None]:
        """Make a span that is the parent of the attempts within it, for a method that makes several calls."""
        span = token = None
        with _failures_logged(name):
            span = self.tracer.start_span(name)
            token = attach(set_span_in_context(span))
        result: Attributes = {"error.type": "interrupted"}
        try:
            yield
            result = {}
        except Exception as error:
            result = {"error.type": f"{type(error).__module__}.{type(error).__qualname__}"}
            raise
        finally:
            with _failures_logged(name):
                if token is not None:
                    detach(token)
                if span is not None:
                    _end(span, result)


class AttemptSpan:
    """The span of one attempt, from its start to `end`."""

    def __init__(self, tracing: Tracing, operation: Operation[Any], query: str, number: int) -> None:
        self._tracing = tracing
        self._operation = operation.name
        # The attributes of the span and of its duration.
        self._attributes: Attributes = {
            "http.request.method": operation.method,
            "url.template": operation.path,
            **tracing.server,
        }
        url = tracing.base_url + _PARAMETER.sub("REDACTED", operation.path)
        attributes = {**self._attributes, "url.full": f"{url}?{query}" if query else url}
        if number > 1:
            attributes["http.request.resend_count"] = number - 1
        self._span: Span | None = None
        with _failures_logged(self._operation):
            name = f"{operation.method} {operation.path}"
            self._span = tracing.tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that name this span: `traceparent`, and `tracestate` if the program has one."""
        carrier: dict[str, str] = {}
        with _failures_logged(self._operation):
            if self._span is not None:
                _PROPAGATOR.inject(carrier, set_span_in_context(self._span))
        return carrier

    def end(self, record: AttemptRecord) -> None:
        """End the span, and record the duration."""
        result: Attributes = {}
        if record.status_code is not None:
            result["http.response.status_code"] = record.status_code
        if record.error is not None:
            refused = record.status_code is not None and record.status_code >= 400
            result["error.type"] = str(record.status_code) if refused else f"{errors.__name__}.{record.error}"
        self._end(result)
        with _failures_logged(self._operation):
            self._tracing.durations.record(record.duration, {**self._attributes, **result})

    def interrupt(self) -> None:
        """End the span of an attempt that an interruption or a cancellation ended; nothing if it has ended."""
        self._end({"error.type": "interrupted"})

    def _end(self, result: Attributes) -> None:
        span, self._span = self._span, None
        with _failures_logged(self._operation):
            if span is not None:
                _end(span, result)


def _end(span: Span, result: Attributes) -> None:
    span.set_attributes(result)
    if "error.type" in result:
        span.set_status(StatusCode.ERROR)
    span.end()


@contextmanager
def _failures_logged(operation: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - a provider must not change the outcome of a call
        log_failure("telemetry", error, operation)
