"""`cometchat-desk keywords search`, and the difference of one list in several apps."""

import pytest

from cometchat_rest.testing import Simulator

from ...conftest import CommandLine
from .conftest import LIST, records, updates


def test_search(three: CommandLine, forum: Simulator) -> None:
    """A text is found in any case, in the named lists of all apps; a list or an app that fails stops no other."""
    del forum.keyword_lists["default-profanity"]
    typed = ("keywords", "search", "SCAM", "--list", LIST, "--list", "default-profanity")
    done = three(*typed, "--app", "shop", "--app", "forum")
    assert {(row["app"], row["list_id"], row["entry"]) for row in records(done)} >= {
        ("shop", LIST, "scam"),
        ("forum", LIST, "scam"),
    }
    assert (done.code, "default-profanity in forum: " in done.err) == (5, True)
    assert "entries with SCAM in 4 lists." in done.err
    assert three(*typed, "--all-apps").code == 5
    assert updates(forum) == 0


def test_lists_to_search(cli: CommandLine) -> None:
    """Without --list, the lists are those that were updated here."""
    assert "name the lists to search with --list LIST" in cli("keywords", "search", "x").line
    assert cli("keywords", "add", LIST, "get rich quick", "--yes").code == 0
    assert [row["entry"] for row in records(cli("keywords", "search", "rich"))] == ["get rich quick"]


def test_difference_of_two_apps(three: CommandLine) -> None:
    """A list of one app is compared with the same list of each other app."""
    done = three("keywords", "diff", LIST, "--app", "shop", "--app", "forum", "--exit-code", "--format", "table")
    assert done.code == 1
    assert done.out.startswith(f"# {LIST} in forum, compared with shop (changed)\n- spam\n")
    assert "\n+ own word\n" in done.out
    done = three("keywords", "diff", "no-such-list", "--app", "shop", "--app", "forum")
    assert (done.code, 'There is no list "no-such-list" in shop' in done.err) == (5, True)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ((LIST,), "name OLD and NEW, or one list and its apps"),
        ((LIST, "words.txt", "--app", "shop"), "for a file, use keywords plan"),
        ((LIST, "--app", "shop"), "one app was named; name the apps to compare with --app A --app B"),
    ],
)
def test_incomplete_comparison(three: CommandLine, typed: tuple[str, ...], fault: str) -> None:
    """One list of one app, or a list and a file, are refused with the arguments that work."""
    done = three("keywords", "diff", *typed)
    assert (done.code, fault in done.line) == (2, True)
