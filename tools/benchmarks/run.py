"""Measures this package and other clients on loopback, and shows how the cost of a call grows.

python tools/benchmarks/run.py            all contenders; writes benchmarks/results.json, the plots in docs/, and the tables
                                    in docs/performance.md and README.md
python tools/benchmarks/run.py --show     writes the plots and the tables again, from benchmarks/results.json
python tools/benchmarks/run.py --quick    this package and the base in few rounds; writes nothing

The result is the CPU time of the client's process. In each round, each contender does one slice of each row, in random
order. Ratios are taken within a round, so that a slow phase of the machine affects all contenders.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import environments
import growth
import report
from processes import HERE, Server, Worker
from rich.console import Console
from rows import PROCESSES, ROWS

BASE, AGAIN, OURS = "httpx", "httpx again", "cometchat-rest"
#: Name: environment, and module in contenders/.
CONTENDERS = {
    BASE: ("httpx", "httpx_plain"),
    AGAIN: ("httpx", "httpx_plain"),
    OURS: ("cometchat-rest", "cometchat_rest"),
    "with msgspec": ("cometchat-rest-fast", "cometchat_rest"),
    "httpx2": ("httpx2", "httpx2_plain"),
    "niquests": ("niquests", "niquests_plain"),
    "pyreqwest": ("pyreqwest", "pyreqwest_plain"),
    "generated": ("generated", "generated"),
    "openapi-generator": ("openapi-generator", "openapi_generator"),
    "openai SDK": ("openai", "openai_sdk"),
}
QUICK = (BASE, AGAIN, OURS)
RESULTS = HERE / "results.json"
DOCS = HERE.parent / "docs"

console = Console(width=None if sys.stdout.isatty() else 160)


def interpreters(names: tuple[str, ...]) -> dict[str, Path]:
    """Return the interpreter of each contender that can run on this machine."""
    found = {}
    for name in names:
        environment = CONTENDERS[name][0]
        if reason := environments.missing(environment):
            console.print(f"[yellow]{name} is skipped: {reason}[/]")
            continue
        with console.status(f"Environment of {name}"):
            found[name] = environments.make(environment)
    return found


def measure(workers: dict[str, Worker], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the CPU seconds of every slice, by row and contender."""
    able = {name: set(worker.ask("check")) for name, worker in workers.items()}
    seconds: dict[str, dict[str, list[float]]] = {
        row: {name: [] for name in workers if row in able[name]} for row in ROWS
    }
    # One slice without measurement opens connections, fills caches and compiles files.
    for row, by_contender in seconds.items():
        for name in by_contender:
            workers[name].ask("slice", row)
    shuffled = random.Random(0)  # noqa: S311 - a random order, not a secret
    with console.status("") as status:
        for number in range(rounds):
            for row, by_contender in seconds.items():
                if row in PROCESSES and number % 2:
                    continue
                status.update(f"Round {number + 1} of {rounds}: {row}")
                names = list(by_contender)
                shuffled.shuffle(names)
                for name in names:
                    by_contender[name].append(workers[name].ask("slice", row))
    return seconds


def side_by_side(names: tuple[str, ...], rounds: int, base_url: str) -> dict[str, Any]:
    """Return the numbers of the table."""
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(Worker(python, CONTENDERS[name][1], base_url))
            for name, python in interpreters(names).items()
        }
        contenders = {name: _about(*worker.ask("about")) for name, worker in workers.items()}
        seconds = measure(workers, rounds)
        memory = {name: worker.ask("memory", "records", 1000)[0] for name, worker in workers.items()}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {_processor()}, {platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "rounds": rounds,
        "contenders": contenders,
        "ratios": report.ratios(seconds, BASE),
        "milliseconds": report.milliseconds(seconds),
        "memory": memory,
    }


def _about(package: str, version: str | None) -> str:
    # openapi-python-client is installed for this program; the contender has only its output.
    return f"{package} {version or metadata.version(package)}"


def _processor() -> str:
    """Return the name of the processor, where the system tells it."""
    information = Path("/proc/cpuinfo")
    names = (
        re.findall(r"^model name\s*: (.+)$", information.read_text("utf-8"), re.MULTILINE)
        if information.exists()
        else []
    )
    return names[0] if names else platform.machine()


def growing(base_url: str) -> dict[str, Any]:
    """Measure how the cost grows, for the base and for this package."""
    found = interpreters((BASE, OURS))
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(Worker(python, CONTENDERS[name][1], base_url)) for name, python in found.items()
        }
        for worker in workers.values():
            worker.ask("check")
        with console.status("How cost grows"):
            return growth.measure(workers, OURS)


def show() -> None:
    """Write the plots and the tables from the stored results."""
    results = json.loads(RESULTS.read_text("utf-8"))
    plot = [str(environments.make("plot")), str(HERE / "plots.py"), str(RESULTS), str(DOCS)]
    subprocess.run(plot, check=True, timeout=120)
    for page in report.PAGES:
        page.write_text(report.with_results(page.read_text("utf-8"), results), "utf-8")


def main() -> None:
    """Measure, show and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="measure only this package and the base, in few rounds")
    parser.add_argument("--show", action="store_true", help="measure nothing; write the plots and the tables again")
    parser.add_argument("--rounds", type=int, help="the number of rounds; default 20, with --quick 8")
    options = parser.parse_args()
    rounds = options.rounds or (8 if options.quick else 20)
    if rounds < 3:
        parser.error("--rounds must be at least 3")
    if options.show:
        show()
        return
    began = time.monotonic()
    with Server() as server:
        results = side_by_side(QUICK if options.quick else tuple(CONTENDERS), rounds, server.base_url)
        console.print(report.table(results, OURS))
        if not options.quick:
            results["growth"] = growing(server.base_url)
            console.print(*growth.tables(results["growth"], OURS), sep="\n")
    if not options.quick:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
        show()
    console.print(f"{time.monotonic() - began:.0f} seconds")
    if targets := report.missed(results, OURS):
        console.print(f"[red]Missed targets: {', '.join(targets)}[/]")


if __name__ == "__main__":
    main()
