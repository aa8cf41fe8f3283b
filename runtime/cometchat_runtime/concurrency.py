"""The same work for many items, several at a time, in threads."""

from collections.abc import Callable, Sequence
from concurrent import futures
from contextvars import copy_context
from threading import Event, Lock
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: How many items at a time by default, and at most. The pool of a client has as many connections as
#: this maximum.
DEFAULT_CONCURRENCY = 8
MAX_CONCURRENCY = 100

# The system may deliver a signal to any thread, and on Windows no signal ends a wait. Python acts
# on a signal in the main thread, which must not sleep for long.
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
    # Shared by all workers: each takes the next item when it has finished one. With a future for
    # each item, Ctrl-C could hit the main thread while it holds the locks of thousands of futures.
    waiting = iter(enumerate(items))
    one_at_a_time = Lock()
    # The first error is the one that stopped the others: they fail because `stop` is set.
    errors: list[BaseException] = []
    # The caller's context, for example its current span; each item needs a separate copy.
    context = copy_context()

    def worker() -> None:
        while not stop.is_set():
            with one_at_a_time:
                place = next(waiting, None)
            if place is None:
                return
            index, item = place
            try:
                results[index] = context.copy().run(work, item)
            except BaseException as error:
                errors.append(error)
                stop.set()
                raise

    # No pool can be without threads.
    count = max(1, min(concurrency, len(items)))
    with futures.ThreadPoolExecutor(count) as pool:
        try:
            running = {pool.submit(worker) for _ in range(count)}
            while running and not errors:
                # A signal just before a wait does not end it, so no wait is long.
                _, running = futures.wait(running, _SIGNAL_CHECK, futures.FIRST_EXCEPTION)
        except BaseException:
            stop.set()
            raise
    if errors:
        raise errors[0]
    return [results[index] for index in range(len(items))]
