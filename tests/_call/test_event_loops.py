"""Awaited calls: several in one context, in one event loop after another, and cancelled ones."""

import asyncio
import contextvars
import gc
import logging
import ssl
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
import trustme

from cometchat_rest import AsyncClient, RequestTimeoutError, TransportError, WordListInput
from cometchat_rest.testing import Simulator

from ..support import LIST_ID
from .wire_support import PATIENCE, SLOTS, Server, Service, read_request, response_to

SETTINGS: Any = {"api_key": "a-key-of-some-length", "max_retries": 0, "timeout": PATIENCE, "deadline": PATIENCE}


@pytest.mark.parametrize("loop", ["asyncio", "trio", *(["uvloop"] if sys.platform != "win32" else [])])
def test_each_event_loop(simulator: Simulator, loop: str) -> None:
    """Awaited calls work in asyncio, uvloop and trio: calls at the same time, timeouts, cancellation, and closing."""
    client = AsyncClient(**{**SETTINGS, "base_url": simulator.base_url, "api_key": simulator.api_key})

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(client.reviewed_messages.list)
        assert len([role async for role in client.roles.list(per_page=5)]) == len(simulator.roles)
        plan = await client.keywords.plan(LIST_ID, WordListInput(search_terms=["spam"]))
        assert (await client.keywords.apply(plan, max_removed=1)).matches
        simulator.fail(delay=PATIENCE)
        with pytest.raises(RequestTimeoutError):
            await client.with_options(timeout=0.1).roles.list()
        simulator.fail(delay=PATIENCE)
        with anyio.move_on_after(0.1) as scope:
            await client.roles.list()
        assert scope.cancelled_caught
        assert (await client.roles.list()).data

    options = {"use_uvloop": True} if loop == "uvloop" else {}
    for _ in range(2):
        anyio.run(main, backend="trio" if loop == "trio" else "asyncio", backend_options=options)
    anyio.run(client.aclose)


# Several calls in one context.


class Paired(Server):
    """Holds the two requests of a test until both have arrived, and ends them in a given order.

    A request whose path ends in "bad" fails: its connection is closed without a response. The other one succeeds. Each
    response repeats the last segment of the path in a header.
    """

    def __init__(self, *order: str) -> None:
        super().__init__(self._serve)
        self._order = order
        self.arrived = {name: threading.Event() for name in order}
        self.ended = {name: threading.Event() for name in order}

    def _serve(self, connection: Any) -> None:
        request = read_request(connection)
        name = request.split(b" ", 2)[1].decode().rpartition("/")[2]
        self.arrived[name].set()
        for other in self._order:
            self.arrived[other].wait(PATIENCE)
        for other in self._order[: self._order.index(name)]:
            self.ended[other].wait(PATIENCE)
        if not name.endswith("bad"):
            connection.sendall(response_to(request, headers=b"X-Echo: %b\r\n" % name.encode()))
            # The client ends the connection.
            connection.recv(1)


async def in_one_context(
    server: Paired, names: tuple[str, ...], act: Any, transport: httpx.AsyncBaseTransport | None = None
) -> dict[str, Any]:
    """Make these calls in tasks that share a context, the first one first; returns each one's result or error."""
    context = contextvars.copy_context()
    outcomes: dict[str, Any] = {}

    async def call(chat: AsyncClient, name: str) -> None:
        try:
            outcomes[name] = await act(chat, name)
        except TransportError as error:
            outcomes[name] = error
        server.ended[name].set()

    async with AsyncClient(base_url=server.base_url, transport=transport, **SETTINGS) as chat:
        tasks = []
        for name in names:
            tasks.append(asyncio.create_task(call(chat, name), context=context))
            await asyncio.to_thread(server.arrived[name].wait, PATIENCE)
        await asyncio.gather(*tasks)
    return outcomes


@pytest.mark.parametrize("first", ["good", "bad"])
def test_failing_call_closes_no_other_connection_of_its_context(first: str) -> None:
    """A call that fails does not disturb another one that runs in the same `contextvars.Context`."""
    names = (first, "good" if first == "bad" else "bad")
    with Paired("bad", "good") as server:
        outcomes = asyncio.run(in_one_context(server, names, lambda chat, name: chat.keywords.get(name)))
    assert isinstance(outcomes["bad"], TransportError)
    assert getattr(outcomes["good"], "id", outcomes["good"]) == "good"


