"""The connections of a client: which are shared, reused, counted, and closed."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Barrier, Event, Semaphore
from typing import Any

import anyio
import httpx
import pytest
from anyio.from_thread import BlockingPortal

from cometchat_rest import AsyncClient, TransportError

from ..support import (
    DELETE,
    GET,
    KEY,
    LIST_ID,
    OK,
    PUT,
    AnyClient,
    EchoServer,
    Operation,
    ScriptedServer,
    WireServer,
    check_timeout,
    error_from,
    operation_name,
    read_request,
    run_concurrently,
)


def test_derived_clients_share_connections(any_client: AnyClient) -> None:
    """Derived clients use the connections of their parent and open no other connection."""
    with EchoServer() as server:
        client = any_client.client(base_url=server.base_url)
        for uid in ("a", "b", "c"):
            child = client.with_options(on_behalf_of=uid)
            assert any_client.call(GET.act, child).name == uid
        assert any_client.call(GET.act, client).name is None
        assert server.connections == 1


def test_change_uses_only_a_fresh_connection(any_client: AnyClient) -> None:
    """After more than a second without a request, a change opens a new connection, and a GET does not.

    A service may close an idle connection at any moment, and then the outcome of a change would be unknown.
    """
    with EchoServer() as server:
        client = any_client.client(base_url=server.base_url)
        for operation, connections in ((GET, 1), (GET, 1), (PUT, 2)):
            error_from(any_client, operation.act, client)
            assert server.connections == connections
            # The time itself is what counts.
            time.sleep(1.2)


def call_at_once(any_client: AnyClient, clients: list[Any], act: Any) -> list[Any]:
    """Call `act` with all clients at once, in threads or in tasks of one loop, and return the results."""
    if any_client.kind == "sync":
        barrier = Barrier(len(clients))

        def run(client: Any) -> Any:
            barrier.wait(timeout=30)
            return act(client)

        with ThreadPoolExecutor(len(clients)) as pool:
            return list(pool.map(run, clients))
    results: dict[int, Any] = {}

    async def all_of_them(_: Any) -> None:
        async def one(index: int, client: Any) -> None:
            results[index] = await act(client)

        async with anyio.create_task_group() as tasks:
            for index, client in enumerate(clients):
                tasks.start_soon(one, index, client)

    any_client.call(all_of_them, clients[0])
    return [results[index] for index in range(len(clients))]


def test_parallel_calls_keep_their_own_options(any_client: AnyClient) -> None:
    """32 threads, or tasks, that act for different users over shared connections never send the header of another
    user."""
    with EchoServer() as server:
        client = any_client.client(base_url=server.base_url)
        children = [client.with_options(on_behalf_of=f"user-{number}") for number in range(32)]
        for _ in range(10):
            found = call_at_once(any_client, children, GET.act)
            assert [each.name for each in found] == [f"user-{number}" for number in range(32)]
        assert any_client.call(GET.act, client).name is None
        assert server.connections <= 32


def test_failed_call_closes_only_its_own_connection(any_client: AnyClient) -> None:
    """A failed call closes the connection that it used, and no other connection, even if the same caller opened
    that connection earlier."""
    arrived, go_on = Semaphore(0), {name: Event() for name in ("first", "second")}

    def talk(connection: Any) -> None:
        while (request := read_request(connection)) and b"onBehalfOf: cut" not in request:
            for name, event in go_on.items():
                if f"onBehalfOf: {name}".encode() in request:
                    arrived.release()
                    assert event.wait(30)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))

    with ScriptedServer(talk) as peer, ThreadPoolExecutor(2) as others:
        client = any_client.client(base_url=f"http://127.0.0.1:{peer.port}/v3", max_retries=0)
        cut = client.with_options(on_behalf_of="cut")
        waiting: dict[str, Future[Any]] = {}

        def begin(name: str) -> None:
            waiting[name] = others.submit(any_client.call, GET.act, client.with_options(on_behalf_of=name))
            assert arrived.acquire(timeout=30)

        def end(name: str) -> None:
            go_on[name].set()
            assert waiting[name].result(timeout=30).name == "Profanity"

        def swap() -> None:
            begin("second")
            end("first")

        # Another call takes the first connection, so that a second connection is opened. A further call takes that
        # connection, and the first connection is free again.
        steps = (partial(begin, "first"), swap)

        def blocking(_: Any) -> None:
            for then in steps:
                GET.act(client)
                then()
            with pytest.raises(TransportError):
                GET.act(cut)

        async def awaited(_: Any) -> None:
            for then in steps:
                await GET.act(client)
                await anyio.to_thread.run_sync(then)
            with pytest.raises(TransportError):
                await GET.act(cut)

        any_client.call(blocking if any_client.kind == "sync" else awaited, client)
        end("second")


def test_all_threads_share_one_pool(any_client: AnyClient) -> None:
    """32 threads, or tasks, that share a new client share one pool: later calls open no connection."""
    with EchoServer("apikey") as server:
        client = any_client.client(base_url=server.base_url, api_key=KEY)
        assert {each.name for each in call_at_once(any_client, [client] * 32, GET.act)} == {KEY}
        opened_at_first = server.connections
        assert 1 <= opened_at_first <= 32
        for _ in range(64):
            any_client.call(GET.act, client)
        assert server.connections == opened_at_first


class HoldingService:
    """A service that holds all responses until `release` is set."""

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self.release = threading.Event()
        self.server = WireServer(self._hold)

    def _hold(self, _: bytes) -> list[bytes]:
        self.arrived.release()
        assert self.release.wait(timeout=60)
        return [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + GET.body]


@pytest.mark.parametrize("own", [False, True])
def test_pool_timeout(any_client: AnyClient, own: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    """A call that gets no free connection is an error of kind pool, and the outcome is known."""
    settings: dict[str, Any] = {}
    if own:
        kind = httpx.AsyncHTTPTransport if any_client.kind == "async" else httpx.HTTPTransport
        settings["transport"] = kind(verify=False, limits=httpx.Limits(max_connections=3))
    size = 3 if own else 100
    service = HoldingService()
    with service.server as server, ThreadPoolExecutor(size) as threads:
        client = any_client.client(base_url=server.base_url, max_retries=0, **settings)
        occupied = [threads.submit(any_client.call, GET.act, client) for _ in range(size)]
        for _ in range(size):
            assert service.arrived.acquire(timeout=30)
        began = time.monotonic()
        error = error_from(any_client, PUT.act, client.with_options(timeout=httpx.Timeout(30, pool=0.2)))
        late = None if own else error_from(any_client, PUT.act, client.with_options(timeout=30, deadline=0.2))
        service.release.set()
        for each, phase in ((error, "pool"), *([(late, "deadline")] if late else [])):
            check_timeout(each, PUT, began, phase)
            assert isinstance(each, TransportError)
            assert (each.request_sent, each.outcome_unknown) == (False, False)
        assert [call.result(timeout=30).name for call in occupied] == ["Profanity"] * size
        # All connections have been released.
        assert any_client.call(GET.act, client).name == "Profanity"


def test_failed_calls_release_their_connections(any_client: AnyClient) -> None:
    """However many calls fail or time out, the next call gets a connection."""
    with WireServer(lambda _: []) as server:
        base_url = server.base_url
    client = any_client.client(base_url=base_url, max_retries=0, timeout=httpx.Timeout(30, pool=0.2))
    kinds = {getattr(error_from(any_client, GET.act, client), "kind", None) for _ in range(120)}
    assert kinds == {"connect"}
    service = HoldingService()
    with service.server as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, timeout=httpx.Timeout(30, pool=0.2))
        hurried = client.with_options(deadline=0.005)
        kinds = {getattr(error_from(any_client, GET.act, hurried), "kind", None) for _ in range(120)}
        assert kinds <= {"read", "deadline", "connect", "write"}
        service.release.set()
        assert any_client.call(GET.act, client).name == "Profanity"


def test_cancelled_calls_release_their_connections(portal: BlockingPortal) -> None:
    """However many awaited calls are cancelled, the next call gets a connection."""
    service = HoldingService()
    with service.server as server:
        timeout = httpx.Timeout(30, pool=0.2)
        client = AsyncClient(base_url=server.base_url, api_key="k" * 40, max_retries=0, timeout=timeout)

        async def abandon() -> None:
            with anyio.move_on_after(0.005) as scope:
                await client.keywords.get(LIST_ID)
            assert scope.cancelled_caught

        for _ in range(120):
            portal.call(abandon)
        service.release.set()
        assert portal.call(client.keywords.get, LIST_ID).name == "Profanity"
        portal.call(client.aclose)


class CountingService:
    """A service that keeps connections open. The first calls on all connections wait for each other."""

    def __init__(self, size: int) -> None:
        self.ended = threading.Semaphore(0)
        self._together = threading.Barrier(size)
        self._calls: dict[Any, int] = {}

    def talk(self, connection: Any) -> None:
        while read_request(connection):
            self._calls[connection] = self._calls.get(connection, 0) + 1
            if self._calls[connection] == 1:
                self._together.wait(30)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body))
        self.ended.release()

    def give_up(self) -> None:
        """End the connections that were used for only one call."""
        for connection, calls in self._calls.items():
            if calls == 1:
                connection.shutdown(socket.SHUT_WR)


def test_idle_connections_that_the_service_ends_are_closed(any_client: AnyClient) -> None:
    """After many parallel calls, idle connections that the service ends are closed. A connection that is still
    used stays open."""
    size = 10
    service = CountingService(size)
    with ScriptedServer(service.talk) as peer:
        client = any_client.client(base_url=f"http://127.0.0.1:{peer.port}/v3", max_retries=0)
        run_concurrently([partial(any_client.call, GET.act, client)] * size)
        any_client.call(GET.act, client)
        service.give_up()
        left, end = size - 1, time.monotonic() + 30
        while left and time.monotonic() < end:
            any_client.call(GET.act, client)
            left -= service.ended.acquire(timeout=0.05)
        assert not left
        assert not service.ended.acquire(blocking=False), "the connection that is still used was closed"
        any_client.close(client)


@pytest.mark.parametrize("operation", [GET, PUT, DELETE], ids=operation_name)
def test_connection_closed_by_the_service_is_not_reused(any_client: AnyClient, operation: Operation) -> None:
    """A connection that the service closed after a response is not used again: the next call opens a new connection."""
    body = operation.body
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with WireServer(lambda _: [head + body]) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        for _ in range(3):
            assert any_client.call(operation.act, client) is not None
            assert server.closed.acquire(timeout=30)
        assert len(server.received) == 3


def test_bytes_after_the_content_length_are_dropped(any_client: AnyClient) -> None:
    """Bytes after the promised content length belong neither to this response nor to the next one."""
    body = GET.body
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with WireServer(lambda _: [head + body + b"HTTP/1.1 500 No\r\n\r\n" + b"x" * 10**6]) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        for _ in range(3):
            assert any_client.call(GET.act, client).name == "Profanity"
            assert server.closed.acquire(timeout=30)


def test_large_head_that_arrives_in_pieces_is_accepted(any_client: AnyClient) -> None:
    """A response with 60 kB of headers is accepted, even if the headers arrive in pieces."""
    body = GET.body

    def respond(_: bytes) -> Iterator[bytes]:
        yield OK + b"Content-Length: %d\r\n" % len(body)
        for number in range(3):
            yield b"X-Large-%d: " % number + b"x" * 20_000
            # The client reads the first bytes before the next bytes arrive.
            time.sleep(0.05)
            yield b"\r\n"
        yield b"\r\n" + body

    with WireServer(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0)
        assert any_client.call(GET.act, client).name == "Profanity"


EXTRA_BYTES: dict[str, bytes] = {
    "a complete response": OK + b"Content-Length: 20\r\n\r\n" + b'{"data":{"name":1}}\n',
    "half of a response": OK + b"X: ",
    "text": b"junk\r\n",
    "a line break": b"\r\n",
}


@pytest.mark.parametrize("more", EXTRA_BYTES.values(), ids=EXTRA_BYTES)
def test_bytes_that_come_after_a_response_are_not_the_next_response(any_client: AnyClient, more: bytes) -> None:
    """Bytes that a service sends after a response has been received are not used as the next response."""
    received, sent, over = threading.Event(), threading.Event(), threading.Event()

    def respond(_: bytes) -> Iterator[bytes]:
        yield OK + b"Content-Length: %d\r\n\r\n%b" % (len(GET.body), GET.body)
        assert received.wait(10)
        yield more
        sent.set()
        assert over.wait(10)

    with WireServer(respond) as server:
        client = any_client.client(base_url=server.base_url, max_retries=0, deadline=5)
        assert any_client.call(GET.act, client).name == "Profanity"
        received.set()
        assert sent.wait(10)
        assert any_client.call(PUT.act, client).name == "Profanity"
        assert len(server.received) == 2
        over.set()
