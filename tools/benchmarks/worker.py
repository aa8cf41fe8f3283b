"""Does one slice of the work of a contender for each line of its input, which names a row, and
writes its CPU seconds.

python -m tools.benchmarks.worker CONTENDER
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from .server import RECORDS, TERMS


class Row(NamedTuple):
    """One row of the table: its title, and how often one slice repeats the work."""

    title: str
    repeats: int


ROWS = {
    "get": Row("one small GET", 150),
    "get_ready": Row("one small GET, without a socket", 250),
    "records": Row("GET and decode 1,000 records", 4),
    "get_awaited": Row("50 GETs at a time, awaited", 6),
    "import": Row("import the client", 5),
    "put": Row("PUT of a 1 MB CSV", 8),
    "process": Row("process start to first response", 5),
}
_CONCURRENCY = 50


def _works(contender: Any) -> dict[str, Callable[[], object]]:
    """The work of each row. The results are checked once."""
    loop = asyncio.new_event_loop()

    async def at_a_time() -> list[Any]:
        return await asyncio.gather(*(contender.get_awaited() for _ in range(_CONCURRENCY)))

    assert len(contender.records()) == RECORDS
    assert contender.get() == contender.get_ready() == contender.put() == TERMS
    assert loop.run_until_complete(at_a_time()) == [TERMS] * _CONCURRENCY
    return {
        "get": contender.get,
        "get_ready": contender.get_ready,
        "records": contender.records,
        "get_awaited": lambda: loop.run_until_complete(at_a_time()),
        "import": lambda: _run(contender.IMPORTING),
        "put": contender.put,
        "process": lambda: _run(contender.FIRST_RESPONSE),
    }


def _run(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=True)


def _cpu_seconds() -> float:
    """Seconds of CPU of this process, or of its children since they ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def main() -> None:
    """Execute lines until the input ends."""
    works = _works(import_module(f"tools.benchmarks.contenders.{sys.argv[1]}"))
    for line in sys.stdin:
        row = line.strip()
        # Open connections again that were closed in the meantime, and collect older objects.
        works[row]()
        gc.collect()
        began = _cpu_seconds()
        for _ in range(ROWS[row].repeats):
            works[row]()
        print(_cpu_seconds() - began, flush=True)


if __name__ == "__main__":
    main()