@pytest.mark.parametrize(
    "ending", [("first-token-4d1f0b7a", "other-token-9c85e36d"), ("other-token-9c85e36d", "first-token-4d1f0b7a")]
)
def test_logs_hide_the_secrets_of_every_call_of_a_context(
    caplog: pytest.LogCaptureFixture, ending: tuple[str, str]
) -> None:
    """The log of an HTTP library shows no auth token, if two calls run in the same `contextvars.Context`."""
    tokens = ("first-token-4d1f0b7a", "other-token-9c85e36d")
    caplog.set_level(logging.DEBUG)
    with Paired(*ending) as server:
        outcomes = asyncio.run(
            in_one_context(
                server, tokens, lambda chat, token: chat.auth_tokens.delete("alice", token), httpx.AsyncHTTPTransport()
            )
        )
    assert [outcomes[token].success for token in tokens] == [True, True]
    logged = [record.getMessage() for record in caplog.records if record.name.startswith(("httpcore", "httpx"))]
    # The header with the token was logged, without the token.
    assert sum("X-Echo" in message for message in logged) == 2
    assert not [message for message in logged if any(token in message for token in tokens)]


# One event loop after another.


def use_in_a_loop(chat: AsyncClient, list_id: str) -> None:
    """Make a call in a new event loop, and only close the loop."""
    loop = asyncio.new_event_loop()
    assert loop.run_until_complete(chat.keywords.get(list_id)).id == list_id
    loop.close()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_closed_event_loops_keep_no_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is used in fifty event loops, each only closed, does not keep the connections of all of them."""
    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    with Service() as service, ExitStack() as closing:
        # The last loop leaves a socket, and Python must not warn of it in a later test.
        closing.callback(gc.collect)
        chat = AsyncClient(base_url=service.base_url, **SETTINGS)
        closing.callback(lambda: asyncio.run(chat.aclose()))
        for number in range(50):
            use_in_a_loop(chat, f"list-{number}")
        gc.collect()
        # How many there are at most does not depend on the number of loops.
        assert service.wait_for_open(5), f"{service.open} connections are open"


def test_event_loops_share_the_idle_connections() -> None:
    """However many event loops use a client, it keeps at most a hundred idle connections, and closing closes all."""
    with Service() as service:
        chat = AsyncClient(base_url=service.base_url, **SETTINGS)
        done = threading.Barrier(4, timeout=PATIENCE)

        async def use() -> None:
            await asyncio.gather(*(chat.keywords.get(f"together-{number}") for number in range(60)))
            # Each loop lives until the connections are counted.
            for _ in range(2):
                await asyncio.to_thread(done.wait)

        service.gather(3 * 60)
        with ThreadPoolExecutor(3) as threads:
            results = [threads.submit(asyncio.run, use()) for _ in range(3)]
            done.wait()
            assert service.wait_for_open(SLOTS), f"{service.open} connections are open"
            assert service.open > SLOTS - 3
            asyncio.run(chat.aclose())
            assert service.wait_for_open(0), f"{service.open} connections are open"
            done.wait()
            assert [result.result() for result in results] == [None] * 3


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_closed_event_loops_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client does not keep the event loops in which it was used."""
    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    with Service() as service, ExitStack() as closing:
        # The last loop leaves a socket, and Python must not warn of it in a later test.
        closing.callback(gc.collect)
        chat = AsyncClient(base_url=service.base_url, **SETTINGS)
        closing.callback(lambda: asyncio.run(chat.aclose()))

        def loops() -> int:
            gc.collect()
            return sum(isinstance(each, asyncio.SelectorEventLoop) for each in gc.get_objects())

        before = loops()
        for _ in range(20):
            use_in_a_loop(chat, "a-list")
        assert loops() - before <= 5


# Cancelled calls.


async def all_at_once(chat: AsyncClient, service: Service) -> None:
    """Use all connections at the same time: the service responds only when as many requests have arrived."""
    service.gather(SLOTS)
    names = [f"together-{number}" for number in range(SLOTS)]
    found = await asyncio.gather(*map(chat.keywords.get, names))
    service.scatter()
    assert [each.id for each in found] == names


