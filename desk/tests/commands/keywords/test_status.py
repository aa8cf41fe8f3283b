"""`cometchat-desk keywords status`: which lists differ from the files of a folder."""

from typing import Any

from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import LIST, OTHER, PATTERNS, records, terms, updates, write_lists


def test_states(lists: CommandLine, simulator: Simulator) -> None:
    """Each list is equal, differs with counts, or is missing in the app; nothing is changed."""
    write_lists(lists, unknown=["spam"], profanity_list=[*terms(simulator)[1:], "new", "newer"])
    write_lists(lists, scam_patterns=terms(simulator, PATTERNS))
    done = lists("keywords", "status", "lists")
    rows = {row["keyword_id"]: row for row in records(done)}
    assert {name: (row["state"], row["added"], row["removed"]) for name, row in rows.items()} == {
        OTHER: ("differs", 1, 0),
        LIST: ("differs", 2, 1),
        PATTERNS: ("equal", 0, 0),
        "unknown": ("missing", None, None),
    }
    assert "Only the dashboard can create a list" in rows["unknown"]["error"]
    assert (done.code, done.err, updates(simulator)) == (0, "", 0)
    assert all(
        row["base_url"] == simulator.base_url and row["app"] is None for row in rows.values()
    )


def test_exit_code(lists: CommandLine, simulator: Simulator) -> None:
    """With --exit-code, a difference, a missing list and hidden entries end with 1, and
    equal lists with 0."""
    assert lists("keywords", "status", "lists", "--exit-code").code == 1
    write_lists(lists, default_profanity=terms(simulator, OTHER))
    assert lists("keywords", "status", "lists", "--exit-code").code == 0
    write_lists(lists, unknown=["spam"])
    assert lists("keywords", "status", "lists", "--exit-code").code == 1
    (lists.folder / "lists" / "unknown.txt").unlink()
    record: Any = dict(simulator.keyword_lists[LIST])
    del record["searchTerms"]
    simulator.keyword_lists[LIST] = record
    done = lists("keywords", "status", "lists", "--exit-code")
    assert [(row["state"], row["added"]) for row in records(done)] == [
        ("equal", 0),
        ("unknown", None),
    ]
    assert done.code == 1


def test_exit_code_without_a_folder(lists: CommandLine, simulator: Simulator) -> None:
    """Without a folder, there is nothing to compare with, so --exit-code is refused."""
    done = lists("keywords", "status", "--exit-code")
    assert (done.code, simulator.requests) == (2, [])
    assert "--exit-code needs a FOLDER" in done.line


def test_secret_in_a_file(lists: CommandLine, simulator: Simulator) -> None:
    """A file that holds a secret has a state as any other, and sync refuses it."""
    write_lists(lists, profanity_list=[*terms(simulator), simulator.api_key])
    done = lists("keywords", "status", "lists")
    states = [(row["keyword_id"], row["state"]) for row in records(done)]
    assert (done.code, states) == (0, [(OTHER, "differs"), (LIST, "differs")])
    assert simulator.api_key not in done.out + done.err
    assert "add --accept secret" in lists("keywords", "sync", "lists", "--yes").err


def test_formats(lists: CommandLine, simulator: Simulator) -> None:
    """The table says that a list is not active, with a note about the words; CSV has a row
    for each list."""
    done = lists("keywords", "status", "lists", "--format", "csv")
    assert done.out == (
        f"list,app,state,added,removed,note\n{OTHER},,differs,1,0,\n{LIST},,equal,0,0,\n"
    )
    simulator.keyword_lists[LIST] = {**simulator.keyword_lists[LIST], "active": False}
    done = lists("keywords", "status", "lists", "--format", "table")
    assert [line.split() for line in done.out.splitlines()] == [
        ["List", "App", "State", "Added", "Removed", "Note"],
        [OTHER, "differs", "1", "0"],
        [LIST, "equal", "0", "0", "not", "active"],
    ]
    assert done.line == "Note: keywords sync --dry-run shows the entries that differ."


def test_several_apps(two_of_lists: CommandLine) -> None:
    """A list that is missing in one app only is missing there, and compared in the other
    app."""
    done = two_of_lists("keywords", "status", "lists", "--all-apps", "--exit-code")
    assert [(row["keyword_id"], row["app"], row["state"]) for row in records(done)] == [
        (OTHER, "shop", "differs"),
        (OTHER, "forum", "missing"),
        (LIST, "shop", "equal"),
        (LIST, "forum", "equal"),
    ]
    assert done.code == 1


def test_refused_key(lists: CommandLine, simulator: Simulator) -> None:
    """If the service refuses the key, the other lists are not asked for, and there is one
    line."""
    lists.env.setenv("COMETCHAT_API_KEY", "wrong")
    done = lists("keywords", "status", "lists")
    assert [row["state"] for row in records(done)] == ["error", "error"]
    assert done.code == 4
    assert "401" in done.line
    assert len(simulator.requests) == 1


def test_app_without_a_connection(lists: CommandLine) -> None:
    """If an app does not respond, each list has an error that names this list."""
    lists.env.setenv("COMETCHAT_BASE_URL", "http://127.0.0.1:9/v3")
    rows = records(lists("keywords", "status", "lists"))
    assert [row["keyword_id"] in row["error"] for row in rows] == [True, True]
