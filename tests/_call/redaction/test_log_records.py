"""Log records, including those of httpx and httpcore: useful, and without secrets."""

import logging
from typing import Any

import httpx
import pytest

from cometchat_rest import ApiError, TransportError
from cometchat_rest.testing import Simulator

from ... import support
from ...support import LIST_ID, OPERATIONS, AnyClient, StubTransport, WireServer, error_from, make_response
from ..call_support import attempt_records
from ..test_transport import TRANSPORTS
from .canaries import (
    ACTIONS,
    DELETE,
    KEY,
    LOCAL_URL,
    TOKEN,
    Echo,
    RecordCollector,
    assert_hidden,
    outcome_of,
    secret_client,
)


def test_our_records_stay_useful(any_client: AnyClient, simulator: Simulator, records: RecordCollector) -> None:
    """Each attempt leaves a record with operation, path template, status, duration, attempt number and size. Each retry
    leaves a record, too."""
    simulator.fail(status=429, headers={"Retry-After": "0"})
    assert outcome_of(any_client, ACTIONS[1].act, secret_client(any_client, max_retries=1)).id == LIST_ID
    first, retry, second = records.named("cometchat_rest")
    path = "/moderation/keywords/{keyword_id}"
    assert first.getMessage().startswith(f"PUT {path}: 429 in ")
    assert second.getMessage().startswith(f"PUT {path}: 200 in ")
    for number, status, record in ((1, 429, first), (2, 200, second)):
        fields = vars(record)
        assert (fields["event_name"], fields["operation"], fields["path"]) == ("attempt", "update_keyword_list", path)
        assert "event" not in fields, "structlog would show this field in place of the message"
        assert (fields["attempt"], fields["status"], record.levelname) == (number, status, "DEBUG")
        assert fields["duration"] > 0
        assert fields["request_size"] == len(simulator.requests[0].body)
    fields = vars(retry)
    assert (fields["event_name"], fields["operation"], fields["attempt"]) == ("retry", "update_keyword_list", 1)
    assert 0.125 <= fields["pause"] <= 0.25
    assert retry.levelname == "INFO"


def httpx_transport(any_client: AnyClient) -> httpx.HTTPTransport | httpx.AsyncHTTPTransport:
    """A transport of httpx, which logs; the client's own pool does not."""
    return httpx.AsyncHTTPTransport() if any_client.kind == "async" else httpx.HTTPTransport()


def test_records_of_httpcore_are_redacted(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector
) -> None:
    """The records of httpcore are kept, with status and headers, and without the secrets."""
    simulator.fail(status=404, headers=Echo(DELETE).headers)
    client = secret_client(any_client, transport=httpx_transport(any_client))
    assert isinstance(outcome_of(any_client, DELETE.act, client), ApiError)
    wire = [record.getMessage() for record in records.named("httpcore")]
    assert any(text.startswith("connect_tcp.started host='127.0.0.1'") for text in wire)
    (head,) = [text for text in wire if text.startswith("receive_response_headers.complete")]
    assert "404, b'Not Found'" in head
    assert "application/json" in head
    assert "[redacted]" in head
    assert_hidden(records.seen)


@pytest.mark.parametrize("library", TRANSPORTS)
def test_records_of_each_library_are_redacted(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector, library: str
) -> None:
    """No record of any logger shows a key or a token, with the transport of each library."""
    kinds = TRANSPORTS[library]
    for echo in (None, Echo(DELETE)):
        if any_client.kind in kinds:
            if echo is not None:
                simulator.fail(status=404, headers=echo.headers)
            client = secret_client(any_client, transport=kinds[any_client.kind]())
            outcome_of(any_client, DELETE.act, client)
            any_client.close(client)
    assert_hidden(records.seen)


