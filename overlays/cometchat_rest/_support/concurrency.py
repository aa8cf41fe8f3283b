"""The same work for many items, so many at a time: in threads, and in tasks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio

from .threads import without_signals

T = TypeVar("T")
R = TypeVar("R")

#: How many at a time unless told otherwise, and at most: a client's pool holds no more connections.
DEFAULT_CONCURRENCY, MAX_CONCURRENCY = 8, 100


def in_threads(work: Callable[[T], R], items: Sequence[T], concurrency: int) -> list[R]:
    """What `work` returns for each item, in their order.

    If it raises for one of them, or Ctrl-C comes, nothing more is begun, and what has begun is waited for. A single
    item needs no thread: Ctrl-C then ends the work at once.
    """
    if len(items) == 1:
        return [work(items[0])]
    from concurrent import futures  # noqa: PLC0415 - most programs do one thing after another

    threads = futures.ThreadPoolExecutor(max(1, min(concurrency, len(items))), thread_name_prefix="cometchat-rest")
    try:
        with without_signals():
            begun = [threads.submit(work, item) for item in items]
        done, _ = futures.wait(begun, return_when=futures.FIRST_EXCEPTION)
        for each in done:
            each.result()
        return [each.result() for each in begun]
    finally:
        threads.shutdown(cancel_futures=True)


async def in_tasks(work: Callable[[T], Awaitable[R]], items: Sequence[T], concurrency: int) -> list[R]:
    """What `work` returns for each item, in their order.

    If it raises for one of them, all others are cancelled, and what it raised is raised by itself and not in a group.
    """
    results: dict[int, R] = {}
    # Shared by all workers: each takes the next item when it is done with one.
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
