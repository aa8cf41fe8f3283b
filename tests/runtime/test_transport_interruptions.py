"""Ctrl-C, an exception of a signal handler, or a cancellation ends a call that waits, and the
next call is right."""

import asyncio
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from importlib.metadata import version
from types import FrameType
from typing import Any

import anyio
import pytest
from packaging.version import Version

from cometchat_rest import AsyncClient, Client

from ..support import GET, PATIENCE, StubTransport, always_respond
from .wire_support import SLOTS, Service, response_to

#: Seconds after which a call certainly waits.
SOON = 0.3
SETTINGS: Any = {"api_key": "a-key-of-some-length", "timeout": 30, "deadline": 60}
#: What the last call waits for: its response, a free connection, or its next attempt.
WAITS = ("response", "pool", "pause")


@pytest.fixture
def service() -> Iterator[Service]:
    """A service that refuses requests for lists called `busy-...` for a long time."""

    def respond(request: bytes) -> bytes:
        return (
            response_to(request, 503, b"Retry-After: 30\r\n")
            if b"/busy-" in request
            else response_to(request)
        )

    with Service() as service:
        service.respond = respond
        yield service


# Blocking calls.


@contextmanager
def interrupted(error: BaseException) -> Iterator[None]:
    """Raise this exception from a signal handler, while a call waits."""

    def handle(*_: object) -> None:
        raise error

    before = signal.signal(signal.SIGINT, handle)
    timer = threading.Timer(SOON, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(
    sys.platform == "win32", reason="on Windows, a program cannot send a signal to one thread"
)
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), LookupError("of a signal handler")], ids=repr
)
@pytest.mark.parametrize("wait", WAITS)
def test_interrupted_call(service: Service, wait: str, error: BaseException) -> None:
    """An exception of a signal handler ends a call that waits. Later calls are right, and no
    connection is lost."""
    with (
        Client(base_url=service.base_url, **SETTINGS) as chat,
        ThreadPoolExecutor(SLOTS) as threads,
    ):
        held = [f"held-{number}" for number in range(SLOTS if wait == "pool" else 0)]
        others = [threads.submit(chat.keywords.get, name) for name in held]
        service.wait_for_held(len(held))
        with pytest.raises(type(error)), interrupted(error):
            chat.keywords.get("busy-list" if wait == "pause" else "held-list")
        service.release.set()
        if wait == "response":
            assert service.wait_for_open(0)
        assert [other.result().id for other in others] == held
        names = [f"list-{number}" for number in range(3)]
        assert [chat.keywords.get(name).id for name in names] == names
        service.gather(SLOTS)
        names = [f"together-{number}" for number in range(SLOTS)]
        assert [each.id for each in threads.map(chat.keywords.get, names)] == names


def call_raising_at_line(chat: Client, number: int) -> bool:
    """Get a list, and raise an exception before one line of the transport or of `threading` runs,
    as a signal handler may. Returns whether there is such a line."""
    left = number

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(("transport.py", "threading.py")):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise LookupError("of a signal handler")
        return trace

    sys.settrace(trace)
    try:
        with suppress(LookupError):
            chat.keywords.get("list")
    finally:
        sys.settrace(None)
    return left <= 0


# A connection that such an exception loses is closed when it is collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_exception_at_any_line(service: Service) -> None:
    """An exception of a signal handler, at any line of a call, locks no client and loses at most a
    few permits."""
    with (
        Client(base_url=service.base_url, **SETTINGS) as chat,
        ThreadPoolExecutor(SLOTS) as threads,
    ):
        number = 0
        is_line = True
        while is_line:
            number += 1
            # In a thread of its own: Python may keep such an exception as the context of others.
            with ThreadPoolExecutor(1) as thread:
                is_line = thread.submit(call_raising_at_line, chat, number).result(PATIENCE)
            assert threads.submit(chat.keywords.get, "next").result(PATIENCE).id == "next"
        assert number > 20
        names = [f"together-{index}" for index in range(SLOTS - 3)]
        service.gather(len(names))
        assert [each.id for each in threads.map(chat.keywords.get, names)] == names


# Awaited calls.


