"""Running the rules on entries and on files."""

# ruff: noqa: RUF001 - the tables hold curly apostrophes

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cometchat_desk.lint import Severity, lint_entries

from .judged import lint_file


def test_one_severity_for_each_rule() -> None:
    """All findings of a rule have the same severity, whatever the entry and the category are."""
    severities: dict[str, set[Severity]] = {}
    for category in ("word", "pattern", "sentence-similarity"):
        entries = ["Keyword", "a, b", "don’t", " x", "“spam”", "#NAME?", "GrÃ¼ÃŸe", "s\u200bpam"]
        entries += ["x", "*", "The", "the", "a.*"]
        for finding in lint_entries(entries, category=category):
            severities.setdefault(finding.rule, set()).add(finding.severity)
    assert len(severities) > 12
    assert all(len(of_rule) == 1 for of_rule in severities.values())


@settings(max_examples=5 * settings().max_examples, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.text(min_size=1).filter(str.strip), min_size=1),
    st.sampled_from(["word", "pattern", "sentence-similarity"]),
)
def test_any_text(entries: list[str], category: str) -> None:
    """The linter accepts any text, and each finding is one printable line about an existing
    entry."""
    findings = lint_entries(entries, category=category)
    assert [entries[one.index] for one in findings if one.index is not None] == [
        one.entry for one in findings
    ]
    shown = "".join(str(one) for one in findings)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.txt", "zzz\r\n\r\ns\u200bpam\r\n", 3),
        ("a.csv", "\nzzz\ns\u200bpam", 3),
        ("a.csv", '\ufeff"zzz\nzz"\r\n\r\n"s\u200bpam"\r\n', 4),
        (
            "a.json",
            '{"name": "terms", "category": "word",\n "terms": ["zzz",\n  "s\u200bpam"]}',
            None,
        ),
    ],
)
def test_lines(tmp_path: Path, name: str, text: str, line: int | None) -> None:
    """A finding has the line of its entry, except in a JSON file."""
    (tmp_path / name).write_bytes(text.encode())
    (finding,) = (one for one in lint_file(tmp_path / name) if one.rule == "invisible-character")
    place = f"{tmp_path / name}:{line}" if line else f"{tmp_path / name}"
    assert str(finding).startswith(f"{place}: error invisible-character: ")


def test_entries_beside() -> None:
    """Only the named entries are checked, together with the other entries of the list: a new
    entry may repeat one of them."""
    live = ["spam", "Müller", "the", "don't", " x"]
    found = lint_entries(["Spam", "M?ller", "spam", "don\u2019t"], beside=live)
    assert [(one.entry, one.rule) for one in found] == [
        ("spam", "duplicate"),
    ]
    assert lint_entries([], beside=live) == ()
