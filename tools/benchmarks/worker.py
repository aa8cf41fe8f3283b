"""Does one slice of the work of a contender for each command, and writes its cost.

python worker.py CONTENDER BASE_URL reads the keys of ROWS, and `memory`, one per line
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Sized
from importlib import import_module
from typing import NamedTuple

from contenders import ReadyTransport, Work
from server import KEYWORD_LIST, RECORDS, TERMS


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


def _at_a_time(work: Work) -> Callable[[], list[Sized]]:
    loop = asyncio.new_event_loop()

    async def calls() -> list[Sized]:
        return await asyncio.gather(*(work.get_awaited() for _ in range(_CONCURRENCY)))

    return lambda: loop.run_until_complete(calls())


def _cpu_seconds(work: Callable[[], Sized], count: int) -> float:
    # Open connections again that were closed in the meantime, and collect older objects.
    work()
    gc.collect()
    began = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - began


def _process_seconds(program: str, count: int) -> float:
    """Seconds of CPU, of the user and of the system, for some processes."""
    seconds = 0.0
    for _ in range(count):
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0, program
        seconds += usage.ru_utime + usage.ru_stime
    return seconds


def _memory(work: Callable[[], Sized]) -> int:
    """The bytes that the result holds."""
    # One run before the measurement creates the permanent objects, such as caches.
    work()
    gc.collect()
    tracemalloc.start()
    result = work()
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return kept


def main() -> None:
    """Execute commands until the input ends."""
    name, base_url = sys.argv[1:]
    contender = import_module(f"contenders.{name}")
    transport = ReadyTransport(json.dumps({"data": KEYWORD_LIST}).encode())
    work: Work = contender.work(base_url, transport, RECORDS)
    calls = {**work._asdict(), "get_awaited": _at_a_time(work)}
    programs = {
        "import": contender.IMPORTING,
        "process": contender.FIRST_RESPONSE.format(base_url=base_url),
    }
    assert len(work.records()) == RECORDS
    for result in (work.get(), work.get_ready(), work.put(), *calls["get_awaited"]()):
        assert result == TERMS
    for line in sys.stdin:
        row = line.strip()
        if row == "memory":
            cost: float = _memory(work.records)
        elif row in programs:
            cost = _process_seconds(programs[row], ROWS[row].repeats)
        else:
            cost = _cpu_seconds(calls[row], ROWS[row].repeats)
        print(cost, flush=True)


if __name__ == "__main__":
    main()
