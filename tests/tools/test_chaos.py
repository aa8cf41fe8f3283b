"""A short run of `tools/chaos.py`, and the comparison at its end."""

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
    "changes said to be not done",
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


def run(*options: str) -> dict[str, int]:
    """The table of a short run that found nothing wrong."""
    command = [sys.executable, str(CHAOS), "--seconds", "3", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    table = {name: int(number) for name, number in re.findall(r"│ (\S[^│]*?) +│ +(\d+) │", done.stdout)}
    assert [table[name] for name in ZEROES] == [0] * len(ZEROES)
    return table


def test_clients_with_a_faulty_service() -> None:
    """With fifty workers and one faulty response in ten, every exception belongs to the tree, every request goes to one
    of all operations, no change is lost or made twice, and no worker hangs."""
    table = run("--workers", "50")
    # Changes were made, and several kinds of faults occurred.
    assert table["calls"] > 250
    assert table["requests"] > table["calls"]
    assert table["retries"] > 0
    assert table["changes done"] > 100
    assert table["changes unknown"] > 0
    assert {"UnexpectedResponse", "ServerError", "TransportError"} <= table.keys()


def test_clients_with_a_service_that_applies_changes_late() -> None:
    """With interrupted calls and a service that applies changes late, no error says that a change was not made if it is
    made later."""
    table = run("--workers", "30", "--in-doubt")
    assert table["Interruption"] > 10
    assert table["changes done"] > 30
    assert table["changes unknown"] > 10


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
def test_comparison(chaos: Any, outcome: str, times: int, fine: bool) -> None:  # noqa: FBT001 - a column of the table
    """A success that was not applied, a refusal that was, and every change that was applied twice are found."""
    known, applied = {"a": outcome, "b": "done"}, Counter({"a": times, "b": 1})
    assert (chaos.discrepancies(known, applied) == []) is fine
    assert (chaos.false_denials(known, applied) == []) is not (outcome == "refused" and times > 0)
    assert chaos.discrepancies({}, Counter(a=1)) != []


def reckoned(chaos: Any, **changed: Any) -> list[str]:
    """The comparison for one update and one deletion that succeeded, with a different report of the service."""
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


def test_comparison_of_lists_and_tokens(chaos: Any) -> None:
    """Updates are compared with the ledger and the revisions, deletions with the tokens that still exist."""
    assert reckoned(chaos) == []
    assert reckoned(chaos, rises={"list": 2}) == ["list: 1 updates, and 2 revisions"]
    assert len(reckoned(chaos, updates=Counter({"list/0-0": 2}), rises={"list": 2})) == 1
    assert len(reckoned(chaos, tokens=frozenset())) == 1
    assert len(reckoned(chaos, tokens=frozenset({"worker-000_000000", "worker-000_000001"}))) == 1


def test_requests_that_go_astray(chaos: Any) -> None:
    """Only requests of the described operations are expected, and each token only with its user."""
    fine = ("GET /v3/roles", "PUT /v3/moderation/keywords/a-list", "DELETE /v3/users/w-1/auth_tokens/w-1_7")
    stray = ("GET /v3/users/w-1", "DELETE /v3/users/w-1", "DELETE /v3/users/w-1/auth_tokens", "PUT /v3/roles")
    odd = (
        "DELETE /v3/users/w-1/auth_tokens/..",
        "DELETE /v3/users/w-1/auth_tokens/w-2_7",
        "GET /v3/moderation/keywords/",
    )
    assert [bool(chaos.TEMPLATES.fullmatch(line)) for line in (*fine, *stray, *odd)] == [True] * 3 + [False] * 7


def test_every_fault_can_happen(chaos: Any) -> None:
    """The simulator accepts every fault that the tool uses."""
    simulator = Simulator()
    for fault in chaos.late_faults():
        simulator.fail(**fault, times=None, share=0.5)
    kinds = list(chaos.faults())
    for fault in kinds:
        simulator.fail(**fault, times=None, share=0.5)
    assert {fault["cut"] for fault in kinds if "cut" in fault} == {
        "before_headers",
        "in_headers",
        "in_body",
        "after_processing",
    }
