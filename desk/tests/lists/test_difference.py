"""The difference of two files of a list, offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from cometchat_desk.lists.difference import Difference, compare_files, to_markdown
from cometchat_rest import InvalidRequestError


def file(folder: Path, name: str, *entries: str) -> Path:
    path = folder / name
    path.write_text("".join(f"{entry}\n" for entry in entries), "utf-8")
    return path


def test_entries_are_compared_as_sets(tmp_path: Path) -> None:
    """Order, duplicates and the format of the file are ignored."""
    old = file(tmp_path, "old.txt", "spam", "scam", "buy now, pay later")
    new = file(tmp_path, "new.csv", '"buy now, pay later"', "phishing", "phishing", "spam")
    assert compare_files(old, new) == Difference(added=("phishing",), removed=("scam",), unchanged=2)


def test_new_and_deleted_files(tmp_path: Path) -> None:
    """Without an old file all entries are added; without a new file all entries are removed."""
    path = file(tmp_path, "words.txt", "spam", "scam")
    assert compare_files(None, path) == Difference(added=("spam", "scam"), removed=(), unchanged=0, only_in="new")
    gone = compare_files(path, None)
    assert (gone.removed, gone.share_removed, bool(gone)) == (("spam", "scam"), 1.0, True)


def test_one_kind_of_change(tmp_path: Path) -> None:
    """Only removals, only additions, or only another name are a difference as well."""
    short, long = file(tmp_path, "short.txt", "spam"), file(tmp_path, "long.txt", "spam", "scam")
    assert compare_files(long, short).status == compare_files(short, long).status == "changed"
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(f'{{"category": "word", "terms": ["x1"], "name": "{name}"}}', "utf-8")
    named = compare_files(tmp_path / "a.json", tmp_path / "b.json")
    assert (named.status, named.changed_fields, named.only_in) == ("changed", ("name",), None)


def test_equal_files_have_no_difference(tmp_path: Path) -> None:
    """The difference of equal files is false, and Markdown names the list as unchanged."""
    path = file(tmp_path, "words.txt", "spam")
    difference = compare_files(path, path)
    assert not difference
    assert to_markdown([("words", difference)]) == "Unchanged: `words`.\n"


def test_invalid_file_is_refused(tmp_path: Path) -> None:
    """A file with invalid content is named with its line."""
    with pytest.raises(InvalidRequestError, match=r"bad\.csv:1:2: begins a second column"):
        compare_files(None, file(tmp_path, "bad.csv", "a,b"))


def test_markdown_shows_counts_and_entries() -> None:
    """Markdown shows the counts with the removed share, then the removed and the added entries."""
    text = to_markdown([("profanity-list", Difference(added=("phishing",), removed=("scam",), unchanged=3))])
    assert text.splitlines() == [
        "### `profanity-list`",
        "",
        "1 added, 1 removed (25.0%), 3 unchanged.",
        "",
        "**Removed**",
        "",
        "- `scam`",
        "",
        "**Added**",
        "",
        "- `phishing`",
    ]


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("@everyone [x](http://a) <b>", "- `@everyone [x](http://a) <b>`"),
        ("a`b", "- ``a`b``"),
        ("``", "- ``` `` ```"),
        ("line\nbreak", r"- `line\nbreak`"),
        ("\u202eevil", r"- `\u202eevil`"),
        (" space", "- `  space `"),
        ("x" * 300, f"- `{'x' * 200}... (300 characters)`"),
    ],
)
def test_entry_is_never_markup(entry: str, shown: str) -> None:
    """An entry is shown as code in one line: it cannot be a link, a mention, markup or the end of the code."""
    assert to_markdown([("l", Difference(added=(entry,), removed=(), unchanged=0))]).splitlines()[-1] == shown


def test_nothing_to_compare() -> None:
    """Two empty folders give one sentence."""
    assert to_markdown([]) == "No lists were compared.\n"


def test_long_list_is_shortened() -> None:
    """Markdown shows 50 entries of each kind, and the number of the others."""
    many = tuple(f"t{number}" for number in range(1_234))
    lines = to_markdown([("l", Difference(added=many, removed=(), unchanged=0))]).splitlines()
    assert lines[-2:] == ["- `t49`", "- ... and 1,184 more"]
