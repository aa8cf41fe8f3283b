"""`cometchat-desk keywords search`, and `keywords status` without a folder: the lists that are
known here."""

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import LIST, records, updates


def test_search(three: CommandLine, forum: Simulator) -> None:
    """A text is found in any case, in the named lists of all apps; a list or an app that fails
    stops no other."""
    del forum.keyword_lists["default-profanity"]
    typed = ("keywords", "search", "SCAM", "--list", LIST, "--list", "default-profanity")
    done = three(*typed, "--app", "shop", "--app", "forum")
    assert {(row["app"], row["keyword_id"], row["entry"]) for row in records(done)} >= {
        ("shop", LIST, "scam"),
        ("forum", LIST, "scam"),
    }
    assert (done.code, 'no list "default-profanity" in forum (' in done.err) == (5, True)
    assert "entries with SCAM in 2 lists: profanity-list, default-profanity." in done.err
    assert three(*typed, "--all-apps").code == 5
    assert updates(forum) == 0


def test_characters_that_look_the_same(cli: CommandLine, simulator: Simulator) -> None:
    """A text is found in any case and width, and with accents as separate characters."""
    simulator.keyword_lists[LIST]["searchTerms"] = entries = ["Müll", "Mu\u0308ll", "ＭÜＬＬ"]
    for text in (*entries, "müll"):
        assert [
            row["entry"] for row in records(cli("keywords", "search", text, "--list", LIST))
        ] == entries


def test_lists_to_search(cli: CommandLine) -> None:
    """The lists are those that were updated here or that rules name, or those of --list in their
    place."""
    assert "scam-patterns" in cli("keywords", "search", "x").err
    assert (
        cli("keywords", "add", "default-profanity", "--yes", "--", "get rich", "quick rich").code
        == 0
    )
    done = cli("keywords", "search", "get rich")
    assert [row["entry"] for row in records(done)] == ["get rich"]
    assert (
        "only lists that are known here were searched; --list LIST searches another list instead"
        in done.err
    )
    done = cli("keywords", "search", "rich", "--list", "scam-patterns")
    assert (records(done), "in 1 list: scam-patterns." in done.line) == ([], True)
    assert (
        'There is no list "gone"'
        in cli("keywords", "search", "rich", "--list", "gone").err.splitlines()[-1]
    )


def test_status_shows_the_known_lists(three: CommandLine) -> None:
    """Without a folder, `status` shows the lists that `search` knows, with the number of their
    entries in each app."""
    assert three("keywords", "add", LIST, "new", "--app", "shop", "--yes").code == 0
    done = three("keywords", "status", "--all-apps")
    shop, forum = ([row for row in records(done) if row["app"] == app] for app in ("shop", "forum"))
    rules = [("threat-sentences", "sentence-similarity", 3), ("scam-patterns", "pattern", 3)]
    assert [(row["keyword_id"], row["category"], row["entries"]) for row in shop] == [
        (LIST, "word", 7),
        *rules,
    ]
    assert {row["keyword_id"]: row["entries"] for row in forum} == {
        "threat-sentences": 3,
        "scam-patterns": 3,
        LIST: 2,
    }
    assert (done.code, "closed (" in done.err) == (4, True)
    assert "the dashboard shows them, and keywords get LIST shows each of them." in done.err


def test_a_list_that_another_app_knows(two: CommandLine, forum: Simulator) -> None:
    """A list that is known from one app is searched in the other apps, too, unless they lack it."""
    other = "default-profanity"
    assert two("keywords", "add", other, "casino", "--app", "shop", "--yes").code == 0
    forum.keyword_lists[other]["searchTerms"].append("casinoking")
    found = records(two("keywords", "search", "casino", "--all-apps"))
    assert {(row["app"], row["entry"]) for row in found} == {
        ("shop", "casino"),
        ("forum", "casinoking"),
    }
    del forum.keyword_lists[other]
    done = two("keywords", "search", "casino", "--all-apps")
    assert ([row["app"] for row in records(done)], done.code) == (["shop"], 0)
