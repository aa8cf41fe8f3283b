"""The same work for many items, several at a time: in threads, and in tasks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio

T = TypeVar("T")
R = TypeVar("R")

#: How many items at a time by default, and at most: the pool of a client holds no more connections.
DEFAULT_CONCURRENCY, MAX_CONCURRENCY = 8, 100

# The system may deliver a signal to any thread, and Python acts on it in the main thread, which must not sleep for
# long. The threads cannot block signals: a program that the caller's work starts in one of them would block them too.
_SIGNAL_CHECK = 0.25


def in_threads(work: Callable[[T], R], items: Sequence[T], concurrency: int) -> list[R]:
    """The results of `work` for each item, in the order of the items.

    If it raises for an item, or on Ctrl-C, no further item is begun, and the running ones are waited for. A single
    item needs no thread: Ctrl-C then ends the work at once.
    """
    if len(items) == 1:
        return [work(items[0])]
    from concurrent import futures  # noqa: PLC0415 - most programs do one thing after another

    threads = futures.ThreadPoolExecutor(max(1, min(concurrency, len(items))), thread_name_prefix="cometchat-rest")
    try:
        running = [threads.submit(work, item) for item in items]
        done, pending = futures.wait(running, timeout=_SIGNAL_CHECK, return_when=futures.FIRST_EXCEPTION)
        while pending and not any(each.exception() for each in done):
            done, pending = futures.wait(running, timeout=_SIGNAL_CHECK, return_when=futures.FIRST_EXCEPTION)
        for each in done:
            each.result()
        return [each.result() for each in running]
    finally:
        threads.shutdown(cancel_futures=True)


async def in_tasks(work: Callable[[T], Awaitable[R]], items: Sequence[T], concurrency: int) -> list[R]:
    """The results of `work` for each item, in the order of the items.

    If it raises for an item, all others are cancelled, and its exception is raised by itself and not in a group.
    """
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
