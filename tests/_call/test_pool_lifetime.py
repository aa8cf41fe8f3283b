"""The life of a pool: event loops that start and end, and cancellations."""

import asyncio
import gc
import socket
import weakref
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel

from cometchat_rest import AsyncClient, WordListInput
from cometchat_rest.testing import Simulator

from ..support import LIST_ID, EchoServer


def sockets_connected_to(simulator: Simulator) -> list[socket.socket]:
    """The sockets of this process that are connected to a simulator."""
    port = urlsplit(simulator.base_url).port

    def leads_there(each: socket.socket) -> bool:
        try:
            return bool(each.getpeername() == ("127.0.0.1", port))
        except OSError:  # closed, or listening
            return False

    return [each for each in gc.get_objects() if isinstance(each, socket.socket) and leads_there(each)]


def test_client_works_in_one_event_loop_after_another() -> None:
    """An awaited client works in one event loop after another: it keeps no loop, and the connections end with it."""
    loops = []

    async def change(client: AsyncClient, words: WordListInput) -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await client.keywords.update("profanity-list", words)
        assert sockets_connected_to(simulator)

    with Simulator() as simulator:
        client = AsyncClient(base_url=simulator.base_url, api_key=simulator.api_key)
        for number in range(3):
            anyio.run(change, client, WordListInput(search_terms=[f"term-{number}"]))
            assert sockets_connected_to(simulator) == []
            found = anyio.run(client.keywords.get, "profanity-list")
            assert found.search_terms == [f"term-{number}"]
        gc.collect()
        assert [loop() for loop in loops] == [None, None, None]
        anyio.run(client.aclose)
        assert sockets_connected_to(simulator) == []


def test_cancellation_of_the_block_closes_all_connections() -> None:
    """If a cancellation ends the `async with` block of a client, all its connections are closed."""

    async def leave(simulator: Simulator) -> None:
        with anyio.CancelScope() as scope:
            async with AsyncClient(base_url=simulator.base_url, api_key=simulator.api_key) as client:
                async with anyio.create_task_group() as tasks:
                    for _ in range(5):
                        tasks.start_soon(client.reviewed_messages.list)
                assert sockets_connected_to(simulator)
                scope.cancel()
                await anyio.lowlevel.checkpoint()
        assert sockets_connected_to(simulator) == []

    with Simulator() as simulator:
        anyio.run(leave, simulator)


def test_closed_client_leaves_nothing_in_the_event_loop() -> None:
    """A closed awaited client leaves nothing in its event loop."""

    async def work(base_url: str, number: int) -> None:
        for _ in range(number):
            async with AsyncClient(base_url=base_url, api_key="key") as client:
                await client.keywords.get(LIST_ID)

    async def kept(base_url: str) -> int:
        await work(base_url, 10)
        gc.collect()
        before = len(gc.get_objects())
        await work(base_url, 100)
        gc.collect()
        return len(gc.get_objects()) - before

    with EchoServer() as server:
        assert anyio.run(kept, server.base_url) < 100
