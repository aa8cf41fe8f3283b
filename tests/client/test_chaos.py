"""A short soak in faults, and the reckoning that it ends with."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest.testing import Simulator

CHAOS = Path(__file__).parents[2] / "tools" / "chaos.py"
ZEROES = (
    "unclassified exceptions",
    "requests outside the five templates",
    "lost or doubled changes",
    "workers that hang",
)


@pytest.fixture(scope="module")
def chaos() -> Iterator[Any]:
    """The tool, as a module."""
    spec = importlib.util.spec_from_file_location("chaos", CHAOS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["chaos"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["chaos"]


def test_a_soak_in_faults() -> None:
    """Fifty workers on both clients, one request in ten going wrong: every exception is one of the tree, no request
    goes astray, no change is lost or made twice, and nobody hangs."""
    command = [sys.executable, str(CHAOS), "--seconds", "5", "--workers", "50"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    figures = {name: int(figure) for name, figure in re.findall(r"│ (\S[^│]*?) +│ +(\d+) │", done.stdout)}
    assert [figures[name] for name in ZEROES] == [0, 0, 0, 0]
    # It was a soak: things were done, and things went wrong in more ways than one.
    assert figures["calls"] > 250
    assert figures["requests"] > figures["calls"]
    assert figures["retries"] > 0
    assert figures["changes done"] > 100
    assert figures["changes unknown"] > 0
    assert {"UnexpectedResponse", "ServerError", "TransportError"} <= figures.keys()
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("outcome", "times", "fine"),
    [
        ("done", 0, False),
        ("done", 1, True),
        ("done", 2, False),
        ("refused", 0, True),
        ("refused", 1, False),
        ("unknown", 0, True),
        ("unknown", 1, True),
        ("unknown", 2, False),
    ],
)
def test_the_reckoning(chaos: Any, outcome: str, times: int, fine: bool) -> None:  # noqa: FBT001 - a column of the table
    """A success that was not carried out, a refusal that was, and anything carried out twice do not go unnoticed."""
    assert (chaos.discrepancies({"a": outcome, "b": "done"}, Counter({"a": times, "b": 1})) == []) is fine
    assert chaos.discrepancies({}, Counter(a=1)) != []


def reckoned(chaos: Any, **changed: Any) -> list[str]:
    """The reckoning of one update and one deletion, told to be done, with something changed at the service."""
    account = chaos.Account(updates={"list/0-0": "done"}, deletions={"worker-000_000001": "done"})
    happened = {
        "requests": 2,
        "strays": [],
        "updates": Counter({"list/0-0": 1}),
        "rises": {"list": 1},
        "tokens": frozenset({"worker-000_000000", "alice_1"}),
    }
    found: list[str] = chaos.reckon([account], chaos.Report(**{**happened, **changed}), 1, 2)
    return found


def test_the_reckoning_of_lists_and_tokens(chaos: Any) -> None:
    """Updates are held against the ledger and the revisions, deletions against the tokens that are left."""
    assert reckoned(chaos) == []
    assert reckoned(chaos, rises={"list": 2}) == ["list: 1 updates, and 2 revisions"]
    assert len(reckoned(chaos, updates=Counter({"list/0-0": 2}), rises={"list": 2})) == 1
    assert len(reckoned(chaos, tokens=frozenset())) == 1
    assert len(reckoned(chaos, tokens=frozenset({"worker-000_000000", "worker-000_000001"}))) == 1


def test_requests_that_go_astray(chaos: Any) -> None:
    """Only the five operations count as asked for, and each token with its own user."""
    fine = ("GET /v3/roles", "PUT /v3/moderation/keywords/a-list", "DELETE /v3/users/w-1/auth_tokens/w-1_7")
    stray = ("GET /v3/users/w-1", "DELETE /v3/users/w-1", "DELETE /v3/users/w-1/auth_tokens", "PUT /v3/roles")
    odd = (
        "DELETE /v3/users/w-1/auth_tokens/..",
        "DELETE /v3/users/w-1/auth_tokens/w-2_7",
        "GET /v3/moderation/keywords/",
    )
    assert [bool(chaos.TEMPLATES.fullmatch(line)) for line in (*fine, *stray, *odd)] == [True] * 3 + [False] * 7


def test_every_fault_can_happen(chaos: Any) -> None:
    """The simulator takes each of the faults that the soak is made of."""
    simulator = Simulator()
    kinds = list(chaos.faults())
    for fault in kinds:
        simulator.fail(**fault, times=None, share=0.5)
    assert {fault["cut"] for fault in kinds if "cut" in fault} == {
        "before_headers",
        "in_headers",
        "in_body",
        "after_processing",
    }
