"""Log records and spans: those of httpx and its libraries show no secret, and all others stay as
they are."""

import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from cometchat_rest import TransportError
from cometchat_testing import Simulator

from ..secret_support import (
    CALLS,
    CREDENTIAL,
    KEY,
    QUOTED_PASSWORD,
    REFUSING_URL,
    TOKEN,
    WITH_TOKEN,
    leaks,
    refuse_at_proxy,
    secret_client,
)
from ..servers import ScriptedServer, WireServer
from ..support import GET, AnyClient, StubTransport, error_from, make_response

DELETE = WITH_TOKEN["delete"]
#: The loggers of httpx and its libraries.
WIRE = {
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
    "hpack.hpack",
    "hpack.table",
    "h2",
    "hyperframe",
}


@pytest.fixture(autouse=True)
def every_level(caplog: pytest.LogCaptureFixture) -> None:
    """Collect the records of all loggers, at every level."""
    caplog.set_level(logging.DEBUG)


def named(name: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of one logger."""
    return [record.getMessage() for record in caplog.records if record.name == name]


def assert_hidden(caplog: pytest.LogCaptureFixture) -> None:
    """Check that no message and no attribute of a record shows a secret."""
    found = leaks(
        "\n".join(
            f"{logging.Formatter().format(record)} {vars(record)!r}" for record in caplog.records
        )
    )
    assert not found, found


@pytest.mark.parametrize("call", [*WITH_TOKEN, "path"])
def test_records_of_a_call(
    any_client: AnyClient, caplog: pytest.LogCaptureFixture, call: str
) -> None:
    """The records of httpcore keep status and headers, and neither they nor ours show a secret."""
    echo = f"{KEY} {CREDENTIAL} {'' if call == 'path' else quote(TOKEN, safe='')}".encode()
    headers = b"X-Echo: %b\r\nDeprecation: %b\r\nX-Kept: kept\r\nContent-Length: 0" % (echo, echo)
    response = b"HTTP/1.1 404 Not Found\r\n%b\r\n\r\n" % headers
    with WireServer(lambda _: [response]) as server:
        error_from(any_client, CALLS[call], secret_client(any_client, base_url=server.base_url))
    assert {"cometchat_rest", "httpcore.connection"} <= {record.name for record in caplog.records}
    (head,) = [
        text
        for text in named("httpcore.http11", caplog)
        if text.startswith("receive_response_headers.comp")
    ]
    assert all(part in head for part in ("404", "Not Found", "X-Kept", "[redacted]"))
    assert_hidden(caplog)


def test_records_of_http_2(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """With a custom transport for HTTP/2, no record of httpcore or hpack shows a secret."""
    pytest.importorskip("h2")
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    with WireServer(lambda _: [], read=lambda connection: connection.recv(65_536)) as server:
        chat = secret_client(
            any_client, base_url=server.base_url, transport=kind(http1=False, http2=True)
        )
        assert isinstance(error_from(any_client, DELETE, chat), TransportError)
    assert named("httpcore.http2", caplog)
    assert set(named("hpack.hpack", caplog)) == {"[redacted]"}
    assert_hidden(caplog)


class Relay(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends each request through a client of httpx, for example to use its hooks."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as other:
            return other.send(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        async with httpx.AsyncClient(
            transport=httpx.MockTransport(lambda _: httpx.Response(404))
        ) as other:
            return await other.send(request)


def test_records_of_httpx(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """If a custom transport sends through a client of httpx, the record of the request stays,
    without the token."""
    error_from(
        any_client, DELETE, secret_client(any_client, base_url=REFUSING_URL, transport=Relay())
    )
    address = f"{REFUSING_URL}/users/alice/auth_tokens/[redacted]"
    assert named("httpx", caplog) == [f'HTTP Request: DELETE {address} "HTTP/1.1 404 Not Found"']
    assert_hidden(caplog)


def test_records_of_a_proxy(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """No record shows the password of a proxy, not even if the proxy repeats it."""
    with WireServer(refuse_at_proxy) as proxy:
        address = proxy.address.replace("http://", f"http://me:{QUOTED_PASSWORD}@")
        error = error_from(
            any_client, DELETE, secret_client(any_client, app_id="app", proxy=address)
        )
    assert isinstance(error, TransportError)
    assert any(
        "[redacted]" in text
        for text in named("httpcore.proxy", caplog) + named("httpcore.http11", caplog)
    )
    assert_hidden(caplog)


def accept_socks(connection: Any) -> None:
    """Accept the password of a SOCKS client and its target, and hang up."""
    for reply in (b"\5\2", b"\1\0", b"\5\0\0\1" + bytes(6)):
        connection.recv(999)
        connection.sendall(reply)


def test_records_of_a_socks_proxy(any_client: AnyClient, caplog: pytest.LogCaptureFixture) -> None:
    """The record of httpcore that holds the password of a SOCKS proxy does not show it."""
    with ScriptedServer(accept_socks) as proxy:
        address = f"socks5://me:{QUOTED_PASSWORD}@127.0.0.1:{proxy.port}"
        error_from(any_client, DELETE, secret_client(any_client, app_id="app", proxy=address))
    assert "auth=(b'me', b'[redacted]')" in "".join(named("httpcore.socks", caplog))
    assert_hidden(caplog)


@pytest.mark.parametrize(
    "name", ["program", "program.part", "asyncio", "aiohttp.server", "httpx.part", "httpx"]
)
def test_record_of_other_code_during_a_call(
    any_client: AnyClient, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """The records of other loggers stay as they are while a call runs, and a record of httpx
    keeps its exception."""
    failure = LookupError(KEY)

    def respond(_: httpx.Request) -> httpx.Response:
        logging.getLogger(name).error("deployed %s to production", KEY, exc_info=failure)
        return make_response(404)

    headers = {"X-Environment": "production", "X-Api-Key": "deployed"}
    chat = any_client.client(
        api_key=KEY, headers=headers, base_url=REFUSING_URL, transport=StubTransport(respond)
    )
    error_from(any_client, DELETE, chat)
    (record,) = [record for record in caplog.records if record.name == name]
    assert record.exc_info is not None
    assert record.exc_info[1] is failure
    if name == "httpx":
        assert record.getMessage() == "[redacted] [redacted] to production"
    else:
        assert (record.msg, record.args) == ("deployed %s to production", (KEY,))


def test_records_of_other_requests(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """The records of httpx about the requests of other code in the same process stay as they
    are."""
    error_from(any_client, DELETE, secret_client(any_client))
    with httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as other:
        other.delete(f"{simulator.base_url}/{KEY}")
    assert named("httpx", caplog) == [
        f'HTTP Request: DELETE {simulator.base_url}/{KEY} "HTTP/1.1 404 Not Found"'
    ]


def filters() -> dict[str, list[Any]]:
    """The filters of all loggers, and of the handlers of the program."""
    root = logging.getLogger()
    loggers = {
        name: each.filters
        for name, each in root.manager.loggerDict.items()
        if isinstance(each, logging.Logger)
    }
    handlers = {
        f"handler {number}": handler.filters for number, handler in enumerate(root.handlers)
    }
    return {
        name: list(each)
        for name, each in {**loggers, **handlers, "root": root.filters}.items()
        if each
    }


def test_logging_of_the_program_is_left_alone(any_client: AnyClient) -> None:
    """Clients set one filter on each logger of httpx and its libraries. No other logger, no handler
    and no factory of log records changes, so a log line of the program costs the same beside
    running calls."""
    factory, before = (
        logging.getLogRecordFactory(),
        {name: each for name, each in filters().items() if name not in WIRE},
    )
    during: list[dict[str, list[Any]]] = []

    def respond(_: httpx.Request) -> httpx.Response:
        assert logging.getLogRecordFactory() is factory
        during.append(filters())
        return make_response(404)

    error_from(
        any_client,
        DELETE,
        secret_client(any_client, base_url=REFUSING_URL, transport=StubTransport(respond)),
    )
    error_from(
        any_client,
        DELETE,
        secret_client(any_client, base_url=REFUSING_URL, transport=StubTransport(respond)),
    )
    first, second = during
    assert first == second
    assert {name: each for name, each in first.items() if name not in WIRE} == before
    assert [len(first[name]) for name in WIRE] == [1] * len(WIRE)


@pytest.fixture
def spans() -> Iterator[Any]:
    """The spans of OpenTelemetry's instrumentation of httpx, as a program switches it on."""
    instrumentation = pytest.importorskip(
        "opentelemetry.instrumentation.httpx"
    ).HTTPXClientInstrumentor()
    sdk = pytest.importorskip("opentelemetry.sdk.trace")
    exporter = pytest.importorskip(
        "opentelemetry.sdk.trace.export.in_memory_span_exporter"
    ).InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(sdk.export.SimpleSpanProcessor(exporter))
    instrumentation.instrument(tracer_provider=provider)
    yield exporter.get_finished_spans
    instrumentation.uninstrument()
    provider.shutdown()


def test_each_attempt_is_a_span(any_client: AnyClient, simulator: Simulator, spans: Any) -> None:
    """Without any set-up, OpenTelemetry's instrumentation of httpx makes a span of each attempt."""
    simulator.fail(status=503, headers={"Retry-After": "0"})
    any_client.call(GET.act)
    assert [span.attributes["http.status_code"] for span in spans()] == [503, 200]
    assert all(GET.path in span.attributes["http.url"] for span in spans())


@pytest.mark.parametrize("call", WITH_TOKEN)
def test_call_with_a_token_is_no_span(
    any_client: AnyClient, simulator: Simulator, spans: Any, call: str
) -> None:
    """A call whose path holds a secret makes no span; the calls after it make one again."""
    chat = secret_client(any_client, api_key=simulator.api_key)
    error_from(any_client, WITH_TOKEN[call], chat)
    assert len(simulator.requests) == 1
    assert spans() == ()
    any_client.call(GET.act, chat)
    assert len(spans()) == 1