class Relay(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends each request through a client of httpx, for example to use its hooks."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as other:
            return other.send(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as other:
            return await other.send(request)


def test_records_of_httpx_are_redacted(any_client: AnyClient, simulator: Simulator, records: RecordCollector) -> None:
    """If a transport of the caller sends through httpx, the record of each request is kept, without the token."""
    assert isinstance(outcome_of(any_client, DELETE.act, secret_client(any_client, transport=Relay())), ApiError)
    (record,) = records.named("httpx")
    assert record.getMessage() == (
        f'HTTP Request: DELETE {simulator.base_url}/users/alice/auth_tokens/[redacted] "HTTP/1.1 404 Not Found"'
    )
    assert_hidden(records.seen)


@pytest.mark.parametrize("name", ["httpx", "httpcore.connection"])
def test_records_of_other_libraries_have_no_traceback(
    any_client: AnyClient, records: RecordCollector, name: str
) -> None:
    """If httpx or httpcore logs an exception, the record has no traceback, because a traceback holds requests."""

    def respond(_: httpx.Request) -> httpx.Response:
        logging.getLogger(name).error("no connection", exc_info=LookupError(KEY))
        return make_response(404)

    assert isinstance(
        outcome_of(
            any_client, DELETE.act, secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(respond))
        ),
        ApiError,
    )
    (record,) = [record for record in records.named(name) if record.levelno == logging.ERROR]
    assert (record.getMessage(), record.exc_info) == ("no connection", None)
    assert_hidden(records.seen)


def test_records_of_other_clients_are_unchanged(
    any_client: AnyClient, simulator: Simulator, records: RecordCollector
) -> None:
    """The records of httpx and httpcore about requests of other code in the same process are unchanged."""
    chat = secret_client(any_client)
    assert outcome_of(any_client, DELETE.act, chat).success
    before = len(records.taken)
    address = f"{simulator.base_url}/users/alice/auth_tokens/{TOKEN}"
    with httpx.Client(trust_env=False) as other:
        other.delete(address, headers={"apikey": KEY})
    theirs = records.taken[before:]
    (line,) = [record for record in theirs if record.name == "httpx" and record.levelno == logging.INFO]
    assert line.args
    assert line.getMessage() == f'HTTP Request: DELETE {address} "HTTP/1.1 404 Not Found"'
    assert {"httpcore.connection", "httpcore.http11"} <= {record.name for record in theirs}
    assert not any("[redacted]" in record.getMessage() for record in theirs)


def all_text(caplog: pytest.LogCaptureFixture) -> str:
    """The message and all attributes of each record."""
    return "\n".join(f"{record.getMessage()} {record.__dict__!r}" for record in caplog.records)


@pytest.mark.parametrize("status", [200, 404, 500])
def test_no_log_record_holds_a_secret(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    """With every logger at DEBUG, including the loggers of httpx and httpcore, no record holds the key or the token."""
    with caplog.at_level(logging.DEBUG):
        client = any_client.client(transport=httpx_transport(any_client))
        for operation in OPERATIONS:
            if status != 200:
                # A call can redact only its own token.
                echo = simulator.api_key + (f" {support.TOKEN}" if operation is support.DELETE else "")
                body, headers = {"error": {"message": echo}}, {"X-Echo": echo, "Retry-After": "0"}
                simulator.fail(operation=operation.name, status=status, body=body, headers=headers)
            error_from(any_client, operation.act, client)
    assert {record["operation"] for record in attempt_records(caplog)} == {operation.name for operation in OPERATIONS}
    # httpcore logs as well, so that the checks below look at its records.
    assert any(record.name.startswith("httpcore") for record in caplog.records)
    logged = all_text(caplog)
    assert support.TOKEN not in logged
    assert support.TOKEN[-30:] not in logged
    assert simulator.api_key not in logged
    assert simulator.api_key[:12] not in logged


def test_httpx_does_not_log_the_address(
    any_client: AnyClient, simulator: Simulator, caplog: pytest.LogCaptureFixture
) -> None:
    """httpx logs the whole address of each request. That record is not written, or not with a token in it."""
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    with caplog.at_level(logging.DEBUG, logger="httpx"):
        for client in (any_client.client(), any_client.client(transport=kind(verify=False))):
            simulator.reset()
            any_client.call(lambda chat: chat.auth_tokens.delete("alice", support.TOKEN), client)
    assert support.TOKEN not in caplog.text


def test_loggers_that_appear_during_a_call_are_redacted(any_client: AnyClient, records: RecordCollector) -> None:
    """A logger that exists only since a call has begun shows no secret, whatever library it belongs to."""

    def respond(request: httpx.Request) -> httpx.Response:
        logging.getLogger(f"h2.{id(request)}").debug("sent %s to %s", request.headers["apikey"], request.url)
        logging.getLogger(f"another.{id(request)}").warning("sent %r", request.headers.raw)
        logging.getLogger(f"hpack.{id(request)}").debug("packed %r", request.headers["apikey"][::-1])
        return make_response(404)

    client = secret_client(any_client, base_url=LOCAL_URL, transport=StubTransport(respond))
    assert isinstance(outcome_of(any_client, DELETE.act, client), ApiError)
    assert [record.getMessage() for record in records.named("hpack")] == ["[redacted]"]
    assert len(records.named("h2")) == len(records.named("another")) == 1
    assert_hidden(records.seen)


def test_records_of_http_2_are_redacted(any_client: AnyClient, records: RecordCollector) -> None:
    """With a transport of the caller for HTTP/2, no record of httpcore, h2 or hpack shows a secret."""
    pytest.importorskip("h2")
    kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
    with WireServer(lambda _: [], read=lambda connection: connection.recv(65_536)) as server:
        client = secret_client(any_client, base_url=server.base_url, transport=kind(http1=False, http2=True))
        assert isinstance(outcome_of(any_client, DELETE.act, client), TransportError)
    assert records.named("httpcore.http2")
    assert records.named("hpack")
    assert_hidden(records.seen)


def test_factory_of_the_program_is_kept(any_client: AnyClient, records: RecordCollector) -> None:
    """A program may set its own factory of log records at any time: it is used, and no record shows a secret."""
    made: list[str] = []
    before = logging.getLogRecordFactory()

    def make(*args: Any, **kwargs: Any) -> logging.LogRecord:
        made.append(args[0])
        return logging.LogRecord(*args, **kwargs)

    logging.setLogRecordFactory(make)
    try:
        outcome_of(any_client, DELETE.act, secret_client(any_client))
    finally:
        logging.setLogRecordFactory(before)
    assert "httpcore.connection" in made
    assert_hidden(records.seen)
