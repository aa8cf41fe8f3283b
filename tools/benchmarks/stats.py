"""Compares `reviewed stats` with what a user would do instead: jq, sort and uniq, and a loop in Python.

python tools/benchmarks/stats.py          1,000,000 records; takes some minutes
python tools/benchmarks/stats.py 100000   this number of records

Each way counts the records of each rule in one exported file, in a new process. The table shows CPU seconds and the
peak memory of the largest process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

RECORDS = 1_000_000
_LOOP = """
import collections, json, sys
counts = collections.Counter()
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        counts[json.loads(line)["ruleName"]] += 1
print(counts)
"""
# The unit of ru_maxrss: kilobytes on Linux, bytes on macOS.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def measure(command: list[str]) -> tuple[float, float, int]:
    """The wall time, the CPU time and the peak memory of a command."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * _RSS_UNIT


def main() -> None:
    """Measure, and print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    table = Table("way", "seconds", "CPU s", "peak MB", title=f"Count {count:,} records by rule")
    with TemporaryDirectory() as folder:
        path = Path(folder, "messages.jsonl")
        # Another process writes the file: the memory of this one would count as the peak of its children.
        here = Path(__file__).parent
        subprocess.run([sys.executable, here / "try_list.py", "write", str(count), folder], check=True)
        program = str(Path(sys.executable).with_name("cometchat-rest"))
        ways = {
            "reviewed stats": [program, "reviewed", "stats", str(path)],
            "reviewed stats --by sender": [program, "reviewed", "stats", str(path), "--by", "sender"],
            "Python loop": [sys.executable, "-c", _LOOP, str(path)],
        }
        if shutil.which("jq"):
            ways["jq, sort, uniq"] = ["sh", "-c", f"jq -r .ruleName '{path}' | LC_ALL=C sort | uniq -c"]
        for name, command in ways.items():
            seconds, cpu, peak = measure(command)
            table.add_row(name, f"{seconds:.1f}", f"{cpu:.1f}", f"{peak / 1e6:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
