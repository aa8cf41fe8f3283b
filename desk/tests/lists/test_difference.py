"""The difference of two files of a list, offline."""

import pytest

from cometchat_desk.lists import files
from cometchat_desk.lists.difference import Difference, compare, to_markdown
from cometchat_desk.lists.reading import read_list


def file(name: str, *entries: str) -> files.ListFile:
    return read_list("".join(f"{entry}\n" for entry in entries).encode(), name)


def test_entries_are_compared_as_sets() -> None:
    """Order, duplicates and the format of the file are ignored."""
    old = file("old.txt", "spam", "scam", "buy now, pay later")
    new = file("new.csv", '"buy now, pay later"', "phishing", "phishing", "spam")
    assert compare(old, new) == Difference(added=("phishing",), removed=("scam",), unchanged=2)


def test_one_kind_of_change() -> None:
    """Only removals, only additions, or only another name are a difference as well."""
    short, long = file("short.txt", "spam"), file("long.txt", "spam", "scam")
    assert compare(long, short).status == compare(short, long).status == "changed"
    texts = (f'{{"category": "word", "terms": ["x1"], "name": "{name}"}}' for name in ("a", "b"))
    named = compare(*(file("list.json", text) for text in texts))
    assert (named.status, named.changed_fields, named.only_in) == ("changed", ("name",), None)


def test_equal_files_have_no_difference() -> None:
    """The difference of equal files is false, and Markdown names the list as unchanged."""
    words = file("words.txt", "spam")
    difference = compare(words, words)
    assert difference.status == "unchanged"
    assert to_markdown([("words", difference)]) == "Unchanged: `words`.\n"


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
