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
from contenders import Contender, ReadyTransport
from rows import CONCURRENCY, CSV, ROWS


class Worker:
    """One contender with open connections."""

    def __init__(self, name: str, base_url: str) -> None:
        self._base_url = base_url
        kind: type[Contender] = import_module(f"contenders.{name}").CONTENDER
        document = {"data": server.KEYWORD_LIST}
        transport = ReadyTransport(json.dumps(document).encode())
        self._contender = kind(base_url, transport)
        self._loop = asyncio.new_event_loop()

    def check(self) -> None:
        """Fail unless each response is that of the server."""
        contender = self._contender
        assert len(contender.records(contender.reviewed(server.RECORDS))) == server.RECORDS
        results = [contender.get(), contender.get_ready(), contender.put(CSV)]
        results += self._get_many()
        for result in results:
            assert contender.terms(result) == server.SEARCH_TERMS

    def slice(self, row: str) -> float:
        """Seconds of CPU for one slice of a row."""
        count = ROWS[row].repeats
        contender = self._contender
        match row:
            case "A":
                return _cpu_seconds(contender.get, count)
            case "Am":
                return _cpu_seconds(contender.get_ready, count)
            case "B":
                return _cpu_seconds(self._get_records, count)
            case "C":
                return _cpu_seconds(self._get_many, count)
            case "D":
                return _process_seconds(contender.importing, count)
            case "E":
                return _cpu_seconds(lambda: contender.put(CSV), count)
        program = contender.first_response.format(base_url=self._base_url)
        return _process_seconds(program, count, prints=len(server.SEARCH_TERMS))

    def memory(self) -> int:
        """Return the bytes that the records of row B hold."""
        return _memory(self._get_records)

    def _get_records(self) -> Any:
        return self._contender.reviewed(server.RECORDS)

    def _get_many(self) -> list[Any]:
        async def many() -> list[Any]:
            return await asyncio.gather(*(self._contender.aget() for _ in range(CONCURRENCY)))

        return self._loop.run_until_complete(many())

    def close(self) -> None:
        self._contender.close()
        self._loop.run_until_complete(self._contender.aclose())
        self._loop.close()


def _cpu_seconds(work: Callable[[], Any], count: int) -> float:
    # Open connections again that were closed in the meantime, and collect older objects.
    work()
    gc.collect()
    began = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - began


def _process_seconds(program: str, count: int, *, prints: object = "") -> float:
    """Seconds of CPU, of the user and of the system, for some processes."""
    seconds = 0.0
    for _ in range(count):
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        assert child.stdout is not None
        printed = child.stdout.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert printed.strip() == str(prints)
        seconds += usage.ru_utime + usage.ru_stime
    return seconds


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
        command = getattr(worker, name)
        print(json.dumps(command(*arguments)), flush=True)
    worker.close()


if __name__ == "__main__":
    main()
