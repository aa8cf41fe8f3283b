"""Measures the growth of cost: size of a response, concurrent calls, size of a file, number of pages."""

from __future__ import annotations

from typing import Any

from processes import Worker
from rich.table import Table

RECORDS = (10, 100, 1_000, 10_000, 100_000)
CONCURRENCIES = (1, 10, 50, 100, 200, 500)
UPLOADS = (2**10, 2**14, 2**17, 2**20)
ROLES = (1_000, 10_000, 100_000)
# The approximate number of items in one measurement, and the number of measurements; the best one counts.
_ITEMS = {"records": 20_000, "concurrency": 600, "upload": 8 * 2**20}
_MOST_TIMES = 200
_BEST_OF = 5
_MICROSECONDS = 1e6


def _cpu(workers: dict[str, Worker], kind: str, size: int) -> dict[str, float]:
    """Return the CPU seconds of one piece of work by contender; the contenders take turns."""
    times = max(1, min(_MOST_TIMES, _ITEMS[kind] // size))
    # One measurement is enough for the largest sizes.
    best_of = _BEST_OF if size * times <= _ITEMS[kind] else 1
    rounds = [[float(worker.ask(kind, size, times)) for worker in workers.values()] for _ in range(best_of)]
    return {name: min(found) / times for name, found in zip(workers, zip(*rounds, strict=True), strict=True)}


def measure(workers: dict[str, Worker], ours: str) -> dict[str, Any]:
    """Return CPU seconds, bytes held and peak bytes for each kind of work, contender and size."""
    found: dict[str, Any] = {}
    for kind, sizes in (("records", RECORDS), ("concurrency", CONCURRENCIES), ("upload", UPLOADS)):
        found[kind] = {name: [] for name in workers}
        for size in sizes:
            held = {name: worker.ask("memory", kind, size) for name, worker in workers.items()}
            for name, seconds in _cpu(workers, kind, size).items():
                kept, peak = held[name]
                found[kind][name].append({"size": size, "seconds": seconds, "kept": kept, "peak": peak})
    peaks = ((size, workers[ours].ask("memory", "roles", size)[1]) for size in ROLES)
    found["roles"] = {ours: [{"size": size, "peak": peak} for size, peak in peaks]}
    return found


def tables(found: dict[str, Any], ours: str) -> list[Table]:
    """Return tables of the results of this package, beside the results of the base."""
    shown = []
    for kind, title, unit, held in (
        ("records", "B: reviewed messages in one response", "record", "kept"),
        ("concurrency", "C: GETs at a time", "call", "peak"),
        ("upload", "E: bytes of an uploaded file", "KiB", "peak"),
    ):
        base = next(iter(found[kind]))
        table = Table("size", f"CPU µs / {unit}", f"{base}'s", f"bytes {held} / {unit}", f"{base}'s", title=title)
        for mine, theirs in zip(found[kind][ours], found[kind][base], strict=True):
            items = mine["size"] / (2**10 if kind == "upload" else 1)
            cells = [f"{each['seconds'] * _MICROSECONDS / items:,.1f}" for each in (mine, theirs)]
            held_cells = [f"{each[held] / items:,.0f}" for each in (mine, theirs)]
            table.add_row(f"{mine['size']:,}", cells[0], cells[1], held_cells[0], held_cells[1])
        shown.append(table)
    table = Table("roles", "peak MB", title="roles.iter() over pages of 1,000, nothing kept")
    for row in found["roles"][ours]:
        table.add_row(f"{row['size']:,}", f"{row['peak'] / 1e6:.2f}")
    return [*shown, table]
