"""Measures this package and other clients on loopback.

python tools/benchmarks/run.py            all contenders; prints the table of docs/performance.md
python tools/benchmarks/run.py --quick    this package and the base in few rounds
python tools/benchmarks/run.py --fast     with the extra `fast`

The result is the CPU time of the client's process. In each round, each contender does one slice of
each row, in random order. Ratios are taken within a round, so that a slow phase of the machine
affects all contenders. The contenders run in an environment of their own, which uv makes; `make
build` installs it.
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

import environment
import report
import stock
from processes import Server, Worker
from rows import PROCESSES, ROWS

BASE = "httpx"
OURS = "cometchat-rest"
#: The modules in contenders/, by the names of the packages.
CONTENDERS = {BASE: "httpx_plain", OURS: "cometchat_rest", "openapi-python-client": "generated"}


def measure(workers: dict[str, Worker], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the CPU seconds of every slice, by row and contender."""
    for worker in workers.values():
        worker.ask("check")
        # The first processes compile the files; the other rows do their work once before each
        # slice.
        for row in PROCESSES:
            worker.ask("slice", row)
    seconds: dict[str, dict[str, list[float]]] = {}
    for row in ROWS:
        seconds[row] = {name: [] for name in workers}
    shuffled = random.Random(0)  # noqa: S311 - a random order, not a secret
    for number in range(1, rounds + 1):
        print(f"\rround {number} of {rounds}", end="", flush=True)
        for row in ROWS:
            for name in shuffled.sample(list(workers), len(workers)):
                seconds[row][name].append(workers[name].ask("slice", row))
    print()
    return seconds


def compare(names: list[str], rounds: int, python: Path, base_url: str) -> str:
    """Return the table, and the conditions of the measurement."""
    with ExitStack() as stack:
        workers = {}
        for name in names:
            worker = Worker(python, CONTENDERS[name], base_url)
            workers[name] = stack.enter_context(worker)
        seconds = measure(workers, rounds)
        memory = {name: worker.ask("memory") for name, worker in workers.items()}
    conditions = [
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()} {platform.release()}",
        f"CPython {platform.python_version()}",
        f"{rounds} rounds",
        ", ".join(f"{name} {metadata.version(name)}" for name in names),
    ]
    today = datetime.now(UTC).date()
    return f"{report.table(seconds, memory)}\n\nMeasured on {today}: {'; '.join(conditions)}."


def main() -> None:
    """Measure, and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--quick", action="store_true", help="measure only this package and the base, in few rounds"
    )
    parser.add_argument("--fast", action="store_true", help="install the extra `fast`")
    options = parser.parse_args()
    names = [BASE, OURS] if options.quick else list(CONTENDERS)
    rounds = 8 if options.quick else 20
    began = time.monotonic()
    with TemporaryDirectory() as temporary, Server() as server:
        folder = Path(temporary)
        python = environment.create(folder, fast=options.fast)
        stock.generate(folder)
        print(compare(names, rounds, python, server.base_url))
    print(f"{time.monotonic() - began:.0f} seconds")


if __name__ == "__main__":
    main()
