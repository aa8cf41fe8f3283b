"""Every call ends at its deadline: while it connects, sends its request, and reads the response."""

import gc
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from cometchat_rest import SentenceSimilarityListInput, TransportError
from cometchat_testing import Simulator

from ..servers import ScriptedServer, WireServer
from ..support import (
    GET,
    LIST_ID,
    PUT,
    SOON,
    AnyClient,
    Chunks,
    Operation,
    StubTransport,
    check_timeout,
    error_from,
    operation_name,
    stub_client,
)
from .wire_support import unresponsive_service

only_awaited = pytest.mark.parametrize("any_client", ["async"], indirect=True)
only_blocking = pytest.mark.parametrize("any_client", ["sync"], indirect=True)


def check_unsent_at_the_deadline(error: BaseException | None, began: float) -> None:
    check_timeout(error, PUT, began, "deadline")
    assert isinstance(error, TransportError)
    assert (error.request_sent, error.outcome_unknown) == (False, False)


@pytest.mark.parametrize("operation", [GET, PUT], ids=operation_name)
def test_deadline_ends_a_slow_response(
    any_client: AnyClient, simulator: Simulator, operation: Operation
) -> None:
    """A call ends at its deadline, however long the response takes, and the client stays usable."""
    client = any_client.client(deadline=0.3)
    simulator.fail(operation=operation.name, delay=60.0)
    began = time.monotonic()
    check_timeout(
        error_from(any_client, operation.act, client), operation, began, "read", "deadline"
    )
    # On a slow machine, the deadline may pass before the request arrives.
    assert len(simulator.requests) <= 1
    assert any_client.call(GET.act, client.with_options(deadline=30)) is not None


@pytest.mark.parametrize(
    ("any_client", "first", "then"),
    [
        ("async", b"HTTP/1.1 200 OK\r\nX: ", b"y"),
        ("async", b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        ("async", b"", b"HTTP/1.1 102 Processing\r\n\r\n" * 100),
        *(
            (kind, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n")
            for kind in ("sync", "async")
        ),
    ],
    indirect=["any_client"],
    ids=[
        "header",
        "interim responses",
        "interim responses without a pause",
        "blocking chunks",
        "awaited chunks",
    ],
)
def test_deadline_ends_an_endless_response(
    any_client: AnyClient, first: bytes, then: bytes
) -> None:
    """An awaited call ends at its deadline, whichever part of the response never ends; a
    blocking call, in the body."""
    over = threading.Event()

    def drip(_: bytes) -> Iterator[bytes]:
        yield first
        # Limited, so that the test ends even if the client never gives up.
        end = time.monotonic() + SOON
        while time.monotonic() < end and not over.wait(0 if len(then) > 1000 else 0.05):
            yield then

    with WireServer(drip) as server:
        began = time.monotonic()
        client = any_client.client(base_url=server.base_url, deadline=0.3, timeout=30)
        check_timeout(error_from(any_client, PUT.act, client), PUT, began, "read", "deadline")
        over.set()


@only_blocking
def test_deadline_is_checked_between_chunks_of_a_custom_transport(any_client: AnyClient) -> None:
    """With a custom blocking transport, the deadline is checked between the chunks of an endless
    response."""
    began = time.monotonic()

    def pieces() -> Iterator[bytes]:
        # Limited, so that the test ends even if the client never gives up.
        while time.monotonic() - began < SOON:
            yield b" "

    stub = StubTransport(lambda _: httpx.Response(200, stream=Chunks(pieces())))
    client = stub_client(any_client, stub, deadline=0.1, max_response_bytes=2**40)
    check_timeout(error_from(any_client, PUT.act, client), PUT, began, "deadline")


@only_awaited
def test_deadline_ends_a_slow_upload(any_client: AnyClient) -> None:
    """An awaited call ends at its deadline although the service reads a little of the request
    all the time."""
    size, taken, over = 2**25, [], threading.Event()

    def sip(connection: socket.socket) -> None:
        while (piece := connection.recv(65_536)) and not over.wait(0.01):
            taken.append(len(piece))

    with ScriptedServer(sip) as server:
        client = any_client.client(base_url=server.base_url, timeout=30, deadline=0.3)
        new = SentenceSimilarityListInput(disallowed_sentences=["x" * size])
        began = time.monotonic()
        error = error_from(any_client, lambda chat: chat.keywords.update(LIST_ID, new), client)
        check_timeout(error, PUT, began, "deadline")
        over.set()
    # At this speed, the whole request would take five seconds.
    assert sum(taken) < size


def test_deadline_while_connecting(any_client: AnyClient) -> None:
    """If the deadline passes before there is a connection, nothing was sent and the outcome is
    known."""
    with unresponsive_service() as base_url:
        began = time.monotonic()
        client = any_client.client(base_url=base_url, timeout=30, deadline=0.2)
        check_unsent_at_the_deadline(error_from(any_client, PUT.act, client), began)


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning"
)  # httpcore does not close a cancelled handshake
@pytest.mark.parametrize("own", [True, False], ids=["own context", "given context"])
def test_deadline_ends_a_slow_handshake(any_client: AnyClient, own: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    """A call ends at its deadline if the TLS handshake with the service never ends, with any
    certificates."""
    over = threading.Event()

    def handshake(connection: Any) -> None:
        connection.recv(512)
        # The header of a TLS record that is never complete.
        connection.sendall(b"\x16\3\3\x3f\xff\2\0\x3f\xfb")
        while not over.wait(0.05):
            connection.sendall(b"y")

    with ScriptedServer(handshake) as peer:
        settings = {} if own else {"ssl_context": ssl.create_default_context()}
        base_url = f"https://127.0.0.1:{peer.port}/v3"
        client = any_client.client(base_url=base_url, deadline=0.3, timeout=30, **settings)
        began = time.monotonic()
        check_unsent_at_the_deadline(error_from(any_client, PUT.act, client), began)
        over.set()
    gc.collect()


@only_awaited
def test_deadline_ends_a_slow_host_lookup(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An awaited call ends at its deadline, however long the system looks up the host."""
    over = threading.Event()

    def found(*_: object, flags: int = 0, **__: object) -> list[Any]:
        if not flags & socket.AI_NUMERICHOST:
            assert over.wait(60)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", found)
    client = any_client.client(base_url="http://localhost:1/v3", timeout=30, deadline=0.2)
    began = time.monotonic()
    error = error_from(any_client, PUT.act, client)
    over.set()
    check_unsent_at_the_deadline(error, began)


def silent(connection: Any) -> None:
    """Read, but send nothing."""
    while connection.recv(512):
        pass


def accepting(connection: Any) -> None:
    """Accept a tunnel, and then send nothing."""
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    silent(connection)


@pytest.mark.parametrize("talk", [silent, accepting])
def test_deadline_behind_a_proxy(any_client: AnyClient, talk: Callable[[Any], None]) -> None:
    """A call ends at its deadline if the proxy, or the service behind it, never responds."""
    with ScriptedServer(talk) as proxy:
        client = any_client.client(app_id="abc", proxy=proxy.address, deadline=0.3, timeout=30)
        began = time.monotonic()
        check_unsent_at_the_deadline(error_from(any_client, PUT.act, client), began)
