"""Does one slice of the work of a contender for each command, and returns its cost.

python worker.py CONTENDER BASE_URL reads JSON arrays, [name, argument...], and writes JSON values,
one per line
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
from collections.abc import Callable
from importlib import import_module
from typing import Any

import server
from contenders import Contender
from rows import CONCURRENCY, CSV, PROCESS, ROWS


class Worker:
    """One contender with open connections."""

    def __init__(self, name: str, base_url: str) -> None:
        self._base_url = base_url
        kind: type[Contender] = import_module(f"contenders.{name}").CONTENDER
        self._contender = kind(base_url)
        self._loop = asyncio.new_event_loop()

    def check(self) -> None:
        """Fail unless each response is that of the server."""
        contender = self._contender
        assert len(contender.records(contender.reviewed(server.RECORDS))) == server.RECORDS
        awaited = self._loop.run_until_complete(self._concurrency(CONCURRENCY))
        for result in (contender.get(), contender.put(CSV), *awaited):
            assert contender.terms(result) == server.SEARCH_TERMS

    def slice(self, row: str) -> float:
        """Seconds of CPU for one slice of a row."""
        count = ROWS[row].repeats
        contender = self._contender
        if row == PROCESS:
            return self._process_seconds()
        work: dict[str, Callable[[], Any]] = {
            "A": contender.get,
            "B": lambda: contender.reviewed(server.RECORDS),
            "C": lambda: self._loop.run_until_complete(self._concurrency(CONCURRENCY)),
            "D": lambda: contender.put(CSV),
        }
        return _cpu_seconds(work[row], count)

    def memory(self) -> int:
        """Return the bytes that the records of row B hold."""
        return _memory(lambda: self._contender.reviewed(server.RECORDS))

    async def _concurrency(self, width: int) -> list[Any]:
        return await asyncio.gather(*(self._contender.aget() for _ in range(width)))

    def _process_seconds(self) -> float:
        program = self._contender.first_response.format(base_url=self._base_url)
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        assert child.stdout is not None
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert int(printed) == len(server.SEARCH_TERMS)
        return usage.ru_utime + usage.ru_stime

    def close(self) -> None:
        self._contender.close()
        self._loop.run_until_complete(self._contender.aclose())
        self._loop.close()


def _cpu_seconds(work: Callable[[], Any], count: int) -> float:
    # Open the connections again that were closed during the slices of the others, and collect older
    # objects.
    work()
    gc.collect()
    began = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - began


def _memory(work: Callable[[], Any]) -> int:
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
    worker = Worker(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(getattr(worker, name)(*arguments)), flush=True)
    worker.close()


if __name__ == "__main__":
    main()
