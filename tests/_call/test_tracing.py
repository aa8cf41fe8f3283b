"""`telemetry=`: spans and durations of attempts with OpenTelemetry, without secrets."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from attrs import frozen
from opentelemetry import baggage
from opentelemetry.context import attach, detach
from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from cometchat_rest import NotFoundError, Telemetry
from cometchat_rest.testing import Simulator

from ..support import GET, LIST_ID, PUT, TOKEN, AnyClient, StubTransport, error_from, stub_client
from .redaction.canaries import CREDENTIAL, Action, Echo, assert_hidden, each_action, outcome_of, secret_client

GET_NAME = "GET /moderation/keywords/{keyword_id}"


@frozen
class Exported:
    """Providers with exporters in memory."""

    telemetry: Telemetry
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    @property
    def spans(self) -> list[ReadableSpan]:
        """The spans, in the order of their ends."""
        return list(self.exporter.get_finished_spans())

    @property
    def metrics(self) -> Any:
        data = self.reader.get_metrics_data()
        return json.loads(data.to_json()) if data else {}


@pytest.fixture
def exported() -> Iterator[Exported]:
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers, meters = TracerProvider(), MeterProvider([reader])
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    yield Exported(Telemetry(tracer_provider=tracers, meter_provider=meters), exporter, reader)
    tracers.shutdown()
    meters.shutdown()


def test_each_attempt_is_a_span(any_client: AnyClient, simulator: Simulator, exported: Exported) -> None:
    """Each attempt is one CLIENT span with the attributes of the conventions; its request carries its id."""
    simulator.fail("get_keyword_list", status=503, headers={"Retry-After": "0"})
    chat = any_client.client(telemetry=exported.telemetry)
    any_client.call(GET.act, chat)
    first, second = exported.spans
    common = {
        "http.request.method": "GET",
        "url.template": "/moderation/keywords/{keyword_id}",
        "url.full": f"{simulator.base_url}/moderation/keywords/REDACTED",
        "server.address": "127.0.0.1",
        "server.port": int(simulator.base_url.split(":")[2].split("/")[0]),
    }
    assert first.attributes == {**common, "http.response.status_code": 503, "error.type": "503"}
    assert second.attributes == {**common, "http.response.status_code": 200, "http.request.resend_count": 1}
    assert (first.status.status_code, second.status.status_code) == (StatusCode.ERROR, StatusCode.UNSET)
    for span, request in zip(exported.spans, simulator.requests, strict=True):
        assert (span.name, span.kind, span.parent, span.events) == (GET_NAME, SpanKind.CLIENT, None, ())
        assert span.context is not None
        ids = f"{span.context.trace_id:032x}-{span.context.span_id:016x}"
        assert (request.header("traceparent") or "").startswith(f"00-{ids}-")


def test_durations_are_recorded(any_client: AnyClient, exported: Exported) -> None:
    """Each attempt adds to the histogram `http.client.request.duration`, in seconds, with the recommended buckets."""
    chat = any_client.client(telemetry=exported.telemetry, max_retries=0)
    any_client.call(GET.act, chat)
    error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat)
    (metric,) = exported.metrics["resource_metrics"][0]["scope_metrics"][0]["metrics"]
    assert (metric["name"], metric["unit"]) == ("http.client.request.duration", "s")
    points = metric["data"]["data_points"]
    assert points[0]["explicit_bounds"] == [
        *(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
    ]
    outcomes = [
        (each["attributes"]["http.response.status_code"], each["attributes"].get("error.type")) for each in points
    ]
    assert outcomes == [(200, None), (404, "404")]
    assert {each["attributes"]["url.template"] for each in points} == {"/moderation/keywords/{keyword_id}"}
    assert "url.full" not in points[0]["attributes"]


def test_error_types(any_client: AnyClient, simulator: Simulator, exported: Exported) -> None:
    """A span without a usable response has the class of the error; each failed span has the status Error."""
    chat = any_client.client(telemetry=exported.telemetry, max_retries=0)
    simulator.fail(cut="before_headers")
    simulator.fail(body=b"not JSON")
    for _ in range(2):
        error_from(any_client, GET.act, chat)
    error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat)
    types = [span.attributes["error.type"] for span in exported.spans if span.attributes]
    assert types == ["cometchat_rest.errors.TransportError", "cometchat_rest.errors.UnexpectedResponse", "404"]
    assert [span.status.status_code for span in exported.spans] == [StatusCode.ERROR] * 3


def test_interrupted_attempt(any_client: AnyClient, exported: Exported) -> None:
    """The span of an attempt that an interruption ends is exported too, as failed."""

    class Interruption(BaseException):
        pass

    def respond(_: httpx.Request) -> httpx.Response:
        raise Interruption

    chat = stub_client(any_client, StubTransport(respond), telemetry=exported.telemetry)
    assert isinstance(outcome_of(any_client, GET.act, chat), Interruption)
    (span,) = exported.spans
    assert span.attributes is not None
    assert (span.attributes["error.type"], span.status.status_code) == ("interrupted", StatusCode.ERROR)


def test_parent_spans(any_client: AnyClient, simulator: Simulator, exported: Exported) -> None:
    """A method that makes several calls has a parent span, also in threads; a method with one call has no parent span.
    All of these spans are children of the current span of the program."""
    chat = any_client.client(telemetry=exported.telemetry)
    plan = any_client.call(lambda chat: chat.keywords.plan(LIST_ID, ["spam", "scam"]), chat)
    tokens = [("alice", token) for token in simulator.auth_tokens["alice"][:2]]
    cases: list[tuple[Any, str, int]] = [
        (lambda chat: chat.keywords.apply(plan, max_removed=1.0), "keywords.apply", 3),
        (lambda chat: chat.keywords.update(LIST_ID, ["spam"]), "keywords.update", 2),
        (lambda chat: chat.auth_tokens.revoke_all(tokens), "auth_tokens.revoke_all", 2),
        (PUT.act, "", 1),
        (lambda chat: chat.roles.list(), "", 1),
    ]
    assert exported.telemetry.tracer_provider is not None
    tracer = exported.telemetry.tracer_provider.get_tracer("test")

    for act, name, number in cases:
        exported.exporter.clear()
        with tracer.start_as_current_span("program") as program:
            any_client.call(act, chat)
        *attempts, last = [span for span in exported.spans if span.name != "program"]
        parent: Any = program
        if name:
            assert (last.name, last.kind, last.parent, last.attributes) == (
                name,
                SpanKind.INTERNAL,
                program.get_span_context(),
                {},
            )
            parent = last
        else:
            attempts.append(last)
        assert len(attempts) == number
        assert {span.kind for span in attempts} == {SpanKind.CLIENT}
        assert {span.parent and span.parent.span_id for span in attempts} == {parent.get_span_context().span_id}


def test_parent_span_of_a_failure(any_client: AnyClient, exported: Exported) -> None:
    """If a method with several calls fails, its span has the status Error and the class of the error."""
    chat = any_client.client(telemetry=exported.telemetry)
    error = error_from(any_client, lambda chat: chat.keywords.update("no-such-list", ["spam"]), chat)
    assert isinstance(error, NotFoundError)
    parent = exported.spans[-1]
    assert parent.attributes == {"error.type": "cometchat_rest.errors.NotFoundError"}
    assert (parent.status.status_code, parent.events) == (StatusCode.ERROR, ())


@pytest.fixture
def instrumented(exported: Exported) -> Iterator[None]:
    """The instrumentation of httpx, as a program would switch it on."""
    HTTPXClientInstrumentor().instrument(tracer_provider=exported.telemetry.tracer_provider)
    yield
    HTTPXClientInstrumentor().uninstrument()


@pytest.mark.usefixtures("instrumented")
def test_transport_makes_no_second_span(any_client: AnyClient, simulator: Simulator, exported: Exported) -> None:
    """The instrumentation of httpx makes no span of a call, which would show the token. It works for
    other requests of the program, before and after the call."""

    def transport() -> Any:
        return httpx.AsyncHTTPTransport() if any_client.kind == "async" else httpx.HTTPTransport()

    for settings, spans in (
        ({}, 0),
        ({"transport": transport()}, 0),
        ({"transport": transport(), "telemetry": exported.telemetry}, 1),
    ):
        chat = any_client.client(**settings)
        error_from(any_client, lambda chat: chat.auth_tokens.delete("alice", TOKEN), chat)
        assert len(exported.spans) == spans
    assert TOKEN not in "".join(span.to_json() for span in exported.spans)
    with httpx.Client() as other:
        other.get(simulator.base_url)
    assert len(exported.spans) == 2


@each_action
def test_exported_data_has_no_secrets(
    any_client: AnyClient, simulator: Simulator, exported: Exported, action: Action
) -> None:
    """No span, event, attribute or metric shows a key, a token, or a value of the path, whatever the service repeats;
    and the baggage of the program is not sent."""
    simulator.fail(status=404, body=Echo(action).error, headers=Echo(action).headers)
    carried = attach(baggage.set_baggage("user", CREDENTIAL))
    try:
        outcome_of(any_client, action.act, secret_client(any_client, telemetry=exported.telemetry))
    finally:
        detach(carried)
    shown = [("a span", span.to_json()) for span in exported.spans] + [("the metrics", json.dumps(exported.metrics))]
    assert len(shown) == 2
    assert_hidden(shown)
    assert not any("alice" in text or LIST_ID in text for _, text in shown)
    (request,) = simulator.requests
    assert request.header("traceparent")
    assert request.header("baggage") is None


def test_header_of_the_user_takes_precedence(any_client: AnyClient, simulator: Simulator, exported: Exported) -> None:
    """A `traceparent` that the user sets is the only one that is sent."""
    own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    chat = any_client.client(telemetry=exported.telemetry).with_options(headers={"Traceparent": own})
    any_client.call(GET.act, chat)
    assert simulator.requests[0].header("traceparent") == own


class BrokenProcessor(SpanProcessor):
    """A processor with a bug: it raises when a span starts, or when it ends."""

    def __init__(self, when: str, failure: type[Exception]) -> None:
        self._when = when
        self._failure = failure

    def on_start(self, span: Any, parent_context: Any = None) -> None:  # noqa: ARG002 - a method of the base class
        if self._when == "start":
            raise self._failure

    def on_end(self, span: Any) -> None:  # noqa: ARG002 - as above
        if self._when == "end":
            raise self._failure


class ExporterThatIsDown(SpanExporter):
    def export(self, spans: Any) -> SpanExportResult:  # noqa: ARG002 - as above
        raise ConnectionError("the collector is down")


@pytest.mark.parametrize("when", ["start", "end", "export"])
def test_failure_of_a_provider(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, when: str
) -> None:
    """A provider that raises, or an exporter that is down, changes no call. A failure of a provider is logged once."""
    failure = type(f"BrokenAt{when}In{any_client.kind}", (Exception,), {})
    provider = TracerProvider()
    broken = SimpleSpanProcessor(ExporterThatIsDown()) if when == "export" else BrokenProcessor(when, failure)
    provider.add_span_processor(broken)
    chat = any_client.client(telemetry=Telemetry(tracer_provider=provider))
    assert any_client.call(lambda chat: chat.keywords.update(LIST_ID, ["spam"]), chat).id == LIST_ID
    assert isinstance(error_from(any_client, lambda chat: chat.keywords.get("no-such-list"), chat), NotFoundError)
    assert len(simulator.requests) == 3
    logged = [record for record in caplog.records if record.__dict__.get("event_name") == "hook"]
    assert len(logged) == (0 if when == "export" else 1)
