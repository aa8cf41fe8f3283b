"""Does one slice of the work of a contender for each command, and returns its cost.

python worker.py CONTENDER BASE_URL     reads JSON arrays, [name, argument...], and writes JSON values, one per line
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
from importlib import import_module, metadata
from typing import Any

import server
from contenders import Contender
from rows import CONCURRENCY, CSV, PATIENCE, ROWS, check_keyword_list, check_records


class Worker:
    """One contender with open connections."""

    def __init__(self, name: str, base_url: str) -> None:
        self._base_url = base_url
        kind: type[Contender] = import_module(f"contenders.{name}").CONTENDER
        self._contender = kind(base_url)
        self._loop = asyncio.new_event_loop()

    def about(self) -> tuple[str, str | None]:
        """Return the package of this contender, and its version if it is installed."""
        package = self._contender.package
        try:
            return package, metadata.version(package)
        except metadata.PackageNotFoundError:
            return package, None

    def check(self) -> None:
        """Fail unless each response is that of the server."""
        contender = self._contender
        check_keyword_list(contender.keyword_list(contender.get()))
        check_records(contender.records(contender.reviewed(server.RECORDS)), server.RECORDS)
        check_keyword_list(contender.keyword_list(contender.put(CSV)))
        for result in self._loop.run_until_complete(self._concurrency(CONCURRENCY)):
            check_keyword_list(contender.keyword_list(result))

    def slice(self, row: str) -> float:
        """Seconds of CPU for one slice of a row."""
        count = ROWS[row].repeats
        contender = self._contender
        if row == "D":
            return _import_seconds(contender.importing)
        if row == "F":
            return self._process_seconds()
        work: dict[str, Callable[[], Any]] = {
            "A": contender.get,
            "B": lambda: contender.reviewed(server.RECORDS),
            "C": lambda: self._loop.run_until_complete(self._concurrency(CONCURRENCY)),
            "E": lambda: contender.put(CSV),
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
    # Collect older objects before the measurement starts.
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


def _import_seconds(statement: str) -> float:
    """Measure an import in a fresh interpreter, without the start of Python, which is equal for all contenders."""
    program = f"import time\nbegan = time.process_time()\n{statement}\nprint(time.process_time() - began)"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
    return float(done.stdout)


def main() -> None:
    """Execute commands until the input ends."""
    worker = Worker(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(getattr(worker, name)(*arguments)), flush=True)
    worker.close()


if __name__ == "__main__":
    main()
