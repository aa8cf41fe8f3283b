"""One connection: the rules that decide whether a request was sent, and whether a connection is used again."""

from __future__ import annotations

import socket
import time
from operator import methodcaller
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from cometchat_rest import (
    ApiError,
    InvalidRequestError,
    RequestTimeoutError,
    ResponseTooLargeError,
    TransportError,
    WordListInput,
)
from cometchat_rest._call.redaction import Redactor
from cometchat_rest._call.request import Attempt, Request
from cometchat_rest._call.settings import Timeouts
from cometchat_rest._call.transport_errors import AttemptError
from cometchat_rest._wire.async_pool import AsyncPool
from cometchat_rest._wire.connection import Route
from cometchat_rest._wire.pool import Pool

from ..support import DELETE, GET, OK, PUT, Operation, error_from, operation_name
from .wire_support import Server, Service, read_request, response_to

if TYPE_CHECKING:
    from ..support import AnyClient

NO_BODY = b"Content-Length: 0\r\n\r\n"


@pytest.mark.parametrize("name", ["Upgrade", "upgrade", "Connection"])
def test_header_that_changes_the_protocol_is_refused(any_client: AnyClient, name: str) -> None:
    """No caller can ask the service for another protocol."""
    with pytest.raises(InvalidRequestError, match=name):
        any_client.client().with_options(headers={name: "h2c"})


@pytest.mark.parametrize("kind", ["blocking", "awaited"])
def test_switch_to_another_protocol_is_a_protocol_error(kind: str) -> None:
    """If the service switches to another protocol after an Upgrade header, the attempt fails in the phase protocol."""

    def switch(connection: Any) -> None:
        read_request(connection)
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n")
        connection.recv(1)

    with Server(switch) as server:
        headers = [(b"Host", b"127.0.0.1"), (b"Connection", b"upgrade"), (b"Upgrade", b"h2c")]
        request = Request("GET", b"/", headers, b"", Redactor([]))
        attempt = Attempt(request, Timeouts(), time.monotonic() + 10, 1000)
        route = Route("127.0.0.1", server.port, None)
        pool, awaited = Pool(route), AsyncPool(route)
        with pytest.raises(AttemptError) as caught:
            pool.send(attempt) if kind == "blocking" else anyio.run(awaited.send, attempt)
    assert (caught.value.kind, caught.value.request_sent) == ("protocol", True)
    assert str(caught.value.__cause__) == "the service switched to another protocol"


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_deadline_before_the_first_byte(any_client: AnyClient, operation: Operation) -> None:
    """If the deadline has passed before the first byte of the request, nothing was sent, and the outcome is known."""
    with Service() as service:
        client = any_client.client(base_url=service.base_url, max_retries=0)
        any_client.call(GET.act, client)
        # Less time than a call takes to come to its open connection.
        error = error_from(any_client, operation.act, client.with_options(deadline=1e-6))
        any_client.close(client)
    assert isinstance(error, RequestTimeoutError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("deadline", False, False)
    assert len(service.received) == 1
    assert service.opened == 1


@pytest.mark.parametrize("size", [1, 100_000])
def test_connection_of_a_broken_upload_is_not_reused(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """If sending a request breaks off, the response still counts, and the connection is not used again."""

    def refuse(connection: Any) -> None:
        while connection.recv(65536):
            connection.sendall(b"HTTP/1.1 413 Content Too Large\r\n" + NO_BODY)

    send = socket.socket.send

    def break_off(sock: socket.socket, data: bytes) -> int:
        if sock.getpeername() != ("127.0.0.1", server.port):  # a socket of the event loop
            return send(sock, data)
        if bytes(data).startswith(b"PUT"):
            return send(sock, bytes(data)[:100])
        raise BrokenPipeError

    new = WordListInput(search_terms=["x" * size])
    with Server(refuse) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        with monkeypatch.context() as patch:
            patch.setattr(socket.socket, "send", break_off)
            error = error_from(any_client, lambda chat: chat.keywords.update("a-list", new), client)
        assert isinstance(error, ApiError), error
        assert error.status_code == 413
        assert isinstance(error_from(any_client, GET.act, client), ApiError)
        any_client.close(client)
    assert server.opened == 2


def test_connection_of_an_unread_response_is_not_reused(any_client: AnyClient) -> None:
    """If a response is too large to be read, the next call opens another connection and gets its own response."""

    def respond(connection: Any) -> None:
        while request := read_request(connection):
            response = response_to(request)
            if b"/large" in request:
                response = OK + b"Content-Length: 100000\r\n\r\n" + response + b" " * 10_000
            connection.sendall(response)

    with Server(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, max_response_bytes=1000)
        for list_id in ("first", "large", "second"):
            outcome = error_from(any_client, methodcaller("get", list_id), client.keywords)
            assert isinstance(outcome, ResponseTooLargeError if list_id == "large" else type(None)), outcome
        any_client.close(client)
    assert server.opened == 2


@pytest.mark.parametrize("kind", ["blocking", "awaited"])
def test_failed_attempt_closes_its_connection(kind: str) -> None:
    """A connection whose attempt failed is closed at once, although its error is still handled."""

    def stall(connection: Any) -> None:
        while connection.recv(65536):
            pass

    with Server(stall) as server:
        request = Request("GET", b"/", [(b"Host", b"127.0.0.1")], b"", Redactor([]))
        attempt = Attempt(request, Timeouts(read=0.05), time.monotonic() + 10, 1000)
        pool, awaited = Pool(Route("127.0.0.1", server.port, None)), AsyncPool(Route("127.0.0.1", server.port, None))
        with pytest.raises(AttemptError) as caught:
            pool.send(attempt) if kind == "blocking" else anyio.run(awaited.send, attempt)
        assert caught.value.kind == "read"
        assert server.opened == 1
        assert server.wait_for_open(0)


@pytest.mark.parametrize("body", [b"", b"x" * 100_000], ids=["small", "large"])
def test_interim_responses_are_skipped(any_client: AnyClient, body: bytes) -> None:
    """Interim responses before a response are skipped, and the connection is used again."""

    def respond(connection: Any) -> None:
        while read_request(connection):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            connection.sendall(OK + b"Content-Length: %d\r\n\r\n%b" % (len(GET.body + body), GET.body + body))

    with Server(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        for _ in range(2):
            error_from(any_client, GET.act, client)
        any_client.close(client)
    assert server.opened == 1


def test_connection_that_ends_within_a_head_was_sent(any_client: AnyClient) -> None:
    """A service that closes the connection without a response is named, and the outcome of a change is unknown."""

    def close(connection: Any) -> None:
        read_request(connection)

    with Server(close) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        error = error_from(any_client, PUT.act, client)
        any_client.close(client)
    assert isinstance(error, TransportError)
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("read", True, True)
    assert "the service closed the connection without a response" in str(error)


@pytest.mark.parametrize("idle", [0.0, 1.2])
def test_delete_uses_only_a_fresh_connection(any_client: AnyClient, idle: float) -> None:
    """A deletion uses a connection that was idle for at most a second, else a new connection."""
    with Service() as service:
        client = any_client.client(base_url=service.base_url, max_retries=0)
        any_client.call(GET.act, client)
        # The time itself is what counts.
        time.sleep(idle)
        any_client.call(DELETE.act, client)
        any_client.close(client)
    assert service.opened == (2 if idle else 1)
