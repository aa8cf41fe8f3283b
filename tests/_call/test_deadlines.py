"""Every call ends in time: deadlines and timeouts while a request is sent and a response is read."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import httpx
import pytest

from cometchat_rest import SentenceSimilarityListInput, TransportError
from cometchat_rest.testing import Simulator

from ..support import (
    DELETE,
    GET,
    GETS,
    LIST_ID,
    OPERATIONS,
    PATIENCE,
    PUT,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    WireServer,
    check_timeout,
    error_from,
    operation_name,
    run_concurrently,
    stub_client,
)


def test_deadline_ends_a_slow_response(any_client: AnyClient, simulator: Simulator) -> None:
    """A call ends at its deadline, however long the response takes, and the client stays usable."""
    client = any_client.client(deadline=1.0)
    for operation in OPERATIONS:
        simulator.fail(operation=operation.name, delay=60.0)

    def check(operation: Operation) -> None:
        began = time.monotonic()
        check_timeout(error_from(any_client, operation.act, client), operation, began, "read", "deadline")

    run_concurrently(partial(check, operation) for operation in OPERATIONS)
    assert len(simulator.requests) == len(OPERATIONS)
    for operation in GETS:
        assert any_client.call(operation.act, client.with_options(deadline=30)) is not None


@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_deadline_ends_a_trickling_response(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """A call ends at its deadline although a little of the response arrives all the time."""
    simulator.fail(operation=operation.name, trickle=(1, 0.1))
    began = time.monotonic()
    client = any_client.client(deadline=0.6)
    check_timeout(error_from(any_client, operation.act, client), operation, began, "read", "deadline")
    assert len(simulator.requests) == 1


DRIPS = {
    "header": (b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "interim responses": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "chunks": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "status line": (b"HTTP/1.1 200 ", b"O"),
    "interim responses without a pause": (b"HTTP/1.1 102 Processing\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n" * 100),
}


def test_deadline_ends_an_endless_response(any_client: AnyClient) -> None:
    """A call ends at its deadline, whichever part of the response never ends. A blocking call ends if the body never
    ends, but a head that never ends has its own timeout for each read."""
    over = threading.Event()

    def check(first: bytes, then: bytes) -> None:
        def drip(_: bytes) -> Iterator[bytes]:
            yield first
            # Limited, so that the test ends even if the client never gives up.
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and not over.wait(0 if len(then) > 1000 else 0.05):
                yield then

        with WireServer(drip) as server:
            began = time.monotonic()
            error = error_from(
                any_client, PUT.act, any_client.client(base_url=server.base_url, deadline=0.5, timeout=30)
            )
            check_timeout(error, PUT, began, "read", "deadline")

    names = DRIPS if any_client.kind == "async" else ["chunks"]
    run_concurrently(partial(check, *DRIPS[name]) for name in names)
    over.set()


@pytest.mark.parametrize("any_client", ["sync"], indirect=True)
def test_deadline_is_checked_between_chunks_of_a_custom_transport(any_client: AnyClient) -> None:
    """With a blocking transport of the caller, the deadline is checked between the chunks of an endless response."""
    began = time.monotonic()

    def pieces() -> Iterator[bytes]:
        # Limited, so that the test ends even if the client never gives up.
        while time.monotonic() - began < PATIENCE:
            yield b" "

    stub = StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces())))
    client = stub_client(any_client, stub, deadline=0.1, max_response_bytes=2**40)
    check_timeout(error_from(any_client, PUT.act, client), PUT, began, "deadline")


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_read_timeout(any_client: AnyClient, simulator: Simulator, operation: Operation) -> None:
    """A response that takes longer than the read timeout is an error of kind read. A GET is retried."""
    simulator.fail(operation=operation.name, delay=60.0, times=2)
    client = any_client.client(timeout=httpx.Timeout(30, read=0.2), max_retries=1)
    began = time.monotonic()
    error = error_from(any_client, operation.act, client)
    check_timeout(error, operation, began, "read")
    assert isinstance(error, TransportError)
    assert error.attempts == len(simulator.requests) == (1 if operation.changes else 2)


def test_write_timeout(any_client: AnyClient) -> None:
    """A service that does not read the request is an error of kind write, and the outcome is unknown."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        client = any_client.client(
            base_url=f"http://127.0.0.1:{deaf.getsockname()[1]}/v3", timeout=httpx.Timeout(30, write=0.3), max_retries=1
        )
        # Larger than the buffers of two sockets.
        new = SentenceSimilarityListInput(disallowed_sentences=["x" * 2**25])
        began = time.monotonic()
        error = error_from(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
    check_timeout(error, PUT, began, "write")
    assert isinstance(error, TransportError)
    assert error.attempts == 1


def test_deadline_ends_a_slow_upload(any_client: AnyClient) -> None:
    """A call ends at its deadline although the service reads a little of the request all the time."""
    size = 2**25
    taken = 0

    def sip(connection: socket.socket) -> bytes:
        nonlocal taken
        with suppress(OSError):  # the client closed the connection
            while piece := connection.recv(65_536):
                taken += len(piece)
                time.sleep(0.01)
        return b""

    with WireServer(lambda _: [], read=sip) as server:
        client = any_client.client(base_url=server.base_url, timeout=30, deadline=0.5)
        new = SentenceSimilarityListInput(disallowed_sentences=["x" * size])
        began = time.monotonic()
        check_timeout(
            error_from(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client), PUT, began, "deadline"
        )
        assert server.closed.acquire(timeout=30)
    # At this speed, the whole request would have taken five seconds.
    assert taken < size
