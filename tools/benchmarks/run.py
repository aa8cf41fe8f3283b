"""Measures this package and other clients on loopback.

python tools/benchmarks/run.py            all contenders; prints the table of docs/performance.md
python tools/benchmarks/run.py --quick    this package and the base in few rounds

The result is the CPU time of the client's process. In each round, each contender does one slice of
each row, in random order. Ratios are taken within a round, so that a slow phase of the machine
affects all contenders.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import report
import stock
from processes import Server, Worker
from rows import PROCESS, ROWS

BASE, OURS = "httpx", "cometchat-rest"
#: The modules in contenders/, by the names of the packages.
CONTENDERS = {BASE: "httpx_plain", OURS: "cometchat_rest", "openapi-python-client": "generated"}


def measure(workers: dict[str, Worker], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the CPU seconds of every slice, by row and contender."""
    seconds: dict[str, dict[str, list[float]]] = {
        row: {name: [] for name in workers} for row in ROWS
    }
    for worker in workers.values():
        worker.ask("check")
    # One process without measurement compiles the files; the other rows do their work once before
    # each slice.
    for worker in workers.values():
        worker.ask("slice", PROCESS)
    shuffled = random.Random(0)  # noqa: S311 - a random order, not a secret
    for number in range(rounds):
        print(
            f"\rround {number + 1} of {rounds}",
            end="\n" if number + 1 == rounds else "",
            flush=True,
        )
        for row, by_contender in seconds.items():
            if row == PROCESS and number % 2:
                continue
            for name in shuffled.sample(list(by_contender), len(by_contender)):
                by_contender[name].append(workers[name].ask("slice", row))
    return seconds


def side_by_side(names: tuple[str, ...], rounds: int, base_url: str) -> dict[str, Any]:
    """Return the numbers of the table."""
    with ExitStack() as stack:
        workers = {name: stack.enter_context(Worker(CONTENDERS[name], base_url)) for name in names}
        seconds = measure(workers, rounds)
        memory = {name: worker.ask("memory") for name, worker in workers.items()}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": (
            f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}"
            f" {platform.release()}"
        ),
        "python": platform.python_version(),
        "rounds": rounds,
        "contenders": {name: f"{name} {metadata.version(name)}" for name in names},
        "ratios": report.ratios(seconds, BASE),
        "milliseconds": report.milliseconds(seconds),
        "memory": memory,
    }


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="measure only this package and the base, in few rounds"
    )
    options = parser.parse_args()
    rounds = 8 if options.quick else 20
    began = time.monotonic()
    with TemporaryDirectory() as folder, Server() as server:
        stock.generate(Path(folder))
        results = side_by_side(
            (BASE, OURS) if options.quick else tuple(CONTENDERS), rounds, server.base_url
        )
    print(report.table(results))
    print(f"{time.monotonic() - began:.0f} seconds")


if __name__ == "__main__":
    main()
