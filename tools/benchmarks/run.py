"""Measures this package and plain httpx on loopback, and prints the table of docs/performance.md.

python tools/benchmarks/run.py [--rounds N] [--fast]       `--fast` installs the extra `fast`

The result is the CPU time of the client's process. In each round, each contender does one slice of
each row, in random order. Ratios are taken within a round, so that a slow phase of the machine
affects all contenders. The contenders run in an environment that has only the wheel of this package
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
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from worker import ROWS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BASE = "httpx"
#: The modules in contenders/, by the names of the packages.
CONTENDERS = {BASE: "httpx_plain", "cometchat-rest": "cometchat_rest"}
#: The CPU seconds of each contender.
Costs = dict[str, float]


def environment(folder: Path, *, fast: bool) -> Path:
    """Make the environment of the contenders in a folder; return its Python."""
    _run("tools.release.distributions", folder)
    (wheel,) = folder.glob("cometchat_rest-*.whl")
    home = folder / "environment"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    _run("uv", "venv", "--quiet", "--python", sys.executable, home)
    install = ["pip", "install", "--quiet", "--python", python]
    locked = ROOT / "requirements" / "dev.txt"
    _run("uv", *install, "--constraint", locked, f"{wheel}[fast]" if fast else wheel)
    return python


def _run(module: str, *arguments: str | Path) -> None:
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


class Process:
    """A process that writes a number for each line it reads, and ends when its input ends."""

    def __init__(self, stack: ExitStack, *command: str | Path) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        process = subprocess.Popen(command, **pipes, text=True, cwd=HERE)
        self._process = stack.enter_context(process)

    def read(self) -> float:
        """Read the next number."""
        return float(self._process.stdout.readline())

    def ask(self, question: str) -> float:
        """Send one line, and read one number."""
        print(question, file=self._process.stdin, flush=True)
        return self.read()


def measure(workers: dict[str, Process], rounds: int) -> dict[str, list[Costs]]:
    """Return the costs in each round, by row."""
    for worker in workers.values():
        # The first processes compile the files.
        worker.ask("process")
    seconds: dict[str, list[Costs]] = {row: [] for row in ROWS}
    shuffled = random.Random(0)  # noqa: S311 - a random order, not a secret
    for number in range(1, rounds + 1):
        print(f"\rround {number} of {rounds}", end="", flush=True)
        for row, costs in seconds.items():
            names = shuffled.sample(list(workers), len(workers))
            costs.append({name: workers[name].ask(row) for name in names})
    print()
    return seconds


def table(seconds: dict[str, list[Costs]]) -> str:
    """Return a line for each row, with a column for each contender."""
    names = [name for name in CONTENDERS if name != BASE]
    lines = [_line(["work", f"{BASE}, ms", *names]), "|" + "---|" * (len(names) + 2)]
    for row, costs in seconds.items():
        title, repeats = ROWS[row]
        of_base = median(cost[BASE] for cost in costs) / repeats * 1000
        ratios = [_ratio([cost[name] / cost[BASE] for cost in costs]) for name in names]
        lines.append(_line([title, f"{of_base:.2f}", *ratios]))
    return "\n".join(lines)


def _ratio(ratios: list[float]) -> str:
    low, middle, high = quantiles(ratios, n=4, method="inclusive")
    return f"{middle:.2f} ({low:.2f}-{high:.2f})"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


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
    with TemporaryDirectory() as folder, ExitStack() as stack:
        python = environment(Path(folder), fast=options.fast)
        port = Process(stack, sys.executable, HERE / "server.py").read()
        os.environ["BASE_URL"] = f"http://127.0.0.1:{port:.0f}/v3"
        workers = {
            name: Process(stack, python, HERE / "worker.py", module)
            for name, module in CONTENDERS.items()
        }
        print(table(measure(workers, options.rounds)))
    conditions = [
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()} {platform.release()}",
        f"CPython {platform.python_version()}",
        f"{options.rounds} rounds",
        ", ".join(f"{name} {metadata.version(name)}" for name in CONTENDERS),
    ]
    print(f"\nMeasured on {datetime.now(UTC).date()}: {'; '.join(conditions)}.")


if __name__ == "__main__":
    main()
