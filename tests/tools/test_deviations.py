"""The ledger of deviations: complete, consistent with the description, and each entry has a test."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import deviations
from tools.openapi_diff.document import DESCRIPTION, ROOT, read

LEDGER = deviations.read()
DOCUMENT = read(DESCRIPTION)
ENTRY: dict[str, Any] = {
    "id": "some-entry",
    "theirs": "This | that.",
    "ours": "That.",
    "evidence": "Seen.",
    "confidence": "low",
    "test": "tests/test_it.py::test_that",
    "differences": ["/components/*/Role: type: vendor: *, ours: string", "/a.b: vendor: (x|y)"],
}


def source_of(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def passing(tests: set[str], folder: Path) -> set[str]:
    """Return the tests that pass; failed, skipped and missing tests do not pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-rpx", "--no-header", "-p", "no:cacheprovider"]
    # A missing test would stop the others.
    found = {
        test for test in tests if f"def {test.rpartition('::')[2]}(" in source_of(folder / test.partition("::")[0])
    }
    ran = subprocess.run([*command, *found], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    lines = [line.partition(" ") for line in ran.stdout.splitlines()]
    return {test.partition("[")[0] for word, _, test in lines if word == "PASSED"} if ran.returncode == 0 else set()


@pytest.mark.deep  # the quick run has these tests already
def test_each_entry_has_a_passing_test() -> None:
    """Each entry of the ledger names a test that exists and passes."""
    tests = {entry.test for entry in LEDGER.values() if entry.test is not None}
    assert passing(tests, ROOT) == tests


@pytest.mark.deep
def test_a_test_that_does_not_pass_is_noticed(tmp_path: Path) -> None:
    """A missing, skipped or expected-to-fail test does not count for an entry."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(
        "import pytest\n"
        "def test_that(): pass\n"
        "@pytest.mark.skip\ndef test_skipped(): pass\n"
        "def test_left_out(): pytest.skip()\n"
        "@pytest.mark.xfail\ndef test_expected_to_fail(): assert False\n",
        "utf-8",
    )
    names = ("that", "gone", "skipped", "left_out", "expected_to_fail")
    tests = {f"tests/test_it.py::test_{name}" for name in names}
    tests.add("tests/test_gone.py::test_that")
    assert passing(tests, tmp_path) == {"tests/test_it.py::test_that"}


def test_the_first_entry_is_the_update() -> None:
    """The best known deviation, the response of the update, is the first entry and has high confidence."""
    entry = next(iter(LEDGER.values()))
    assert (entry.id, entry.confidence) == ("keyword-list-answer", "high")
    assert deviations.places(DOCUMENT)[entry.id] == ["/components/responses/CurrentKeywordList"]
    assert len(LEDGER) >= 15


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "Some Entry"}, "id"),
        ({"theirs": ""}, "theirs"),
        ({"evidence": None}, "evidence"),
        ({"confidence": "certain"}, "confidence"),
        ({"test": "test_that"}, "test"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_an_entry_is_complete(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """An incomplete or misspelt entry is an error that names the field."""
    path = tmp_path / "deviations.yaml"
    path.write_text(yaml.safe_dump([{**ENTRY, **change}]), "utf-8")
    with pytest.raises(ValueError, match=f"entry 1: .*{message}"):
        deviations.read(path)
    path.write_text(yaml.safe_dump([ENTRY, ENTRY]), "utf-8")
    with pytest.raises(ValueError, match="same id"):
        deviations.read(path)
    path.write_text(yaml.safe_dump([ENTRY]), "utf-8")
    assert list(deviations.read(path)) == ["some-entry"]


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("/components/schemas/Role: type: vendor: integer, ours: string", True),
        ("/components/schemas/Role: type: vendor: [a-z]+ (or .), ours: string", True),
        ("/a.b: vendor: (x|y)", True),
        ("/a.b: vendor: x", False),
        ("/acb: vendor: (x|y)", False),
        ("/components/schemas/Roles: type: vendor: integer, ours: string", False),
        ("/components/schemas/Role: type: vendor: integer, ours: strings", False),
        ("/components/schemas/Role: values: vendor: integer, ours: string", False),
    ],
)
def test_an_entry_matches_the_lines_it_lists(line: str, known: bool) -> None:  # noqa: FBT001 - a column of the table
    """An entry matches only the differences it lists; a star matches any text."""
    assert deviations.Deviation(**ENTRY).accounts_for(line) is known


def test_the_rendered_ledger_is_complete() -> None:
    """The documentation shows every field of each entry, and its places."""
    entry = deviations.Deviation(**ENTRY)
    shown = deviations.rendered(
        {entry.id: entry}, {"a": {"x-evidence": "some-entry"}, "b": [{"x-evidence": ["some-entry"]}]}
    )
    assert "## Some entry { #some-entry }" in shown
    assert "| The vendor | This \\| that. |" in shown
    assert "| Where in openapi.yaml | `/a`, `/b/0` |" in shown
    assert all(text in shown for text in ("That.", "Seen.", "low", "`tests/test_it.py::test_that`"))
    whole = deviations.rendered(LEDGER, DOCUMENT)
    assert whole.count("\n## ") + 1 == len(LEDGER)
