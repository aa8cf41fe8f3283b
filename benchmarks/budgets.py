"""Counts what rows Am, B and D take, without a clock, so that a test can tell when they take more.

python benchmarks/budgets.py            count, and store the counts as the budgets of this version of Python
python benchmarks/budgets.py --count    count, and print

On one version of Python and one set of dependencies the counts come out the same each time and on each machine.
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
#: The version of Python that budgets belong to: its instructions differ from those of others.
PYTHON = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
RECORDS = 200
# The collector runs once for so many objects that can hold others.
_PER_COLLECTION = 50
_SECONDS = 120

Counts = dict[str, int]


def calls(work: Callable[[], Any]) -> Counts:
    """How many functions are called, those of Python and those of C."""
    found = Counter[str]()

    def see(_frame: FrameType, event: str, _argument: object) -> None:
        found[event] += 1

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    # One of C is the call that ends the counting.
    return {"calls of Python": found["call"], "calls of C": found["c_call"] - 1}


def instructions(work: Callable[[], Any]) -> Counts:
    """How many instructions of Python are carried out, those that find and load modules aside."""
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
    """How many objects are made that the garbage collector watches, in steps, and what the result holds."""
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
    import httpx  # noqa: PLC0415 - row D is counted by this program too, and must find nothing loaded
    import server  # noqa: PLC0415

    from cometchat_rest import Client  # noqa: PLC0415

    def answer(request: httpx.Request) -> httpx.Response:
        target = request.url.raw_path.decode("ascii")
        if target not in bodies:
            bodies[target] = json.dumps(server.document(target)).encode()
        return httpx.Response(200, content=bodies[target])

    bodies: dict[str, bytes] = {}
    with Client(base_url="http://127.0.0.1:9/v3", api_key="key", transport=httpx.MockTransport(answer)) as client:
        rows: dict[str, Callable[[], Any]] = {
            "Am": lambda: client.keywords.get("profanity-list"),
            "B": lambda: client.reviewed_messages.list(limit=RECORDS),
        }
        counts = {}
        for name, work in rows.items():
            # What is made once, such as a cache, is not to be counted.
            work()
            work()
            counts[name] = calls(work) | instructions(work)
        counts["B"] |= allocations(rows["B"])
    return counts


def count_import(statement: str) -> Counts:
    """Row D: what an import loads and carries out, in a fresh interpreter."""
    # httpcore loads it wherever it is; it is here for the tests.
    sys.modules["socksio"] = None
    before = len(sys.modules)
    counts = instructions(lambda: exec(statement, {}))  # noqa: S102 - one of the two below
    return {"modules": len(sys.modules) - before} | counts


_PARTS: dict[str, Callable[[], dict[str, Counts]]] = {
    "calls": count_calls,
    "D": lambda: {"D": count_import("import cometchat_rest")},
    "D2": lambda: {"D2": count_import("from cometchat_rest import Client, WordListInput")},
}


def count() -> dict[str, Counts]:
    """All rows, each part in an interpreter that has loaded nothing yet, and that hashes the same each time."""
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
    """Count, and store or print."""
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
