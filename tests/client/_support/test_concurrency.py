"""Work on many items in threads or tasks: order, limit, and the end after an exception."""

from __future__ import annotations

import threading

import anyio
import anyio.lowlevel
import pytest

from cometchat_rest._support.concurrency import in_tasks, in_threads


@pytest.mark.parametrize("concurrency", [1, 3, 100])
def test_results_are_in_the_order_of_the_items(concurrency: int) -> None:
    """The results have the order of the items, in threads and in tasks."""
    items = list(range(20))

    async def double(item: int) -> int:
        # Later items finish first.
        for _ in range(20 - item):
            await anyio.lowlevel.checkpoint()
        return 2 * item

    assert in_threads(lambda item: 2 * item, items, concurrency) == [2 * item for item in items]
    assert anyio.run(in_tasks, double, items, concurrency) == [2 * item for item in items]
    assert in_threads(str, [], concurrency) == []
    assert anyio.run(in_tasks, double, [], concurrency) == []


def test_concurrency_is_limited() -> None:
    """Exactly `concurrency` items are worked on at the same time, if there are enough items."""
    active = 0
    most = 0
    counting = threading.Lock()
    together = threading.Barrier(3)

    def work(_: int) -> None:
        nonlocal active, most
        with counting:
            active += 1
            most = max(most, active)
        together.wait(30)
        with counting:
            active -= 1

    in_threads(work, range(12), 3)
    assert most == 3

    async def work_in_task(_: int) -> None:
        nonlocal active, most
        active += 1
        most = max(most, active)
        await anyio.lowlevel.checkpoint()
        active -= 1

    most = 0
    anyio.run(in_tasks, work_in_task, range(12), 3)
    assert most == 3


def test_single_item_needs_no_thread() -> None:
    """A single item is worked on in the thread of the caller, so that Ctrl-C ends it at once."""
    assert in_threads(lambda _: threading.current_thread(), [None], 8) == [threading.current_thread()]


def test_exception_ends_the_work() -> None:
    """If the work on one item raises, no other item is begun. The exception is raised itself, not in a group."""
    failure = LookupError("one item")
    begun: list[int] = []
    never = threading.Event()

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise failure
        # Slow enough that the caller can end the work before all items are done.
        never.wait(0.05)

    with pytest.raises(LookupError) as caught:
        in_threads(work, range(100), 1)
    assert caught.value is failure
    assert len(begun) < 100
    begun.clear()

    async def work_in_task(item: int) -> None:
        work(item)

    with pytest.raises(LookupError) as caught:
        anyio.run(in_tasks, work_in_task, range(100), 1)
    assert caught.value is failure
    assert begun == [0]
