"""`cometchat-desk keywords history` and `undo`, and the journal of `apply`."""

import contextlib
import csv
import io
import re
import sqlite3
from typing import Any

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from .conftest import BEFORE, LIST, history, records, terms, update, updates

# history


def test_history_of_a_list(cli: CommandLine, simulator: Simulator) -> None:
    """`history` shows each update with its revisions, its numbers of added and removed entries,
    and its outcome."""
    assert update(cli, *BEFORE, "new").code == 0
    assert update(cli, *BEFORE[1:]).code == 0
    first, second = history(cli)
    assert (first["number"], first["added"], first["removed"], first["outcome"]) == (
        1,
        1,
        0,
        "done",
    )
    assert (second["number"], second["added"], second["removed"], second["outcome"]) == (
        2,
        0,
        2,
        "done",
    )
    assert first["revision_after"] == second["revision_before"]
    assert second["revision_after"] == simulator.keyword_lists[LIST]["revisionId"]
    assert (first["base_url"], first["keyword_id"]) == (simulator.base_url, LIST)
    cli.env.setenv("COLUMNS", "80")
    done = cli("keywords", "history", LIST, "--format", "table")
    assert (
        done.line
        == f"Note: only updates in {simulator.base_url} that were made on this computer are shown."
    )
    table = done.out.splitlines()
    assert table[0].split() == [
        "Number",
        "When",
        "(UTC)",
        "App",
        "User",
        "Command",
        "Changes",
        "Outcome",
    ]
    assert [line.split()[-3:] for line in table[1:]] == [["+1", "-0", "done"], ["+0", "-2", "done"]]


def test_history_needs_no_key(cli: CommandLine, simulator: Simulator) -> None:
    """`history` works without an API key, and send no request."""
    update(cli, *BEFORE, "new")
    cli.env.delenv("COMETCHAT_API_KEY")
    count = len(simulator.requests)
    assert len(history(cli)) == 1
    assert cli("keywords", "history", LIST, "1").code == 0
    assert len(simulator.requests) == count


def test_history_of_a_killed_program(cli: CommandLine) -> None:
    """An update whose program was killed has no time at which it was finished, and a note says
    why."""
    update(cli, *BEFORE, "new")
    with (
        contextlib.closing(sqlite3.connect(next(cli.folder.rglob("*.sqlite3")))) as journal,
        journal,
    ):
        journal.execute("UPDATE updates SET outcome = 'unknown', finished_at = NULL")
    cli.env.delenv("COMETCHAT_API_KEY")
    (entry,) = history(cli)
    assert (entry["finished_at"], entry["note"]) == (
        None,
        "It is still running, or it was interrupted.",
    )


def test_history_without_updates(cli: CommandLine) -> None:
    """Without updates, `history` says so, and that the journal is of this computer."""
    done = cli("keywords", "history", LIST, "--format", "json")
    assert (done.code, done.out) == (0, "[]\n")
    assert not list(cli.folder.rglob("*.sqlite3"))
    update(cli, *BEFORE, "new")
    for typed, fault in (
        (("profanity-lsit",), "The journal has no update of profanity-lsit in http"),
        (
            ("--base-url", "http://127.0.0.1:1/v3"),
            "The journal has no update in http://127.0.0.1:1/v3.",
        ),
    ):
        done = cli("keywords", "history", *typed, "--format", "json")
        first, note = done.err.splitlines()
        assert (done.code, done.out, first.startswith(fault)) == (0, "[]\n", True)
        assert "that were made on this computer are shown" in note


@pytest.mark.usefixtures("two_apps")
def test_history_of_several_apps(cli: CommandLine) -> None:
    """Each app has its history; the name of a profile does not matter, only its address."""
    assert update(cli, *BEFORE, "new", options=("--all-apps",)).code == 0
    assert update(cli, *BEFORE, "more", options=("--app", "forum")).code == 0
    assert [each["app"] for each in history(cli, "--app", "forum")] == ["forum", "forum"]
    assert sorted(each["app"] for each in history(cli, "--all-apps")) == ["forum", "forum", "shop"]
    assert len(history(cli, "--app", "shop", "--app", "forum")) == 3
    # The app of the environment is the same app as the profile `shop`.
    assert [each["app"] for each in history(cli)] == ["shop"]


