"""Running the rules on entries and on files."""

# ruff: noqa: RUF001 - the tables hold curly apostrophes

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cometchat_desk.lint import LintSettings, Severity, lint_entries

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


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.text(min_size=1).filter(str.strip), min_size=1),
    st.sampled_from(["word", "pattern", "sentence-similarity"]),
)
def test_any_text(entries: list[str], category: str) -> None:
    """The linter accepts any text, and each finding is one printable line about an existing entry."""
    findings = lint_entries(entries, category=category)
    assert [entries[one.index] for one in findings if one.index is not None] == [one.entry for one in findings]
    shown = "".join(str(one) for one in findings)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.txt", "zzz\r\n\r\ns\u200bpam\r\n", (3, 1)),
        ("a.csv", "\nzzz\ns\u200bpam", (3, 1)),
        ("a.csv", '\ufeff"zzz\nzz"\r\n\r\n"s\u200bpam"\r\n', (4, 1)),
        ("a.json", '{"name": "terms", "category": "word",\n "terms": ["zzz",\n  "s\u200bpam"]}', (3, 3)),
    ],
)
def test_places(tmp_path: Path, name: str, text: str, place: tuple[int, int]) -> None:
    """A finding has the line and the column of its entry, in each format."""
    (tmp_path / name).write_bytes(text.encode())
    (finding,) = (one for one in lint_file(tmp_path / name) if one.rule == "invisible-character")
    assert (finding.line, finding.column) == place
    assert str(finding).startswith(f"{tmp_path / name}:{place[0]}:{place[1]}: error invisible-character: ")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"term", "the title row 'term' is skipped"),
        (b"idiot", "the first row 'idiot' is skipped, but does not look like a title; use --no-header"),
    ],
)
def test_skipped_row(tmp_path: Path, row: bytes, message: str) -> None:
    """With `header`, the first row of a CSV file is not an entry; a finding names the skipped row."""
    (tmp_path / "a.csv").write_bytes(row + b"\r\nzzz\r\n")
    (finding,) = lint_file(tmp_path / "a.csv", LintSettings(header=True))
    assert (finding.rule, finding.line) == ("skipped-row", 1)
    assert finding.message.startswith(message)
    assert "skipped-row" not in {one.rule for one in lint_file(tmp_path / "a.csv")}
