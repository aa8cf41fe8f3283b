"""Running the rules on entries and on files."""

# ruff: noqa: RUF001 - the tables hold curly apostrophes

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cometchat_desk.lint import LintSettings, Severity, accept, lint_entries
from cometchat_rest import InvalidRequestError

from .judged import lint_file


def test_one_severity_for_each_rule() -> None:
    """All findings of a rule have the same severity, whatever the entry and the category are."""
    severities: dict[str, set[Severity]] = {}
    for category in ("word", "pattern", "sentence-similarity"):
        entries = [
            "Keyword",
            "a, b",
            "don’t",
            " x",
            "“spam”",
            "#NAME?",
            "GrÃ¼ÃŸe",
            "s\u200bpam",
            "x",
            "*",
            "The",
            "the",
            "a.*",
        ]
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
    for finding in lint_entries(entries, category=category):
        assert "\n" not in str(finding)
        assert not any(unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") for one in str(finding))
        assert finding.index is not None
        assert entries[finding.index] == finding.entry


# Parts of entries that regular expressions like to read again and again.
PARTS = r"%aa\ A{%1 a, a; é ' “ < %20 = - ([{ a? [a 1- # a|".split()  # noqa: SIM905 - a list is harder to read


@pytest.mark.parametrize("category", ["word", "pattern", "sentence-similarity"])
@pytest.mark.parametrize("part", PARTS)
def test_time_grows_with_the_length_of_an_entry(part: str, category: str) -> None:
    """An entry that is eight times as long takes about eight times as long, and not 64 times."""

    def seconds(length: int) -> float:
        began = time.process_time()
        lint_entries([f"x{part * (length // len(part))}x"], category=category)
        return time.process_time() - began

    # Below this, the clock decides.
    assert seconds(64_000) < 20 * max(seconds(8_000), 0.02)


@pytest.mark.parametrize("entry", ["f?ck{}", "a{}, b", "é{}", "{}", "<b{}", "007{}", "a{};b", "“{}”", "# x{}"])
def test_time_grows_with_the_number_of_entries(entry: str) -> None:
    """A list with eight times as many entries takes about eight times as long, and not 64 times."""

    def seconds(count: int) -> float:
        entries = [entry.format(number) for number in range(count)]
        began = time.process_time()
        lint_entries(entries)
        return time.process_time() - began

    assert seconds(8_000) < 20 * max(seconds(1_000), 0.02)


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
    ("name", "content", "advice"),
    [
        ("a.txt", b"", "holds no terms"),
        ("a.csv", b"PK\x03\x04\x14\x00\xff\xfe", "save it as CSV UTF-8"),
        ("a.txt", "Grüße\n".encode("cp1252"), "CSV UTF-8"),
        ("a.csv", "Grüße\n".encode("utf-16"), "CSV UTF-8"),
        ("a.txt", b"spam\0scam", "CSV UTF-8"),
        ("a.txt", b"<!DOCTYPE html><p>", "CSV UTF-8"),
        ("a.json", b'{"words": ["a"]}', "the fields are"),
        ("a.xlsx", b"PK\x03\x04", "CSV UTF-8"),
        ("a.csv", b"spam,bad\nscam,bad\n", "second column"),
    ],
)
def test_other_files(tmp_path: Path, name: str, content: bytes, advice: str) -> None:
    """A file that is not a list is one finding that says what to do, and cannot be accepted."""
    (tmp_path / name).write_bytes(content)
    (finding,) = lint_file(tmp_path / name)
    assert (finding.rule, finding.severity) == ("invalid-file", Severity.ERROR)
    assert advice in finding.message
    with pytest.raises(InvalidRequestError, match="cannot be turned off"):
        accept([finding], ["invalid-file"])


def test_missing_file(tmp_path: Path) -> None:
    """A file that cannot be read is an error of the caller, not a finding."""
    with pytest.raises(InvalidRequestError, match="cannot be read"):
        lint_file(tmp_path / "missing.txt")


def test_file_outside_the_folder(tmp_path: Path) -> None:
    """A symbolic link to a file outside its folder is one finding, which does not show the content."""
    (tmp_path / "key").write_text("secret-key\n")
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "words.txt").symlink_to(tmp_path / "key")
    (finding,) = lint_file(tmp_path / "lists" / "words.txt")
    assert finding.rule == "invalid-file"
    assert "is a symbolic link to a file outside its folder" in finding.message
    assert "secret-key" not in str(finding)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"term", "the title row 'term' is skipped"),
        (b'"Banned, words"', "the title row 'Banned, words' is skipped"),
        (
            b"idiot",
            "the first row 'idiot' is skipped, but does not look like a title; use --no-header if it is an entry",
        ),
    ],
)
def test_skipped_row(tmp_path: Path, row: bytes, message: str) -> None:
    """With `header`, the first row of a CSV file is not an entry; a finding names the skipped row."""
    (tmp_path / "a.csv").write_bytes(row + b"\r\nzzz\r\n")
    (finding,) = lint_file(tmp_path / "a.csv", LintSettings(header=True))
    assert (finding.rule, finding.message, finding.line) == ("skipped-row", message, 1)
    assert "skipped-row" not in {one.rule for one in lint_file(tmp_path / "a.csv")}