@pytest.mark.usefixtures("two_apps")
def test_history_of_all_lists(cli: CommandLine) -> None:
    """Without LIST, the history has all lists; 80 cells show who changed them; --since and
    --user select updates."""
    both = [LIST, "scam-patterns"]
    assert [
        cli("keywords", "add", each, "new", "--app", "shop", "--yes").code for each in both
    ] == [0, 0]
    expected = {"": both, "--since 1d": both, "--since 2100-01-01": [], "--user nobody": []}
    found = {
        options: cli("keywords", "history", "--app", "shop", *options.split())
        for options in expected
    }
    assert {
        options: [row["keyword_id"] for row in records(done)] for options, done in found.items()
    } == expected
    done = cli("keywords", "history", "--app", "shop", "--format", "table")
    titles = done.out.splitlines()[0].split()
    assert ("scam-patterns" in done.out, {"App", "User", "Changes"} <= {*titles}) == (True, True)
    assert (
        "updates in shop that were made on this computer are shown; --all-apps shows the updates"
        in done.line
    )


def test_history_in_a_spreadsheet(cli: CommandLine) -> None:
    """CSV has a row for each entry that was added or removed; a note says that changes of other
    computers are not among them."""
    update(cli, *BEFORE[1:], "=new")
    done = cli("keywords", "history", LIST, "--format", "csv")
    assert "made on this computer are shown" in done.line
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["change"], row["entry"]) for row in rows] == [
        ("added", "'=new"),
        ("removed", "spam"),
    ]


# show


def test_show_an_update(cli: CommandLine) -> None:
    """The history of one update has its plan for people, and its added and removed entries for
    programs."""
    update(cli, *BEFORE[1:], "new, with comma", options=("--accept", "comma"))
    (shown,) = records(cli("keywords", "history", LIST, "1"))
    assert (shown["added_entries"], shown["removed_entries"]) == (["new, with comma"], ["spam"])
    table = cli("keywords", "history", LIST, "1", "--format", "table").out.splitlines()
    assert table[0].startswith(f"Update 1 of {LIST} in http")
    assert table[1].endswith(", done")
    assert {"- spam", "+ new, with comma"} <= set(table)


# An entry


def test_history_of_an_entry(cli: CommandLine, simulator: Simulator) -> None:
    """`--entry` names the update of this computer that brought an entry, or two moments between
    which somebody else did."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    simulator.keyword_lists[LIST]["searchTerms"] = [*terms(simulator), "hers"]
    assert cli("keywords", "remove", LIST, "mine", "--yes").code == 0
    simulator.keyword_lists[LIST]["searchTerms"] = [*terms(simulator), "latest"]

    def changes(entry: str) -> list[tuple[str, str, int | None, bool]]:
        found = records(cli("keywords", "history", "--entry", entry, "--format", "jsonl"))
        return [
            (each["change"], each["by"], each["number"], each["after"] is None) for each in found
        ]

    assert changes("mine") == [
        ("added", "this computer", 1, False),
        ("removed", "this computer", 2, False),
    ]
    assert changes("hers") == [("added", "somebody else", None, False)]
    assert changes("latest") == [("added", "somebody else", None, False)]
    assert changes(BEFORE[0]) == [("added", "somebody else", None, True)]
    assert changes("never") == []
    done = cli("keywords", "history", LIST, "--entry", "mine", "--format", "table")
    assert ", in update 1 (keywords add) of 2" in done.out
    table = cli("keywords", "history", LIST, "--entry", "hers", "--format", "table").out
    assert re.fullmatch(
        f"Somebody else added hers to {LIST} in .*, between .* UTC and .* UTC\\.\n", table
    )
    line = cli("keywords", "history", "--entry", "never").line
    assert line == "The lists that this computer knows never had the entry never."


def test_history_of_an_entry_without_a_key(cli: CommandLine) -> None:
    """Without a key, the journal alone answers, and a note says that the list was not read."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    cli.env.delenv("COMETCHAT_API_KEY")
    done = cli("keywords", "history", LIST, "--entry", "mine", "--format", "jsonl")
    assert (done.code, [each["number"] for each in records(done)]) == (0, [1])
    assert "could not be read, so changes after the last update here are unknown" in done.line
    done = cli("keywords", "history", LIST, "--entry", "never")
    assert "could not be read, so changes after the last update here are unknown" in done.line


def test_history_of_an_entry_of_an_unknown_update(cli: CommandLine, simulator: Simulator) -> None:
    """An update whose outcome is unknown may have brought an entry; the list decides nothing,
    because somebody else may have done it too."""
    simulator.fail("update_keyword_list", status=504)
    assert cli("keywords", "add", LIST, "lost", "--yes").code == 12
    for entries in (BEFORE, [*BEFORE, "lost"]):
        simulator.keyword_lists[LIST]["searchTerms"] = entries
        done = cli("keywords", "history", "--entry", "lost", "--format", "table")
        assert f" may have added lost to {LIST} in " in done.out
        assert done.out.endswith(" UTC on this computer: its outcome is unknown.\n")
        (record,) = records(cli("keywords", "history", "--entry", "lost"))
        assert (record["change"], record["outcome"]) == ("added", "unknown")


