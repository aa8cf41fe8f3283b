"""Counts the work of rows Am, B and D without a clock, so that a test notices an increase.

python benchmarks/budgets.py            count, and store the counts as budgets for this Python version
python benchmarks/budgets.py --count    count, and print

With the same Python version and the same dependencies, the counts are equal on every run and every machine.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

BUDGETS = Path(__file__).resolve().parent.parent / "tests" / "package" / "budgets.json"
#: The budgets belong to one Python version, because instructions differ between versions.
PYTHON = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
RECORDS = 200
# The garbage collector runs once for this number of new container objects.
_PER_COLLECTION = 50
_SECONDS = 120

Counts = dict[str, int]


def calls(work: Callable[[], Any]) -> Counts:
    """Count the calls of Python functions and of C functions."""
    found = Counter[str]()

    def see(_frame: FrameType, event: str, _argument: object) -> None:
        found[event] += 1

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    # One call of a C function ends the count.
    return {"calls of Python": found["call"], "calls of C": found["c_call"] - 1}


def instructions(work: Callable[[], Any]) -> Counts:
    """Count the Python instructions, without those that find and load modules."""
    found = Counter[str]()

    def see(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "call":
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        found[event] += 1
        return see

    sys.settrace(see)
    try:
        work()
    finally:
        sys.settrace(None)
    return {"instructions": found["opcode"]}


def allocations(work: Callable[[], Any]) -> Counts:
    """Count the new container objects, in steps, and the bytes that the result holds."""
    gc.collect()
    usual = gc.get_threshold()
    gc.set_threshold(_PER_COLLECTION, 2**30, 2**30)
    before = gc.get_stats()[0]["collections"]
    work()
    collections = gc.get_stats()[0]["collections"] - before
    gc.set_threshold(*usual)
    gc.collect()
    tracemalloc.start()
    kept = work()
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return {"objects": collections * _PER_COLLECTION, "bytes kept": held}


def count_calls() -> dict[str, Counts]:
    """Rows Am and B, over a transport without a socket."""
    import httpx  # noqa: PLC0415 - this program counts row D too, which must start without loaded modules
    import server  # noqa: PLC0415

    from cometchat_rest import Client  # noqa: PLC0415

    def respond(request: httpx.Request) -> httpx.Response:
        target = request.url.raw_path.decode("ascii")
        if target not in bodies:
            bodies[target] = json.dumps(server.document(target)).encode()
        return httpx.Response(200, content=bodies[target])

    # The budgets are for the standard parser.
    sys.modules["msgspec"] = None
    bodies: dict[str, bytes] = {}
    with Client(base_url="http://127.0.0.1:9/v3", api_key="key", transport=httpx.MockTransport(respond)) as client:
        rows: dict[str, Callable[[], Any]] = {
            "Am": lambda: client.keywords.get("profanity-list"),
            "B": lambda: client.reviewed_messages.list(limit=RECORDS),
        }
        counts = {}
        for name, work in rows.items():
            # Do not count work that happens once, such as filling a cache.
            work()
            work()
            counts[name] = calls(work) | instructions(work)
        counts["B"] |= allocations(rows["B"])
    return counts


def count_import(statement: str) -> Counts:
    """Row D: the modules and instructions of an import, in a fresh interpreter."""
    # httpcore loads socksio if it is installed; here only the tests need it.
    sys.modules["socksio"] = None
    before = len(sys.modules)
    counts = instructions(lambda: exec(statement, {}))  # noqa: S102 - one of the two statements below
    return {"modules": len(sys.modules) - before} | counts


_PARTS: dict[str, Callable[[], dict[str, Counts]]] = {
    "calls": count_calls,
    "D": lambda: {"D": count_import("import cometchat_rest")},
    "D2": lambda: {"D2": count_import("from cometchat_rest import Client, WordListInput")},
}


def count() -> dict[str, Counts]:
    """Count all rows, each part in a fresh interpreter with a fixed hash seed."""
    counts: dict[str, Counts] = {}
    for part in _PARTS:
        command = [sys.executable, str(Path(__file__).resolve()), "--part", part]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS)
        if done.returncode:
            sys.exit(done.stderr)
        counts |= json.loads(done.stdout)
    return counts


def main() -> None:
    """Count, then store or print."""
    if sys.argv[1:2] == ["--part"]:
        print(json.dumps(_PARTS[sys.argv[2]]()))
    elif sys.argv[1:] == ["--count"]:
        print(json.dumps(count(), indent=2))
    elif not sys.argv[1:]:
        stored = json.loads(BUDGETS.read_text("utf-8")) if BUDGETS.exists() else {}
        BUDGETS.write_text(json.dumps(dict(sorted((stored | {PYTHON: count()}).items())), indent=2) + "\n", "utf-8")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
