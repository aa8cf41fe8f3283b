"""Work on many items in threads or tasks: order, limit, and the end after an exception."""

import signal
import sys
import threading
from types import FrameType

import anyio
import anyio.lowlevel
import httpx
import pytest

from cometchat_rest import Client
from cometchat_rest._support.concurrency import in_tasks, in_threads
from cometchat_rest.testing import Simulator

from .._call.wire_support import PATIENCE, run_script
from ..support import TOKEN, make_response


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

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise failure

    with pytest.raises(LookupError) as caught:
        in_threads(work, range(100), 1)
    assert caught.value is failure
    assert begun == [0]
    begun.clear()

    async def work_in_task(item: int) -> None:
        work(item)

    with pytest.raises(LookupError) as caught:
        anyio.run(in_tasks, work_in_task, range(100), 1)
    assert caught.value is failure
    assert begun == [0]


def test_running_items_are_waited_for_after_an_exception() -> None:
    """If the work on one item raises, the items that are worked on at that time are finished first."""
    finished: list[int] = []
    both = threading.Barrier(2)

    def work(item: int) -> None:
        both.wait(PATIENCE)
        if item == 0:
            raise LookupError
        # The caller has time to notice the exception.
        threading.Event().wait(0.1)
        finished.append(item)

    with pytest.raises(LookupError):
        in_threads(work, range(4), 2)
    assert finished == [1]


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows, a program cannot send a signal to one thread")
def test_signal_in_another_thread_ends_the_work() -> None:
    """If a worker receives a signal, the caller handles it at once. The caller starts no other item, and asks the items
    that run to stop."""
    begun: list[int] = []
    arrived: list[bool] = []
    both = threading.Barrier(2)
    interrupted, stopped = threading.Event(), threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        interrupted.set()
        signal.default_int_handler(number, frame)

    def work(item: int) -> None:
        begun.append(item)
        both.wait(PATIENCE)
        if item == 0:
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        arrived.append(interrupted.wait(PATIENCE) and stopped.wait(PATIENCE))

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            in_threads(work, range(4), 2, stopped.set)
    finally:
        signal.signal(signal.SIGINT, before)
    assert arrived == [True, True]
    assert sorted(begun) == [0, 1]


INTERRUPTED = """
import faulthandler, sys, time
from cometchat_rest._support.concurrency import in_threads

class Interruption(BaseExceptionGroup):
    pass

begun, ended = [], []

def work(item):
    begun.append(item)
    # The first worker ends while the second one is still at work.
    time.sleep(0.005 if item == 1 else 0)
    ended.append(item)

def is_interrupted(place):
    visited = 0

    def trace(frame, event, _):
        nonlocal visited
        frame.f_trace_opcodes = True
        visited += event == "opcode"
        if visited == place:
            raise Interruption("", [KeyboardInterrupt()])
        return trace

    sys._getframe().f_trace_opcodes = True  # before `settrace`, or Python 3.12 reports no instruction
    sys.settrace(trace)
    try:
        in_threads(work, range(4), 2)
    except Interruption:
        return True
    finally:
        sys.settrace(None)
    return False

faulthandler.dump_traceback_later(40, exit=True)
place = 1
while is_interrupted(place):
    assert sorted(begun) == sorted(ended), f"items are still worked on after an interruption at place {place}"
    place += 1
print(place > 100, flush=True)
"""


def test_interruption_at_any_instruction_loses_no_thread() -> None:
    """Wherever an exception of a signal handler comes, running items are finished, and the program can end."""
    done = run_script(INTERRUPTED)
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows gives signals to no thread")
def test_threads_that_make_calls_have_the_signals_of_the_caller(simulator: Simulator) -> None:
    """Threads that make calls block the same signals as the caller, and the caller's signals stay as they are."""
    blocked: list[set[signal.Signals]] = []

    class Transport(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            assert request.method == "DELETE"
            blocked.append({signal.Signals(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, ())})
            return make_response(200, {"data": {"success": True, "message": ""}})

    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with Client(base_url=simulator.base_url, api_key=simulator.api_key, transport=Transport()) as chat:
        chat.auth_tokens.revoke_all([("alice", TOKEN), ("bob", TOKEN)])
    assert len(blocked) == 2
    assert all(each == before for each in blocked)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
