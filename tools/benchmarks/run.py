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
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import environment
from worker import ROWS

HERE = Path(__file__).resolve().parent
BASE = "httpx"
OURS = "cometchat-rest"
#: The modules in contenders/, by the names of the packages.
CONTENDERS = {BASE: "httpx_plain", OURS: "cometchat_rest", "openapi-python-client": "generated"}


class Process:
    """A process that writes a number for each line it reads."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def read(self) -> float:
        """Read the next number."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self._process.args!r} ended")
        return float(line)

    def ask(self, question: str) -> float:
        """Send one line, and read one number."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{question}\n")
        self._process.stdin.flush()
        return self.read()


@contextmanager
def started(*command: str | Path) -> Iterator[Process]:
    """Start a process, which ends when its input ends."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, cwd=HERE) as process:
        yield Process(process)


def measure(workers: Mapping[str, Process], rounds: int) -> dict[str, list[dict[str, float]]]:
    """Return the CPU seconds of each contender in each round, by row."""
    for worker in workers.values():
        # The first processes compile the files.
        worker.ask("import")
        worker.ask("process")
    seconds: dict[str, list[dict[str, float]]] = {row: [] for row in ROWS}
    shuffled = random.Random(0)  # noqa: S311 - a random order, not a secret
    for number in range(1, rounds + 1):
        print(f"\rround {number} of {rounds}", end="", flush=True)
        for row, costs in seconds.items():
            names = shuffled.sample(list(workers), len(workers))
            costs.append({name: workers[name].ask(row) for name in names})
    print()
    return seconds


def table(seconds: Mapping[str, Sequence[Mapping[str, float]]], workers: list[str]) -> str:
    """Return a line for each row, with a column for each contender. The first one is the base."""
    base, *names = workers
    lines = [_line(["work", f"{base}, ms", *names]), "|" + "---|" * (len(names) + 2)]
    for row, costs in seconds.items():
        title, repeats = ROWS[row]
        of_base = median(cost[base] for cost in costs) / repeats * 1000
        ratios = [_ratio([cost[name] / cost[base] for cost in costs]) for name in names]
        lines.append(_line([title, f"{of_base:.2f}", *ratios]))
    return "\n".join(lines)


def _ratio(ratios: Sequence[float]) -> str:
    low, middle, high = quantiles(ratios, n=4, method="inclusive")
    return f"{middle:.2f} ({low:.2f}-{high:.2f})"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure, and print the table and the conditions of the measurement."""
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
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        python = environment.create(folder, fast=options.fast)
        environment.generate(folder)
        server = stack.enter_context(started(sys.executable, HERE / "server.py"))
        base_url = f"http://127.0.0.1:{server.read():.0f}/v3"
        workers = {}
        for name in names:
            command = (python, HERE / "worker.py", CONTENDERS[name], base_url)
            workers[name] = stack.enter_context(started(*command))
        print(table(measure(workers, rounds), names))
        sizes = [f"{worker.ask('memory') / 1e6:.1f} MB" for worker in workers.values()]
        print(_line(["memory of the 1,000 records", *sizes]))
    conditions = [
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()} {platform.release()}",
        f"CPython {platform.python_version()}",
        f"{rounds} rounds",
        ", ".join(f"{name} {metadata.version(name)}" for name in names),
    ]
    print(f"\nMeasured on {datetime.now(UTC).date()}: {'; '.join(conditions)}.")


if __name__ == "__main__":
    main()
