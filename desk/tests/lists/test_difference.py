"""The difference of two files of a list, offline."""

from cometchat_desk.lists import files
from cometchat_desk.lists.difference import Difference, compare
from cometchat_desk.lists.reading import read_list


def file(name: str, *entries: str) -> files.ListFile:
    return read_list("".join(f"{entry}\n" for entry in entries).encode(), name)


def test_entries_are_compared_as_sets() -> None:
    """Order, duplicates and the format of the file are ignored."""
    old = file("old.txt", "spam", "scam", "buy now, pay later")
    new = file("new.csv", '"buy now, pay later"', "phishing", "phishing", "spam")
    assert compare(old, new) == Difference(
        added=("phishing",), removed=("scam",), unchanged=2, status="changed"
    )


def test_one_kind_of_change() -> None:
    """Only removals, only additions, or only another name are a difference as well."""
    short, long = file("short.txt", "spam"), file("long.txt", "spam", "scam")
    assert compare(long, short).status == compare(short, long).status == "changed"
    texts = (f'{{"category": "word", "terms": ["x1"], "name": "{name}"}}' for name in ("a", "b"))
    named = compare(*(file("list.json", text) for text in texts))
    assert (named.status, named.changed_fields) == ("changed", ("name",))


def test_equal_files_have_no_difference() -> None:
    """Equal files are unchanged."""
    words = file("words.txt", "spam")
    assert compare(words, words).status == "unchanged"
