"""`make report` on the changes that a maintainer makes in a description."""

import shutil
from pathlib import Path

import pytest

from tools.contract.change import Step, between
from tools.contract.report import markdown

from ..contract.generation import regenerate
from .changes import ALONE, TOGETHER, Case
from .repository import describe

CASES = {name: (step, case) for step, cases in TOGETHER.items() for name, case in cases.items()}
CASES |= {name: ("major", case) for name, case in ALONE.items()}


def report(release: Path, folder: Path, *cases: Case) -> tuple[Step, list[str]]:
    """Make changes in a copy; return the part of the version that rises, and the rows of the
    report."""
    shutil.copytree(release, folder)
    for case in cases:
        describe(case.change)(folder)
    regenerate(folder)
    change = between(release, folder)
    lines = markdown(change, "v1.2.3", []).splitlines()
    return change.step, [line for line in lines if line.startswith("| `")]


@pytest.mark.parametrize("step", TOGETHER)
def test_each_change_has_its_verdict(release: Path, tmp_path: Path, step: Step) -> None:
    """The report has the right rows for each change, no other rows, and the right version, also if
    a release has many changes."""
    cases = TOGETHER[step].values()
    found, rows = report(release, tmp_path / "tree", *cases)
    expected = [row for case in cases for row in case.rows]
    assert found == step
    assert set(rows) == set(expected)


@pytest.mark.deep
@pytest.mark.parametrize("name", CASES)
def test_a_change_alone_has_its_verdict(release: Path, tmp_path: Path, name: str) -> None:
    """The report of a single change has the right rows, and the right version."""
    step, case = CASES[name]
    found, rows = report(release, tmp_path / "tree", case)
    # A text that no code repeats changes nothing in Python.
    assert found in {step, "none" if step == "patch" else step}
    assert set(rows) == set(case.rows)
