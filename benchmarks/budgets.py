"""Counts the work of rows A, Am, B, C and D without a clock, so that a test notices an increase.

python benchmarks/budgets.py            count, and store the counts as budgets for this Python version
python benchmarks/budgets.py --count    count, and print

With the same Python version and the same dependencies, the counts are equal on every run and every machine.
"""

from __future__ import annotations

import gc
import json
import os
import socketserver
import subprocess
import sys
import threading
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
_AT_ONCE = 10

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


def count_calls_over_sockets() -> dict[str, Counts]:
    """Rows A and C: a call, and ten awaited calls at the same time, over sockets; the event loop is not counted."""
    import anyio  # noqa: PLC0415
    import h11  # noqa: PLC0415
    import server  # noqa: PLC0415

    import cometchat_openapi  # noqa: PLC0415
    import cometchat_rest  # noqa: PLC0415

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            # The head of a GET arrives in one piece.
            while self.request.recv(65_536):
                self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

    body = json.dumps({"data": server.KEYWORD_LIST}).encode()
    packages = (anyio, h11, cometchat_openapi, cometchat_rest)
    ours = tuple(str(Path(str(package.__file__)).parent) for package in packages)

    with _Server(("127.0.0.1", 0), Handler) as service:
        threading.Thread(target=service.serve_forever, args=(0.01,), daemon=True).start()
        settings: dict[str, Any] = {"base_url": f"http://127.0.0.1:{service.server_address[1]}/v3", "api_key": "key"}

        async def at_once() -> Counts:
            async def get_all() -> None:
                async with anyio.create_task_group() as tasks:
                    for _ in range(_AT_ONCE):
                        tasks.start_soon(chat.keywords.get, "profanity-list")

            async with cometchat_rest.AsyncClient(**settings) as chat:
                for _ in range(2):  # the first calls open the connections
                    await get_all()
                counting = _Counting(ours)
                with counting:
                    await get_all()
                return counting.counts

        with cometchat_rest.Client(**settings) as chat:
            for _ in range(2):
                chat.keywords.get("profanity-list")
            counting = _Counting(ours)
            with counting:
                chat.keywords.get("profanity-list")
        counts = {"A": counting.counts, "C": anyio.run(at_once)}
        service.shutdown()
    return counts


class _Counting:
    """Counts the calls that the code in some folders makes and receives."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self._folders = folders
        self._found = Counter[str]()

    def __enter__(self) -> None:
        sys.setprofile(self._see)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, _argument: object) -> None:
        if frame.f_code.co_filename.startswith(self._folders):
            self._found[event] += 1

    @property
    def counts(self) -> Counts:
        return {"calls of Python": self._found["call"], "calls of C": self._found["c_call"]}


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


def count_import(statement: str) -> Counts:
    """Row D: the modules and instructions of an import, in a fresh interpreter."""
    # httpcore loads socksio if it is installed; here only the tests need it.
    sys.modules["socksio"] = None
    before = len(sys.modules)
    counts = instructions(lambda: exec(statement, {}))  # noqa: S102 - one of the statements below
    return {"modules": len(sys.modules) - before} | counts


_PARTS: dict[str, Callable[[], dict[str, Counts]]] = {
    "calls": count_calls,
    "sockets": count_calls_over_sockets,
    "D": lambda: {"D": count_import("import cometchat_rest")},
    "D, a client": lambda: {"D, a client": count_import("from cometchat_rest import Client")},
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
