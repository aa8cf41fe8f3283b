"""Work on many items in threads or tasks: order, limit, and the end after an exception."""

import threading

import anyio
import anyio.lowlevel
import pytest

from cometchat_runtime.concurrency import in_threads, wait
from cometchat_runtime.tasks import in_tasks

from ..support import PATIENCE


def test_exception_ends_the_work() -> None:
    """If the work on one item raises, no other item is begun. The exception is raised itself,
    not in a group."""
    begun: list[int] = []

    async def work(item: int) -> None:
        begun.append(item)
        raise LookupError

    with pytest.raises(LookupError):
        anyio.run(in_tasks, work, range(100), 1)
    assert begun == [0]


@pytest.mark.parametrize("raising", [0, 1])
def test_running_items_finish_after_an_exception(raising: int) -> None:
    """If the work on one item raises, `stop` is set at once, and the items that are worked on at
    that time finish."""
    finished: list[int] = []
    stop, both = threading.Event(), threading.Barrier(2)

    def work(item: int) -> None:
        both.wait(PATIENCE)
        if item == raising:
            raise LookupError
        assert stop.wait(PATIENCE)
        finished.append(item)

    with pytest.raises(LookupError):
        in_threads(work, range(2), 2, stop)
    assert finished == [1 - raising]


class Recorded(threading.Event):
    """An event that records the threads that set it."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[threading.Thread] = []

    def set(self) -> None:
        self.threads.append(threading.current_thread())
        super().set()


def test_thread_that_fails_ends_the_job() -> None:
    """If the work on one item raises, its own thread ends the job, before the calling thread
    wakes up: the other threads begin no further item in between."""
    stop = Recorded()

    def work(item: int) -> None:
        if item == 0:
            raise LookupError

    with pytest.raises(LookupError):
        in_threads(work, range(100), 2, stop)
    assert stop.threads[0] is not threading.current_thread()


class SlowToEnd(threading.Event):
    """The thread that sets the event first goes on after a second thread has set it too."""

    def __init__(self) -> None:
        super().__init__()
        self.again = threading.Event()

    def set(self) -> None:
        if self.is_set():
            self.again.set()
        else:
            super().set()
            assert self.again.wait(PATIENCE)


def test_first_error_is_raised() -> None:
    """The error that ended the job is raised, also if the work on another item fails because of
    it, and its thread is faster."""
    stop = SlowToEnd()
    both_run = threading.Barrier(2)

    def work(item: int) -> None:
        both_run.wait(PATIENCE)
        if item == 0:
            raise LookupError
        assert stop.wait(PATIENCE)
        raise InterruptedError

    with pytest.raises(LookupError):
        in_threads(work, range(2), 2, stop)


def test_wait_ends_when_the_job_stops() -> None:
    """A wait ends after its time, or as soon as the job stops, and says which of both."""
    stop = threading.Event()
    assert wait(stop, 0.01) is False
    stop.set()
    assert wait(stop, PATIENCE) is True
