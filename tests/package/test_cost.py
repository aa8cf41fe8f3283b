"""What calls and imports take is counted, and stays within stored budgets; no clock is looked at."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUDGETS = Path(__file__).with_name("budgets.json")
PYTHON = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
# How far above its budget a count may lie: dependencies differ a little from version to version.
SLACK = 1.05
STORE = "python benchmarks/budgets.py"

Counts = dict[str, dict[str, int]]


def budgets() -> Counts:
    stored: dict[str, Counts] = json.loads(BUDGETS.read_text("utf-8"))
    if PYTHON not in stored:
        pytest.skip(f"there are no budgets for {PYTHON}, only for {', '.join(stored)}; {STORE} stores some")
    return stored[PYTHON]


@cache
def counted() -> Counts:
    command = [sys.executable, str(ROOT / "benchmarks" / "budgets.py"), "--count"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)  # noqa: S603
    counts: Counts = json.loads(done.stdout)
    return counts


@pytest.mark.parametrize("row", ["Am", "B", "D", "D2"])
def test_within_budget(row: str) -> None:
    """A small GET without a socket, a page of records, and importing take no more than they did."""
    budget = budgets()[row]
    found = counted()[row]
    assert found.keys() == budget.keys()
    over = [
        f"{what}: {found[what]:,} are {found[what] / allowed - 1:.1%} more than the budget of {allowed:,}"
        for what, allowed in budget.items()
        if found[what] > allowed * SLACK
    ]
    report = "\n  ".join(over)
    assert not over, f"row {row} takes more than it did:\n  {report}\nIf it is worth that: {STORE}"
