"""The end of a watch, and its pauses."""

import asyncio
import contextlib
import signal
import sys
import threading
from typing import Any

import anyio
import pytest

from cometchat_rest import Client, RateLimitError, ReviewedMessageList, TransportError
from cometchat_rest.reviewed_messages.watch import Watch
from cometchat_runtime.operation import Response
from cometchat_testing import Simulator

from ...conftest import AnyClient, Start
from ...support import PATIENCE
from .test_watch import message_ids


def test_watch_ends_when_the_loop_ends(any_client: AnyClient, simulator: Simulator) -> None:
    """Leaving the loop ends a watch: it sends no further request, and the client stays usable."""
    client = any_client.client()

    def blocking(chat: Any) -> str:
        return str(next(chat.reviewed_messages.watch()).message.id)

    async def awaited(chat: Any) -> str:
        async with contextlib.aclosing(chat.reviewed_messages.watch()) as records:
            return str((await anext(records)).message.id)

    first = any_client.call(blocking if any_client.kind == "sync" else awaited, client)
    assert [first] == message_ids(simulator.reviewed_messages[49:50])
    assert any_client.call(lambda chat: chat.roles.list(per_page=1), client).data
    assert [request.operation for request in simulator.requests] == [
        "list_reviewed_messages",
        "list_roles",
    ]


def test_watch_ends_when_another_thread_stops_it(simulator: Simulator) -> None:
    """Setting `stop` ends a watch during a long pause, between two records, and before the first
    record."""
    stop, all_read = threading.Event(), threading.Event()
    found: list[int] = []

    def watch() -> None:
        with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
            count = 0
            for _ in chat.reviewed_messages.watch(interval=100_000, limit=3, stop=stop):
                count += 1
                if count == 3:
                    all_read.set()
            found.append(count)
            found.extend(1 for _ in chat.reviewed_messages.watch(interval=100_000, stop=stop))
            stop.clear()
            records = chat.reviewed_messages.watch(interval=100_000, stop=stop)
            next(records)
            stop.set()
            found.extend(1 for _ in records)

    # A daemon thread cannot block the end of the test run if the watch does not stop.
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    assert all_read.wait(PATIENCE)
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert found == [3]
    assert len(simulator.requests) == 2


@pytest.mark.parametrize("any_client", ["async"], indirect=True)
def test_watch_ends_when_its_task_is_cancelled(any_client: AnyClient, simulator: Simulator) -> None:
    """Cancelling the task ends a watch during a long pause."""

    async def run(chat: Any) -> int:
        count = 0
        with anyio.CancelScope() as scope:
            async for _ in chat.reviewed_messages.watch(interval=100_000, limit=3):
                count += 1
                if count == 3:
                    # The loop cancels when the watch waits.
                    asyncio.get_running_loop().call_soon(scope.cancel)
        return count

    assert any_client.call(run) == 3
    assert len(simulator.requests) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_watch_ends_after_ctrl_c(start: Start, simulator: Simulator) -> None:
    """Ctrl-C ends a watch during a long pause; the loop raises KeyboardInterrupt."""
    code = f"""
from cometchat_rest import Client
with Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}) as chat:
    try:
        for record in chat.reviewed_messages.watch(interval=100_000, limit=1):
            print(record.message.id, flush=True)
    except KeyboardInterrupt:
        print("interrupted")
"""
    process = start(sys.executable, "-c", code)
    assert process.stdout is not None
    assert process.stdout.readline().split() == message_ids(simulator.reviewed_messages[:1])
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("interrupted\n", "")
    assert process.returncode == 0


# The pauses of a watch.


@pytest.mark.parametrize(
    ("interval", "failures", "longest"),
    [
        (60.0, 1, 60.0),
        (60.0, 2, 120.0),
        (60.0, 3, 240.0),
        (60.0, 4, 300.0),
        (60.0, 3000, 300.0),
        (3600.0, 2, 3600.0),
    ],
)
def test_pauses_after_failures(interval: float, failures: int, longest: float) -> None:
    """Pauses double from the interval to five minutes, or the interval if that is longer; jitter
    shortens a pause, but never below the interval."""
    watch = Watch(interval, None, None, skip_existing=False)
    assert {str(watch.take(TransportError("down"))) for _ in range(failures)} == {"[]"}
    assert max(interval, longest / 2) <= watch.pause <= longest
    watch.take(Response(200, b"", {}, ReviewedMessageList.from_dict({"data": []})))
    assert watch.pause == interval


@pytest.mark.parametrize(
    ("retry_after", "pause"),
    [(120.0, 120.0), (3600.0, 3600.0), (86400.0, 3600.0), (1e300, 3600.0)],
)
def test_pauses_with_retry_after(retry_after: float, pause: float) -> None:
    """A longer pause that the service asks for is obeyed, up to an hour."""
    watch = Watch(1.0, None, None, skip_existing=False)
    watch.take(RateLimitError("too many", status_code=429, retry_after=retry_after))
    assert watch.pause == pause
