"""No complete response arrived: each failure is a TransportError that says whether the outcome is known."""

from typing import Any

import httpx
import pytest

from cometchat_rest import RequestTimeoutError, TransportError, UnexpectedResponse
from cometchat_rest.testing import Simulator

from ..support import (
    CUTS,
    DELETE,
    GET,
    OK,
    OPERATIONS,
    PUT,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    WireServer,
    error_from,
    operation_name,
    records_of,
    stub_client,
)
from .error_checks import LONG, SAMPLE_SIZE


def test_text_of_a_transport_error_is_short(any_client: AnyClient) -> None:
    """If invalid bytes arrive, the texts of the error and of its cause are shortened."""
    with WireServer(lambda _: [b"HTTP/1.1 200 OK\r\nbad" + b"\1" * LONG + b"\r\n\r\n"]) as server:
        error = error_from(any_client, GET.act, any_client.client(base_url=server.base_url, max_retries=0))
    assert isinstance(error, TransportError)
    assert error.__cause__ is not None
    for each in (error, error.__cause__):
        assert "..." in str(each)
        assert len(str(each)) < 1000


@pytest.mark.parametrize(
    ("raised", "kind", "text"),
    [
        (httpx.ConnectError, "connect", "no connection to 127.0.0.1:1"),
        (httpx.ConnectTimeout, "connect", "connecting to 127.0.0.1:1 took too long"),
        (httpx.PoolTimeout, "pool", "no connection became free in time"),
        (httpx.ProxyError, "proxy", "no connection to 127.0.0.1:1: the proxy refused"),
        (httpx.WriteError, "write", "the connection broke while the request was sent"),
        (httpx.WriteTimeout, "write", "sending the request took too long"),
        (httpx.ReadError, "read", "the connection broke before the response was complete"),
        (httpx.ReadTimeout, "read", "the response took too long"),
        (httpx.RemoteProtocolError, "protocol", "the response is incomplete, or not valid HTTP"),
        (TimeoutError, "read", "the response took too long"),
    ],
)
def test_text_names_the_phase(any_client: AnyClient, raised: type[Exception], kind: str, text: str) -> None:
    """The error says which phase failed, and whether it failed or took too long."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise raised("why")

    error = error_from(any_client, GET.act, stub_client(any_client, StubTransport(respond)))
    assert isinstance(error, TransportError)
    assert (str(error), error.kind) == (f"get_keyword_list: {text} (why)", kind)
    assert isinstance(error, RequestTimeoutError) is ("Timeout" in raised.__name__)


def test_failure_without_a_text(any_client: AnyClient) -> None:
    """If the exception of a transport has no text, the error ends with the name of the phase that failed."""

    def respond(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("")

    error = error_from(any_client, GET.act, stub_client(any_client, StubTransport(respond), max_retries=0))
    assert str(error) == "get_keyword_list: the connection broke before the response was complete"


@pytest.mark.parametrize(("operation", "cut"), CUTS, ids=str)
def test_cut_connection(any_client: AnyClient, simulator: Simulator, operation: Operation, cut: Any) -> None:
    """A connection that is cut, at any point, is a TransportError that says whether the outcome is known. The next
    call works."""
    if operation.success is None and cut == "in_body":
        cut = "in_headers"
    before = records_of(simulator)
    simulator.fail(operation=operation.name, cut=cut)
    client = any_client.client(max_retries=0)
    error = error_from(any_client, operation.act, client)
    assert type(error) is TransportError
    assert (error.operation, error.attempts, error.request_sent) == (operation.name, 1, True)
    assert error.outcome_unknown is operation.changes
    assert error.kind in ("read", "protocol")
    assert type(error.__cause__).__name__ in ("ConnectionResetError", "RemoteProtocolError")
    # The simulator keeps no records for the other operations.
    carried_out = cut != "before_headers" and operation in (PUT, DELETE)
    assert (records_of(simulator) != before) is carried_out
    assert len(simulator.requests) == 1
    assert any_client.call(lambda chat: chat.roles.list(), client).data


@pytest.mark.parametrize("operation", OPERATIONS, ids=operation_name)
def test_refused_connection(any_client: AnyClient, operation: Operation) -> None:
    """If the service does not listen, a TransportError names the address. Nothing was sent, so the outcome is known."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url
    error = error_from(any_client, operation.act, any_client.client(base_url=base_url, max_retries=0))
    assert type(error) is TransportError
    assert (error.operation, error.kind, error.attempts) == (operation.name, "connect", 1)
    assert (error.request_sent, error.outcome_unknown) == (False, False)
    assert f"no connection to {base_url.removeprefix('http://').removesuffix('/v3')} (" in str(error)
    assert isinstance(error.__cause__, httpx.ConnectError)


