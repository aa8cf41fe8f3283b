"""Reading the ledger of deviations, matching its patterns, and showing it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.contract import deviations

ENTRY: dict[str, Any] = {
    "id": "some-entry",
    "theirs": "This | that.",
    "ours": "That.",
    "evidence": "Seen.",
    "confidence": "low",
    "test": "tests/test_it.py::test_that",
    "differences": ["/components/*/Role: type: vendor: *, ours: string", "/a.b: vendor: (x|y)"],
}


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
        deviations.read_ledger(path)
    path.write_text(yaml.safe_dump([ENTRY, ENTRY]), "utf-8")
    with pytest.raises(ValueError, match="same id"):
        deviations.read_ledger(path)
    path.write_text(yaml.safe_dump([ENTRY]), "utf-8")
    assert list(deviations.read_ledger(path)) == ["some-entry"]


@pytest.mark.parametrize(
    ("line", "listed"),
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
def test_an_entry_matches_the_lines_it_lists(line: str, listed: bool) -> None:  # noqa: FBT001 - a column of the table
    """An entry matches only the differences it lists; a star matches any text."""
    assert deviations.Deviation(**ENTRY).accounts_for(line) is listed


def test_the_rendered_ledger_is_complete() -> None:
    """The documentation shows every field of each entry, and its places."""
    entry = deviations.Deviation(**ENTRY)
    shown = deviations.rendered(
        {entry.id: entry},
        {"a": {"x-evidence": "some-entry"}, "b": [{"x-evidence": ["some-entry"]}]},
    )
    assert "## Some entry { #some-entry }" in shown
    assert "| The vendor | This \\| that. |" in shown
    assert "| Where in openapi.yaml | `/a`, `/b/0` |" in shown
    assert all(text in shown for text in ("That.", "Seen.", "low", "`tests/test_it.py::test_that`"))
