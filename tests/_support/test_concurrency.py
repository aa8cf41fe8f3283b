"""Work on many items in threads or tasks: order, limit, and the end after an exception."""

import signal
import sys
import threading

import anyio
import anyio.lowlevel
import pytest

from cometchat_rest._support.concurrency import in_tasks, in_threads, wait

from .._call.wire_support import PATIENCE


@pytest.mark.parametrize("concurrency", [1, 3, 100])
@pytest.mark.parametrize("number", [0, 20])
def test_results_are_in_the_order_of_the_items(concurrency: int, number: int) -> None:
    """The results have the order of the items, in threads and in tasks."""
    items = list(range(number))

    async def double(item: int) -> int:
        # Later items finish first.
        for _ in range(20 - item):
            await anyio.lowlevel.checkpoint()
        return 2 * item

    expected = [2 * item for item in items]
    assert in_threads(lambda item: 2 * item, items, concurrency, threading.Event()) == expected
    assert anyio.run(in_tasks, double, items, concurrency) == expected


def test_concurrency_is_limited() -> None:
    """Exactly `concurrency` items are worked on at the same time, if there are enough items."""
    active: list[int] = []
    most = 0
    together = threading.Barrier(3)

    def work(item: int) -> None:
        nonlocal most
        active.append(item)
        most = max(most, len(active))
        together.wait(PATIENCE)
        active.remove(item)

    in_threads(work, range(12), 3, threading.Event())
    assert most == 3

    async def work_in_task(item: int) -> None:
        nonlocal most
        active.append(item)
        most = max(most, len(active))
        await anyio.lowlevel.checkpoint()
        active.remove(item)

    most = 0
    anyio.run(in_tasks, work_in_task, range(12), 3)
    assert most == 3


def test_single_item_needs_no_thread() -> None:
    """A single item is worked on in the caller's thread, so that Ctrl-C ends it at once."""
    threads = in_threads(lambda _: threading.current_thread(), [None], 8, threading.Event())
    assert threads == [threading.current_thread()]


def test_exception_ends_the_work() -> None:
    """If the work on one item raises, no other item is begun. The exception is raised itself, not in a group."""
    failure = LookupError("one item")
    begun: list[int] = []
    stop = threading.Event()

    def work(item: int) -> None:
        begun.append(item)
        # The items behind it wait until the caller knows the exception.
        assert item == 0 or stop.wait(PATIENCE)
        raise failure

    with pytest.raises(LookupError) as caught:
        in_threads(work, range(100), 1, stop)
    assert caught.value is failure
    assert len(begun) <= 2
    begun.clear()

    async def work_in_task(item: int) -> None:
        work(item)

    with pytest.raises(LookupError) as caught:
        anyio.run(in_tasks, work_in_task, range(100), 1)
    assert caught.value is failure
    assert begun == [0]


@pytest.mark.parametrize("raising", [0, 1])
def test_running_items_finish_after_an_exception(raising: int) -> None:
    """If the work on one item raises, `stop` is set at once, and the items that are worked on at that time finish."""
    finished: list[int] = []
    stop, both = threading.Event(), threading.Barrier(2)

    def work(item: int) -> None:
        both.wait(PATIENCE)
        if item == raising:
            raise LookupError
        assert stop.wait(PATIENCE)
        finished.append(item)

    with pytest.raises(LookupError):
        in_threads(work, range(4), 2, stop)
    assert finished == [1 - raising]


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows, a program cannot send a signal to one thread")
def test_ctrl_c_ends_the_work() -> None:
    """After Ctrl-C, `stop` is set, the items that run finish, and no other item is begun."""
    begun: list[int] = []
    stop, both = threading.Event(), threading.Barrier(2)
    main_thread = threading.get_ident()

    def work(item: int) -> None:
        begun.append(item)
        both.wait(PATIENCE)
        if item == 0:
            signal.pthread_kill(main_thread, signal.SIGINT)
        assert stop.wait(PATIENCE)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            in_threads(work, range(4), 2, stop)
    finally:
        signal.signal(signal.SIGINT, before)
    assert sorted(begun) == [0, 1]


def test_wait_ends_when_the_job_stops() -> None:
    """A wait ends after its time, or as soon as the job stops, and says which of both."""
    stop = threading.Event()
    assert wait(stop, 0.01) is False
    stop.set()
    assert wait(stop, PATIENCE) is True
