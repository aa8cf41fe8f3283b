"""The same work for many items, several at a time, in threads."""

from collections.abc import Callable, Iterable, Sequence
from contextvars import copy_context
from threading import Event, Lock, Thread
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: How many items at a time by default, and at most. The pool of a client has as many connections as
#: this maximum.
DEFAULT_CONCURRENCY = 8
MAX_CONCURRENCY = 100

# The system may deliver a signal to any thread, and on Windows no signal ends a wait. A signal just
# before a wait does not end it either. Python acts on a signal in the main thread, which must not
# sleep for long.
_SIGNAL_CHECK = 0.25


def wait(stop: Event, seconds: float) -> bool:
    """Wait, or until `stop` is set; returns whether it is set."""
    end = monotonic() + seconds
    while not stop.is_set():
        left = end - monotonic()
        if left <= 0:
            break
        stop.wait(min(left, _SIGNAL_CHECK))
    return stop.is_set()


def in_threads(
    work: Callable[[T], R], items: Sequence[T], concurrency: int, stop: Event
) -> list[R]:
    """The results of `work` in order. After an error or Ctrl-C, only running items continue, and
    `stop` is set."""
    if len(items) == 1:
        # Without a thread, Ctrl-C ends the call.
        return [work(items[0])]
    results: dict[int, R] = {}
    # Shared by all workers: each takes the next item when it has finished one.
    waiting = iter(enumerate(items))
    one_at_a_time = Lock()
    # The first error is the one that stopped the others: they fail because `stop` is set.
    errors: list[BaseException] = []
    # The caller's context, for example its current span; each item needs a separate copy.
    context = copy_context()

    def work_on_items() -> None:
        while not stop.is_set():
            with one_at_a_time:
                place = next(waiting, None)
            if place is None:
                return
            index, item = place
            results[index] = context.copy().run(work, item)

    begun: list[Event] = []

    def worker(ended: Event) -> None:
        begun.append(ended)
        try:
            work_on_items()
        except BaseException as error:  # noqa: BLE001 - raised again when all threads have ended
            errors.append(error)
            stop.set()
        finally:
            ended.set()

    try:
        # Not a pool of `concurrent.futures`: it starts no thread once the main thread has ended.
        started = _start(worker, min(concurrency, len(items)))
        if not started:
            worker(Event())
        _wait_for(started)
    except BaseException:
        stop.set()
        # A thread that has not begun finds `stop`, and does no work.
        _wait_for(begun)
        raise
    if errors:
        raise errors[0]
    return [results[index] for index in range(len(items))]


def _start(worker: Callable[[Event], None], count: int) -> list[Event]:
    """Start threads; the result has an event for each, which it sets at its end."""
    started: list[Event] = []
    for _ in range(count):
        ended = Event()
        try:
            Thread(target=worker, args=(ended,)).start()
        except RuntimeError:
            # The system has no further thread, or the program ends: go on with fewer.
            break
        started.append(ended)
    return started


def _wait_for(threads: Iterable[Event]) -> None:
    """Wait for the end of threads.

    `Thread.join` is of no use: in some versions of Python, Ctrl-C during it marks a thread as ended
    that still runs.
    """
    for ended in threads:
        while not ended.is_set():
            ended.wait(_SIGNAL_CHECK)