@pytest.mark.parametrize("expired", [True, False], ids=["closed by the service", "fresh"])
def test_cancelled_call_loses_no_connection(expired: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A call may be cancelled at any moment, even while it closes an expired connection: no connection is lost."""

    async def run() -> None:
        async with AsyncClient(base_url=service.base_url, **SETTINGS) as chat:
            for steps in range(30):
                # Several connections wait for the next call.
                service.gather(3)
                await asyncio.gather(*(chat.keywords.get(f"together-{number}") for number in range(3)))
                service.scatter()
                if expired:
                    service.disconnect()
                task = asyncio.create_task(chat.keywords.get("a-list"))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert (await chat.keywords.get("a-list")).id == "a-list"
            await all_at_once(chat, service)

    with Service() as service:
        asyncio.run(run())


class Held(Server):
    """Reads a request and waits until the client closes the connection; over TLS, if it has a context for that."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        super().__init__(self._serve)
        self._context = context
        self.arrived = threading.Event()
        self.closed = threading.Event()

    def _serve(self, connection: Any) -> None:
        try:
            if self._context is None:
                self._hold(connection)
            else:
                with self._context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=True) as tls:
                    self._hold(tls)
        except OSError:
            self.closed.set()

    def _hold(self, connection: Any) -> None:
        read_request(connection)
        self.arrived.set()
        connection.settimeout(PATIENCE)
        while True:
            try:
                received = connection.recv(65536)
            except TimeoutError:
                return
            if not received:
                self.closed.set()
                return


@pytest.mark.parametrize("way", ["task", "scope"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cancelled_call_closes_its_connection(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scheme: str, way: str
) -> None:
    """A call that is cancelled closes its connection at once, while the client and the event loop go on."""
    context = None
    if scheme == "https":
        ca = trustme.CA()
        ca.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ca.issue_cert("127.0.0.1").configure_cert(context)

    async def run() -> bool:
        async with AsyncClient(base_url=f"{scheme}://127.0.0.1:{server.port}/v3", **SETTINGS) as chat:
            if way == "task":
                task = asyncio.create_task(chat.keywords.get("a-list"))
                await asyncio.to_thread(server.arrived.wait, PATIENCE)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            else:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(chat.keywords.get, "a-list")
                    await asyncio.to_thread(server.arrived.wait, PATIENCE)
                    tasks.cancel_scope.cancel()
            return await asyncio.to_thread(server.closed.wait, PATIENCE)

    with Held(context) as server:
        assert asyncio.run(run())


def test_cancelled_program_closes_all_connections_of_its_client() -> None:
    """A client whose `async with` block is cancelled closes all of its connections, while the event loop goes on."""

    async def run() -> bool:
        with anyio.CancelScope() as scope:
            async with AsyncClient(base_url=service.base_url, **SETTINGS) as chat:
                service.gather(10)
                await asyncio.gather(*(chat.keywords.get(f"together-{number}") for number in range(10)))
                scope.cancel()
                await anyio.sleep_forever()
        return await asyncio.to_thread(service.wait_for_open, 0)

    with Service() as service:
        assert asyncio.run(run())
        assert service.opened == 10


def test_cancelled_call_stops_sending() -> None:
    """A call that is cancelled while it sends a large request sends nothing more of it than the system already has."""
    size = 32 * 2**20
    received = []
    arrived, cancelled = threading.Event(), threading.Event()

    def count(connection: Any) -> None:
        received.append(len(connection.recv(1000)))
        arrived.set()
        cancelled.wait(PATIENCE)
        while piece := connection.recv(2**20):
            received.append(len(piece))

    async def run() -> bool:
        new = WordListInput(search_terms="x" * size)
        async with AsyncClient(base_url=server.base_url, **SETTINGS) as chat:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(chat.keywords.update, "a-list", new)
                await asyncio.to_thread(arrived.wait, PATIENCE)
                tasks.cancel_scope.cancel()
            cancelled.set()
            return await asyncio.to_thread(server.wait_for_open, 0)

    with Server(count) as server:
        assert asyncio.run(run())
    assert sum(received) < size


@pytest.mark.parametrize("connection", ["new", "kept"])
def test_call_in_a_cancelled_scope_sends_nothing(connection: str) -> None:
    """A call that begins when its task is cancelled already sends no request, on a new and on a kept connection."""

    async def delete(service: Service) -> None:
        async with AsyncClient(base_url=service.base_url, **SETTINGS) as chat:
            if connection == "kept":
                await chat.keywords.get("a-list")
            with anyio.CancelScope() as scope:
                scope.cancel()
                await chat.auth_tokens.delete("alice", "a-token")
            assert scope.cancelled_caught

    with Service() as service:
        anyio.run(delete, service)
        assert not [path for method, path in service.received if method == "DELETE"]