INVALID_HTTP: dict[str, bytes] = {
    "nothing": b"",
    "a line break": b"\r\n",
    "half a status line": b"HTTP/1.",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "html alone": b"<html>no</html>",
    "json alone": b'{"data": {}}\r\n\r\n',
    "a status of words": b"HTTP/1.1 OK OK\r\n\r\n",
    "a status of two digits": b"HTTP/1.1 20 OK\r\n\r\n",
    "a status of four digits": b"HTTP/1.1 2000 OK\r\n\r\n",
    "a negative status": b"HTTP/1.1 -200 OK\r\n\r\n",
    "http/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "http/9": b"HTTP/9.9 200 OK\r\n\r\n",
    "nul in a header": OK + b"X-A: a\0b\r\n\r\n",
    "a header without a colon": OK + b"no colon\r\n\r\n",
    "a header without a name": OK + b": x\r\n\r\n",
    "a header with a space": OK + b"X A: b\r\n\r\n",
    "a length of words": OK + b"Content-Length: many\r\n\r\n",
    "a negative length": OK + b"Content-Length: -1\r\n\r\n",
    "a length of many digits": OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "two lengths": OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "a length in other digits": OK + "Content-Length: ١٢\r\n\r\n".encode(),
    "an unknown transfer encoding": OK + b"Transfer-Encoding: zigzag\r\n\r\n{}",
    "chunks of invalid size": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
    "incomplete chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
    "chunks without an end": OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "a chunk of many digits": OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5000 + b"\r\n{}",
    "an incomplete body": OK + b"Content-Length: 100\r\n\r\n{}",
    "headers without an end": OK + b"X: y\r\n",
    "very long header": OK + b"X: " + b"y" * 10**6 + b"\r\n\r\n",
    "many headers": OK + b"X: y\r\n" * 100_000 + b"\r\n",
    "interim responses only": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100,
    "a switch of protocols": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: tls\r\nConnection: upgrade\r\n\r\n{}",
    "bytes": bytes(range(256)) * 100,
}


@pytest.mark.parametrize("sent", INVALID_HTTP.values(), ids=INVALID_HTTP)
def test_invalid_http_is_an_error(any_client: AnyClient, sent: bytes) -> None:
    """Invalid HTTP instead of a response is one of our errors, and the outcome of a change is unknown."""
    with WireServer(lambda _: [sent]) as server:
        for operation in (GET, PUT):
            error = error_from(any_client, operation.act, any_client.client(base_url=server.base_url, max_retries=0))
            assert isinstance(error, TransportError | UnexpectedResponse), error
            assert (error.operation, error.attempts) == (operation.name, 1)
            assert error.outcome_unknown is operation.changes
            assert len(str(error)) < 4 * SAMPLE_SIZE
        assert len(server.received) == 2


EXCEPTIONS: dict[str, Exception] = {
    error.__name__: error("broken")
    for error in (
        *(httpx.ConnectError, httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.ProxyError),
        *(httpx.ConnectTimeout, httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout),
        *(httpx.LocalProtocolError, httpx.RemoteProtocolError, httpx.UnsupportedProtocol, httpx.DecodingError),
        *(httpx.TooManyRedirects, httpx.TransportError, httpx.NetworkError, httpx.InvalidURL, httpx.StreamError),
        *(TimeoutError,),
    )
}
KINDS = {
    "ConnectError": "connect",
    "ConnectTimeout": "connect",
    "PoolTimeout": "pool",
    "ProxyError": "proxy",
    "ReadError": "read",
    "ReadTimeout": "read",
    "WriteError": "write",
    "WriteTimeout": "write",
    "TimeoutError": "read",
}
UNSENT = {"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol"}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_every_exception_of_httpx_becomes_a_transport_error(any_client: AnyClient, name: str) -> None:
    """No exception of httpx reaches a caller: each becomes a TransportError that keeps a copy as its cause."""
    cause = EXCEPTIONS[name]

    def respond(_: httpx.Request) -> httpx.Response:
        raise cause

    client = stub_client(any_client, StubTransport(respond))
    for operation in OPERATIONS:
        error = error_from(any_client, operation.act, client)
        assert isinstance(error, TransportError)
        assert isinstance(error, RequestTimeoutError) is ("Timeout" in name)
        assert (error.operation, error.attempts) == (operation.name, 1)
        assert error.request_sent is (name not in UNSENT)
        assert error.outcome_unknown is (operation.changes and name not in UNSENT)
        assert error.kind == KINDS.get(name, error.kind)
        kept = error.__cause__
        assert type(kept) is type(cause)
        assert kept is not None
        assert kept is not cause
        assert kept.__traceback__ is None


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_every_exception_while_reading_the_body_becomes_a_transport_error(any_client: AnyClient, name: str) -> None:
    """An exception of httpx while the body is read becomes a TransportError, too."""
    pieces: list[bytes | Exception] = [b'{"data"', EXCEPTIONS[name]]
    client = stub_client(any_client, StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces))))
    for operation in OPERATIONS:
        error = error_from(any_client, operation.act, client)
        assert isinstance(error, TransportError)
        assert (error.operation, error.attempts) == (operation.name, 1)
        if name not in UNSENT:
            assert error.outcome_unknown is operation.changes


@pytest.mark.parametrize("status", [100, 101, 102, 103, 150, 199])
@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_interim_status_without_a_response(
    any_client: AnyClient, simulator: Simulator, operation: Operation, status: int
) -> None:
    """An interim status without a final response is an error, and the outcome of a change is unknown."""
    simulator.fail(status=status)
    error = error_from(any_client, operation.act, any_client.client(max_retries=0))
    assert isinstance(error, TransportError | UnexpectedResponse)
    assert error.operation == operation.name
    assert (error.attempts, error.outcome_unknown) == (1, operation.changes)
