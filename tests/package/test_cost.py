"""Calls and imports stay within stored budgets. The tests count instructions and do not measure time."""

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
# A count may exceed its budget by this factor, because versions of dependencies differ a little.
SLACK = 1.05
STORE = "python benchmarks/budgets.py"

Counts = dict[str, dict[str, int]]


def budgets() -> Counts:
    stored: dict[str, Counts] = json.loads(BUDGETS.read_text("utf-8"))
    if PYTHON not in stored:
        pytest.skip(f"there are budgets for {', '.join(stored)}, not for {PYTHON}; `{STORE}` stores them")
    return stored[PYTHON]


@cache
def counted() -> Counts:
    command = [sys.executable, str(ROOT / "benchmarks" / "budgets.py"), "--count"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)  # noqa: S603
    counts: Counts = json.loads(done.stdout)
    return counts


@pytest.mark.parametrize("row", ["A", "Am", "B", "C", "D", "D, a client", "D2"])
def test_within_budget(row: str) -> None:
    """Small GETs with and without a socket, awaited calls, a page of records, and an import stay in their budget."""
    budget = budgets()[row]
    found = counted()[row]
    assert found.keys() == budget.keys()
    over = [
        f"{what}: {found[what]:,} is {found[what] / allowed - 1:.1%} above the budget of {allowed:,}"
        for what, allowed in budget.items()
        if found[what] > allowed * SLACK
    ]
    report = "\n  ".join(over)
    assert not over, f"row {row} is above its budget:\n  {report}\nTo accept the new counts, run: {STORE}"


def test_blocking_call_loads_nothing_for_event_loops() -> None:
    """A blocking call loads neither the part of anyio for event loops, nor the codec for international host names."""
    # Nothing listens on port 1.
    script = (
        "import sys\nfrom cometchat_rest import Client, TransportError\n"
        "with Client(base_url='http://127.0.0.1:1/v3', api_key='a-key', max_retries=0) as chat:\n"
        "    try:\n        chat.roles.list()\n"
        "    except TransportError as error:\n        print(error.kind)\n"
        "print(sorted({'anyio.lowlevel', 'asyncio', 'encodings.idna', 'httpx'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    assert done.stdout == "connect\n[]\n"


def test_import_of_a_client_loads_no_network() -> None:
    """`from cometchat_rest import Client, AsyncClient` loads neither TLS nor HTTP; the first client does."""
    script = (
        "import sys\nfrom cometchat_rest import AsyncClient, Client\n"
        "print(sorted({'asyncio', 'certifi', 'h11', 'httpcore', 'httpx', 'msgspec', 'ssl'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603
    assert done.stdout == "[]\n"