def test_history_of_an_entry_in_lower_case(
    cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the service stored an entry in lower case, both forms name the update that brought it."""
    receive = simulator.receive

    def lower_after_an_update(request: Any) -> Any:
        if updates(simulator):
            simulator.keyword_lists[LIST]["searchTerms"] = [*map(str.lower, terms(simulator))]
        return receive(request)

    monkeypatch.setattr(simulator, "receive", lower_after_an_update)
    assert cli("keywords", "add", LIST, "Phishing", "--yes").code == 6
    for entry in ("Phishing", "phishing"):
        (record,) = records(cli("keywords", "history", "--entry", entry))
        assert (record["change"], record["number"]) == ("added", 1)


def test_history_of_entries_that_were_hidden(cli: CommandLine, simulator: Simulator) -> None:
    """If the service hid the entries at an update, nobody is said to have changed them."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    hidden: Any = dict(simulator.keyword_lists[LIST])
    del hidden["searchTerms"]
    simulator.keyword_lists[LIST] = hidden
    cli.write("all.txt", "mine\nmore\n")
    limit = ("--max-removed", "100%")
    assert cli("keywords", "apply", LIST, "all.txt", "--yes", *limit).code == 0
    found = records(cli("keywords", "history", LIST, "--entry", "mine"))
    assert [(each["change"], each["number"]) for each in found] == [("added", 1)]


def test_history_of_two_names_for_one_app(cli: CommandLine, simulator: Simulator) -> None:
    """Two profiles that name the same app give each change once."""
    cli.profiles(app("shop", simulator) + app("shop2", simulator))
    assert cli("keywords", "add", LIST, "mine", "--app", "shop", "--yes").code == 0
    for options in ((), ("--entry", "mine")):
        done = cli("keywords", "history", *options, "--app", "shop2", "--app", "shop")
        assert [record["number"] for record in records(done)] == [1]


@pytest.mark.usefixtures("two_apps")
def test_update_of_another_app(cli: CommandLine) -> None:
    """An update is shown in its app, or if no app is named."""
    assert cli("keywords", "add", LIST, "mine", "--app", "shop", "--yes").code == 0
    assert cli("keywords", "history", LIST, "1", "--app", "shop").code == 0
    done = cli("keywords", "history", LIST, "1", "--app", "forum")
    assert (done.code, done.out) == (2, "")
    assert "update 1 is an update in shop, not in forum" in done.line


def test_show_escapes_entries(cli: CommandLine) -> None:
    """Control characters of an entry never reach the terminal as such."""
    assert update(cli, "red\x1b[31m", "two", options=("--accept", "control-character")).code == 0
    assert "\x1b" not in cli("keywords", "history", LIST, "1", "--format", "table").out
    assert "\x1b" not in cli("keywords", "history", LIST, "1", "--format", "json").out


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["history", LIST, "9"], 2, "has no update 9"),
        (["history", "other-list", "1"], 2, f"update 1 is an update of {LIST}, not of other-list"),
        (["history", LIST, "one"], 2, "'NUMBER'"),
        (["undo", LIST, "--to", "-1", "--yes"], 2, "--to"),
        (["history", LIST, "--app", "nobody"], 3, "nobody"),
    ],
)
def test_invalid_arguments(cli: CommandLine, arguments: list[str], code: int, text: str) -> None:
    """Invalid arguments give an error in one line and the documented exit code."""
    update(cli, *BEFORE, "new", "newer")
    done = cli("keywords", *arguments)
    assert (done.code, done.out) == (code, "")
    assert text in done.line


# The journal of apply


def test_history_names_the_command(cli: CommandLine) -> None:
    """The history shows who made an update, when, and with which command."""
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert [entry["command"] for entry in history(cli)] == ["keywords add", "keywords undo"]
    assert (
        " with keywords add, done" in cli("keywords", "history", LIST, "1", "--format", "table").out
    )


def test_completion_of_lists(cli: CommandLine) -> None:
    """A shell completes the identifiers of the lists that were updated here."""
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    cli.env.setenv("_COMETCHAT_DESK_COMPLETE", "complete_bash")
    cli.env.setenv("COMP_WORDS", "cometchat-desk keywords get prof")
    cli.env.setenv("COMP_CWORD", "3")
    assert cli().out.split() == [LIST]
