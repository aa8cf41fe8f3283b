"""A client in several event loops, and in processes that fork: each has its own connections."""

import asyncio
import gc
import os
import socket
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import pytest
from anyio.lowlevel import current_token

from cometchat_rest import AsyncClient, RequestTimeoutError, TransportError, WordListInput
from cometchat_testing import Simulator

from ..support import GET, LIST_ID, PATIENCE, PUT
from .wire_support import Service

#: Python warns of connections that an event loop leaves behind.
ended_loops_leave_connections = pytest.mark.filterwarnings("ignore::ResourceWarning")


@ended_loops_leave_connections
@pytest.mark.parametrize(
    "loop", ["asyncio", "trio", *(["uvloop"] if sys.platform != "win32" else [])]
)
def test_each_event_loop(simulator: Simulator, loop: str) -> None:
    """Awaited calls work in asyncio, uvloop and trio: calls at the same time, timeouts,
    cancellation, and closing."""
    client = AsyncClient(base_url=simulator.base_url, api_key=simulator.api_key, max_retries=0)

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.reviewed_messages.list)
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
    run = partial(
        anyio.run, backend="trio" if loop == "trio" else "asyncio", backend_options=options
    )
    run(main)
    run(main)
    run(client.aclose)
    gc.collect()


@ended_loops_leave_connections
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_one_event_loop_after_another(backend: str) -> None:
    """A client that is used in twenty event loops keeps neither the loops nor their connections."""

    async def call(number: int) -> weakref.ref[object]:
        assert (await client.keywords.get(f"list-{number}")).id == f"list-{number}"
        return weakref.ref(current_token().native_token)

    with Service() as service:
        client = AsyncClient(base_url=service.base_url, api_key="a-key")
        loops = [anyio.run(call, number, backend=backend) for number in range(20)]
        gc.collect()
        assert service.wait_for_open(1)
        assert sum(loop() is not None for loop in loops) <= 1
        asyncio.run(client.aclose())
        gc.collect()
        assert service.wait_for_open(0)


@ended_loops_leave_connections
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_two_event_loops_at_the_same_time(backend: str) -> None:
    """Two event loops in two threads may use one client. Each loop uses its own connection
    again."""
    turn = threading.Barrier(2, timeout=PATIENCE)

    async def call(name: str) -> None:
        assert (await client.keywords.get(f"{name}-1")).id == f"{name}-1"
        await anyio.to_thread.run_sync(turn.wait)
        assert (await client.keywords.get(f"{name}-2")).id == f"{name}-2"

    with Service() as service, ThreadPoolExecutor(2) as threads:
        client = AsyncClient(base_url=service.base_url, api_key="a-key")
        calls = [partial(call, "first"), partial(call, "second")]
        results = [threads.submit(anyio.run, each, backend=backend) for each in calls]
        assert [result.result() for result in results] == [None, None]
        assert service.opened == 2
        asyncio.run(client.aclose())
        gc.collect()


BLOCKING = """
import os, sys
from cometchat_rest import Client

def call(name):
    print(chat.keywords.get(name).id, flush=True)

with Client(base_url=sys.argv[1], api_key="key") as chat:
    if sys.argv[2] == "used":
        call("before")
    if (child := os.fork()) == 0:
        call("child")
        chat.close()
        os._exit(0)
    os.waitpid(child, 0)
    call("parent")
"""
AWAITED = """
import asyncio, os, sys
from cometchat_rest import AsyncClient

async def call(name):
    print((await chat.keywords.get(name)).id, flush=True)

async def main():
    async with chat:
        if sys.argv[2] == "used":
            await call("before")
        if (child := os.fork()) == 0:
            asyncio.run(call("child"))
            os._exit(0)
        await asyncio.to_thread(os.waitpid, child, 0)
        await call("parent")

chat = AsyncClient(base_url=sys.argv[1], api_key="key")
asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("script", [BLOCKING, AWAITED], ids=["blocking", "awaited"])
@pytest.mark.parametrize("state", ["new", "used"])
def test_forked_process_opens_its_own_connections(script: str, state: str) -> None:
    """A process that forks before or after the first call: the child does not touch the
    connections of its parent."""
    with Service() as service:
        command = [sys.executable, "-c", script, service.base_url, state]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        expected = ["before"] * (state == "used") + ["child", "parent"]
        assert (done.stdout.split(), done.stderr) == (expected, "")
        assert service.opened == 2


@ended_loops_leave_connections
def test_calls_together_after_loops_that_ended(simulator: Simulator) -> None:
    """Calls that begin together in a new event loop all succeed, and share its connections,
    after others ended."""
    client = AsyncClient(base_url=simulator.base_url, api_key=simulator.api_key)
    ended = [asyncio.new_event_loop() for _ in range(3)]

    async def calls() -> None:
        await asyncio.gather(*(client.keywords.get(LIST_ID) for _ in range(4)))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda loop: loop.run_until_complete(calls()), ended))

    async def main() -> None:
        await calls()
        await client.aclose()

    asyncio.run(main())
    for loop in ended:
        loop.close()
    ended.clear()
    gc.collect()


@pytest.mark.parametrize("act", [GET.act, PUT.act], ids=["get", "update"])
def test_awaited_call_for_a_host_without_an_address(
    monkeypatch: pytest.MonkeyPatch, act: Any
) -> None:
    """If the system finds no address for a host, the call says that nothing was sent."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [])

    async def call() -> None:
        await act(AsyncClient(base_url="https://nowhere.example/v3", api_key="k", max_retries=0))

    with pytest.raises(TransportError) as caught:
        asyncio.run(call())
    error = caught.value
    assert (error.kind, error.request_sent, error.outcome_unknown) == ("connect", False, False)