async def all_at_once(chat: AsyncClient, names: list[str]) -> None:
    """Get lists at the same time."""

    async def get(name: str) -> None:
        assert (await chat.keywords.get(name)).id == name

    async with anyio.create_task_group() as tasks:
        for name in names:
            tasks.start_soon(get, name)


async def use_all(chat: AsyncClient, service: Service) -> None:
    """Use all connections at the same time: the service responds only when all requests have
    arrived."""
    service.gather(SLOTS)
    await all_at_once(chat, [f"together-{number}" for number in range(SLOTS)])


@asynccontextmanager
async def move_on() -> AsyncIterator[None]:
    with anyio.move_on_after(SOON) as scope:
        yield
    assert scope.cancelled_caught


@asynccontextmanager
async def time_out() -> AsyncIterator[None]:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(SOON):
            yield


@pytest.mark.parametrize(
    ("backend", "cancelled"), [("asyncio", move_on), ("asyncio", time_out), ("trio", move_on)]
)
@pytest.mark.parametrize("wait", WAITS)
def test_cancelled_call(
    service: Service,
    wait: str,
    backend: str,
    cancelled: Callable[[], AbstractAsyncContextManager[None]],
) -> None:
    """A cancellation ends a call that waits. Later calls are right, and no connection is lost."""

    async def run() -> None:
        async with AsyncClient(base_url=service.base_url, **SETTINGS) as chat:
            async with anyio.create_task_group() as tasks:
                if wait == "pool":
                    tasks.start_soon(
                        all_at_once, chat, [f"held-{number}" for number in range(SLOTS)]
                    )
                    await anyio.to_thread.run_sync(service.wait_for_held, SLOTS)
                async with cancelled():
                    await chat.keywords.get("busy-list" if wait == "pause" else "held-list")
                service.release.set()
                if wait == "response":
                    assert await anyio.to_thread.run_sync(service.wait_for_open, 0)
            await all_at_once(chat, [f"list-{number}" for number in range(3)])
            await use_all(chat, service)

    anyio.run(run, backend=backend)


connects_again = pytest.mark.skipif(
    Version(version("anyio")) < Version("4.16"),
    reason="with an older anyio, the socket of the cancelled call stays open until it is collected",
)


@pytest.mark.parametrize(
    "expired",
    [
        pytest.param(True, id="closed by the service", marks=connects_again),
        pytest.param(False, id="fresh"),
    ],
)
def test_call_cancelled_at_any_step(service: Service, expired: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A call may be cancelled after any number of steps, even while it connects: no connection
    is lost."""

    async def run() -> None:
        async with AsyncClient(base_url=service.base_url, **SETTINGS) as chat:
            for steps in range(30):
                if expired:
                    service.disconnect()
                task = asyncio.create_task(chat.keywords.get("a-list"))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert (await chat.keywords.get("another-list")).id == "another-list"
            await use_all(chat, service)

    asyncio.run(run())


def test_cancelled_block_closes_all_connections(service: Service) -> None:
    """If a cancellation ends the `async with` block of a client, its connections are closed, and
    the loop goes on."""

    async def run() -> None:
        with anyio.CancelScope() as scope:
            async with AsyncClient(base_url=service.base_url, **SETTINGS) as chat:
                service.gather(10)
                await all_at_once(chat, [f"together-{number}" for number in range(10)])
                scope.cancel()
                await anyio.sleep_forever()
        assert await anyio.to_thread.run_sync(service.wait_for_open, 0)
        assert service.opened == 10

    anyio.run(run)


@pytest.mark.parametrize("connection", ["new", "kept", "custom"])
def test_call_in_a_cancelled_scope_sends_nothing(service: Service, connection: str) -> None:
    """A call that begins when its task is cancelled already sends no request, and does not reach
    a custom transport."""
    stub = StubTransport(always_respond(200, GET.success)) if connection == "custom" else None

    async def run() -> None:
        async with AsyncClient(base_url=service.base_url, transport=stub, **SETTINGS) as chat:
            if connection == "kept":
                await chat.keywords.get("a-list")
            with anyio.CancelScope() as scope:
                scope.cancel()
                await chat.auth_tokens.delete("alice", "a-token")
            assert scope.cancelled_caught

    anyio.run(run)
    assert not [request for request in service.received if request.startswith(b"DELETE")]
    assert stub is None or stub.requests == []
