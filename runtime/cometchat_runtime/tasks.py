"""The same work for many items, several at a time, in tasks of an event loop."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio

T = TypeVar("T")
R = TypeVar("R")


async def in_tasks(
    work: Callable[[T], Awaitable[R]], items: Sequence[T], concurrency: int
) -> list[R]:
    """The results of `work` in order. An error cancels the other items, and is raised by itself
    and not in a group."""
    results: dict[int, R] = {}
    # Shared by all workers: each takes the next item when it has finished one.
    waiting = iter(enumerate(items))

    async def worker() -> None:
        for index, item in waiting:
            results[index] = await work(item)

    try:
        async with anyio.create_task_group() as tasks:
            for _ in range(min(concurrency, len(items))):
                tasks.start_soon(worker)
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    return [results[index] for index in range(len(items))]
