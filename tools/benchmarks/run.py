"""Measures this package and plain httpx on loopback, and prints the table of docs/performance.md.

python -m tools.benchmarks.run [--rounds N] [--fast]       `--fast` installs the extra `fast`

The result is the CPU time of the client's process. In each round of a row, both contenders do one
slice of the work, in random order. Ratios are taken within a round, so that a slow phase of the
machine affects both. The contenders run in an environment that has only the wheel of this package
and its dependencies: httpx loads its own command line if its packages are installed. uv makes it;
`make build` installs uv.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from tools.release.installed import Environment, locked

from . import server
from .worker import ROWS

#: The modules in contenders/.
BASE, OURS = "httpx_plain", "cometchat_rest"


class Worker:
    """A process that does the work of a contender."""

    def __init__(self, python: Path, contender: str) -> None:
        self._process = subprocess.Popen(
            [python, "-m", "tools.benchmarks.worker", contender],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self, row: str) -> float:
        """Do one slice of a row, and return its CPU seconds."""
        print(row, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())


def measure(workers: dict[str, Worker], row: str) -> dict[str, float]:
    """Do one slice with each contender, in random order, and return the CPU seconds."""
    order = random.sample(list(workers), len(workers))
    return {contender: workers[contender].measure(row) for contender in order}


def line(row: str, rounds: list[dict[str, float]]) -> str:
    """Return a line of the table: the milliseconds of httpx, and the ratio with its quartiles."""
    title, repeats = ROWS[row]
    milliseconds = median(costs[BASE] for costs in rounds) / repeats * 1000
    ratios = [costs[OURS] / costs[BASE] for costs in rounds]
    low, middle, high = quantiles(ratios, method="inclusive")
    return f"| {title} | {milliseconds:.2f} | {middle:.2f} ({low:.2f}-{high:.2f}) |"


def main() -> None:
    """Measure, and print the table and the conditions of the measurement."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20, help="default: 20")
    parser.add_argument("--fast", action="store_true", help="install the extra `fast`")
    options = parser.parse_args()
    # Each new process would compile its modules if Python did not keep the compiled files.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["BASE_URL"] = server.start()
    with TemporaryDirectory() as folder:
        environment = Environment(Path(folder), sys.executable)
        extra = "[fast]" if options.fast else ""
        environment.install(f"{environment.client}{extra}", *locked())
        workers = {name: Worker(environment.python, name) for name in (BASE, OURS)}
        # The first processes compile the files.
        measure(workers, "process")
        print("| work | httpx, ms | cometchat-rest |\n|---|---|---|")
        for row in ROWS:
            rounds = [measure(workers, row) for _ in range(options.rounds)]
            print(line(row, rounds), flush=True)
    machine = f"{os.cpu_count()} cores, {platform.platform()}, Python {platform.python_version()}"
    print(f"\nMeasured on {datetime.now(UTC).date()}: {machine}, {options.rounds} rounds.")


if __name__ == "__main__":
    main()
