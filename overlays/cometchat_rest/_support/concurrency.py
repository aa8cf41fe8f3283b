"""The same work for many items, several at a time: in threads, and in tasks."""

from __future__ import annotations

from _thread import start_new_thread
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import TypeVar

import anyio

T = TypeVar("T")
R = TypeVar("R")

#: How many items at a time by default, and at most. The pool of a client has as many connections as this maximum.
DEFAULT_CONCURRENCY, MAX_CONCURRENCY = 8, 100

# The system may deliver a signal to any thread, and Python acts on it in the main thread, which must not sleep for
# long. The threads cannot block signals: a program that the caller's work starts in one of them would block them too.
_SIGNAL_CHECK = 0.25


def wait(stop: Event, seconds: float) -> bool:
    """Wait, or until `stop` is set; returns whether it is set."""
    end = monotonic() + seconds
    # On some systems Ctrl-C has no effect during a wait, only after it.
    while (left := end - monotonic()) > 0 and not stop.wait(min(left, _SIGNAL_CHECK)):
        pass
    return stop.is_set()


def in_threads(
    work: Callable[[T], R], items: Sequence[T], concurrency: int, stop: Callable[[], object] = lambda: None
) -> list[R]:
    """The results of `work` in order. After an error or Ctrl-C, only running items continue, and `stop` is called."""
    # Without a thread, Ctrl-C ends the work at once.
    if len(items) == 1:
        return [work(items[0])]
    # An exception of a signal handler may come between any two lines of the caller's thread. So only the workers write
    # results, and each change of this state is one step of C code. `threading.Thread` is not used: such an exception
    # during its `start` leaves a lock of Python locked, and the program hangs at exit.
    waiting = deque(enumerate(items))
    results: dict[int, R] = {}
    errors: list[BaseException] = []
    active: list[None] = []  # one entry for each worker that may be at work
    ended: SimpleQueue[None] = SimpleQueue()

    def worker() -> None:
        active.append(None)
        try:
            while waiting:
                try:
                    index, item = waiting.popleft()
                except IndexError:  # another worker took the last item
                    break
                results[index] = work(item)
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            waiting.clear()
            errors.append(error)
            stop()
        active.pop()
        ended.put(None)

    # From Python 3.12, a signal at the end of a loop may be handled outside of the `try` block that the loop is in. So
    # each loop is in a function, and not directly in a `try` block.
    def start() -> None:
        for _ in range(min(concurrency, len(items))):
            # The caller's context, for example its current span; each thread needs a separate copy.
            start_new_thread(copy_context().run, (worker,))

    def wait_until(is_done: Callable[[], bool]) -> None:
        while not is_done():
            try:
                ended.get(timeout=_SIGNAL_CHECK)
            except Empty:
                continue

    try:
        start()
        wait_until(lambda: len(results) == len(items) or (bool(errors) and not active))
    finally:
        waiting.clear()
        if len(results) < len(items):
            stop()
        wait_until(lambda: not active)
    if errors:
        raise errors[0]
    return [results[index] for index in range(len(items))]


async def in_tasks(work: Callable[[T], Awaitable[R]], items: Sequence[T], concurrency: int) -> list[R]:
    """The results of `work` in order. An error cancels the other items, and is raised by itself and not in a group."""
    results: dict[int, R] = {}
    # Shared by all workers: each takes the next item when it has finished one.
    waiting = iter(enumerate(items))

    async def worker() -> None:
        for index, item in waiting:
            results[index] = await work(item)

    raised: BaseException | None = None
    try:
        async with anyio.create_task_group() as tasks:
            for _ in range(min(concurrency, len(items))):
                tasks.start_soon(worker)
    except BaseExceptionGroup as group:
        raised = group.exceptions[0]
    if raised is not None:
        raise raised
    return [results[index] for index in range(len(items))]
