"""`cometchat-desk keywords history` and `rollback`, and the journal of `apply`."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest.testing import Simulator

from ...conftest import CommandLine, Result

LIST = "profanity-list"
ORIGINAL = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


@pytest.fixture
def cli(cli: CommandLine) -> CommandLine:
    """The command line with the default journal, in the home folder of the test."""
    cli.env.delenv("COMETCHAT_JOURNAL")
    cli.env.delenv("XDG_STATE_HOME", raising=False)
    return cli


@pytest.fixture
def two_apps(cli: CommandLine, simulator: Simulator) -> Iterator[dict[str, Simulator]]:
    """Two apps with profiles; the first one is also the app of the environment."""
    with Simulator() as forum:
        cli.profiles(
            "".join(
                f'[apps.{name}]\nbase_url = "{each.base_url}"\napi_key = "{each.api_key}"\n'
                for name, each in (("shop", simulator), ("forum", forum))
            )
        )
        yield {"shop": simulator, "forum": forum}


def update(cli: CommandLine, *terms: str, options: tuple[str, ...] = ()) -> Result:
    cli.write("list.txt", "".join(f"{term}\n" for term in terms))
    return cli("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "1", *options)


def history(cli: CommandLine, *options: str) -> list[dict[str, Any]]:
    done = cli("keywords", "history", LIST, "--format", "json", *options)
    assert done.code == 0, done.err
    records: list[dict[str, Any]] = json.loads(done.out)
    return records


def has_failed(done: Result) -> bool:
    """Whether the output is the record of one failed app, with the exit code."""
    record = json.loads(done.out)
    return (record["outcome"], record["exit_code"]) == ("failed", done.code)


def terms(simulator: Simulator) -> object:
    return simulator.keyword_lists[LIST]["searchTerms"]


def puts(simulator: Simulator) -> int:
    return sum(each.method == "PUT" for each in simulator.requests)


# history


def test_history_of_a_list(cli: CommandLine, simulator: Simulator) -> None:
    """`history` shows each update with its revisions, its numbers of added and removed entries, and its outcome."""
    assert update(cli, *ORIGINAL, "new").code == 0
    assert update(cli, *ORIGINAL[1:]).code == 0
    first, second = history(cli)
    assert (first["number"], first["added"], first["removed"], first["outcome"]) == (1, 1, 0, "done")
    assert (second["number"], second["added"], second["removed"], second["outcome"]) == (2, 0, 2, "done")
    assert first["revision_after"] == second["revision_before"]
    assert second["revision_after"] == simulator.keyword_lists[LIST]["revisionId"]
    assert (first["base_url"], first["list_id"]) == (simulator.base_url, LIST)
    table = cli("keywords", "history", LIST, "--format", "table").out.splitlines()
    assert table[0].split() == ["Number", "When", "(UTC)", "App", "User", "Command", "Added", "Removed", "Outcome"]
    assert [line.split()[-1] for line in table[1:]] == ["done", "done"]


def test_history_with_an_invalid_profile(cli: CommandLine) -> None:
    """An invalid address in a profile gives an error that names the profile, not an option."""
    cli.profiles('[apps.shop]\nbase_url = "ftp://shop.example"\n')
    done = cli("keywords", "history", LIST, "--all-apps")
    assert (done.code, "[apps.shop] in " in done.line) == (3, True)
    assert "--base-url" not in done.line


def test_history_needs_no_key(cli: CommandLine, simulator: Simulator) -> None:
    """`history` works without an API key, and send no request."""
    update(cli, *ORIGINAL, "new")
    cli.env.delenv("COMETCHAT_API_KEY")
    count = len(simulator.requests)
    assert len(history(cli)) == 1
    assert cli("keywords", "history", LIST, "1").code == 0
    assert len(simulator.requests) == count


def test_history_settles_an_unknown_outcome(cli: CommandLine, simulator: Simulator) -> None:
    """An interrupted update is unknown; with a key, `history` reads the list and finds out the outcome."""
    simulator.fail("update_keyword_list", status=503, apply_after=60)
    done = update(cli, *ORIGINAL, "new")
    assert done.code == 12
    (entry,) = history(cli)
    assert entry["outcome"] == "unknown"
    simulator.keyword_lists[LIST] = {
        **simulator.keyword_lists[LIST],
        "searchTerms": [*ORIGINAL, "new"],
        "revisionId": "x_2",
    }
    (entry,) = history(cli)
    assert (entry["outcome"], entry["revision_after"]) == ("done", "x_2")


def test_history_of_a_killed_program(cli: CommandLine) -> None:
    """An update whose program was killed has no time at which it was finished, and a note says why."""
    update(cli, *ORIGINAL, "new")
    with contextlib.closing(sqlite3.connect(next(cli.folder.rglob("*.sqlite3")))) as journal, journal:
        journal.execute("UPDATE updates SET outcome = 'unknown', finished_at = NULL")
    cli.env.delenv("COMETCHAT_API_KEY")
    (entry,) = history(cli)
    assert (entry["finished_at"], entry["note"]) == (None, "It is still running, or it was interrupted.")


def test_history_with_an_unusable_key(cli: CommandLine, simulator: Simulator) -> None:
    """If the list cannot be read, `history` says so in one line and shows the updates."""
    simulator.fail("update_keyword_list", status=503, apply_after=60)
    update(cli, *ORIGINAL, "new")
    cli.env.setenv("COMETCHAT_API_KEY", "wrong")
    done = cli("keywords", "history", LIST)
    assert done.code == 0
    assert done.line.startswith("cometchat-desk: an outcome is still unknown: ")
    assert json.loads(done.out)["outcome"] == "unknown"
    cli.env.delenv("COMETCHAT_API_KEY")
    assert cli("keywords", "history", LIST).err == ""


def test_history_without_updates(cli: CommandLine) -> None:
    """Without updates, `history` names the journal, and the lists that have updates."""
    done = cli("keywords", "history", LIST, "--format", "json")
    assert (done.code, done.out) == (0, "[]\n")
    assert done.line.startswith("There is no journal ")
    assert not list(cli.folder.rglob("*.sqlite3"))
    update(cli, *ORIGINAL, "new")
    done = cli("keywords", "history", "profanity-lsit", "--format", "json")
    assert (done.code, done.out) == (0, "[]\n")
    assert "has no update of profanity-lsit in " in done.line
    assert done.line.endswith(f" It has updates of {LIST}.")


@pytest.mark.usefixtures("two_apps")
def test_history_of_several_apps(cli: CommandLine) -> None:
    """Each app has its history; the name of a profile does not matter, only its address."""
    assert update(cli, *ORIGINAL, "new", options=("--all-apps",)).code == 0
    assert update(cli, *ORIGINAL, "more", options=("--app", "forum")).code == 0
    assert [each["app"] for each in history(cli, "--app", "forum")] == ["forum", "forum"]
    assert sorted(each["app"] for each in history(cli, "--all-apps")) == ["forum", "forum", "shop"]
    assert len(history(cli, "--app", "shop", "--app", "forum")) == 3
    # The app of the environment is the same app as the profile `shop`.
    assert [each["app"] for each in history(cli)] == ["shop"]


# show


def test_show_an_update(cli: CommandLine) -> None:
    """`show` prints the plan of an update, and the entries before and after it."""
    update(cli, *ORIGINAL[1:], "new, with comma")
    shown = json.loads(cli("keywords", "history", LIST, "1").out)
    assert shown["before"]["entries"] == ORIGINAL
    assert shown["after"]["entries"] == [*ORIGINAL[1:], "new, with comma"]
    assert (shown["added_entries"], shown["removed_entries"]) == (["new, with comma"], ["spam"])
    table = cli("keywords", "history", LIST, "1", "--format", "table").out.splitlines()
    assert table[0].startswith(f"Update 1 of {LIST} in http")
    assert table[1].endswith(", done")
    assert {"- spam", "+ new, with comma"} <= set(table)


def test_one_update_gives_a_file_for_apply(cli: CommandLine, simulator: Simulator) -> None:
    """The entries before or after an update become a file for `apply`."""
    update(cli, "one", "two")
    assert cli("keywords", "history", LIST, "1", "--format", "csv").out == "one\ntwo\n"
    cli.write("old.csv", cli("keywords", "history", LIST, "1", "--before", "--format", "csv").out)
    assert cli("keywords", "apply", LIST, "old.csv", "--yes", "--max-removed", "1").code == 0
    assert terms(simulator) == ORIGINAL


def test_show_escapes_entries(cli: CommandLine) -> None:
    """Control characters of an entry never reach the terminal as such; a file has the exact entry."""
    assert update(cli, "red\x1b[31m", "two", options=("--accept", "control-character")).code == 0
    for form in ("table", "json"):
        assert "\x1b" not in cli("keywords", "history", LIST, "1", "--format", form).out
    assert cli("keywords", "history", LIST, "1", "--format", "csv").out == "red\x1b[31m\ntwo\n"


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["history", LIST, "9"], 2, "has no update 9"),
        (["history", "other-list", "1"], 2, f"update 1 is an update of {LIST}, not of other-list"),
        (
            ["history", LIST, "1", "--base-url", "https://x.example/v3"],
            2,
            "not to the app at https://x.example/v3; to see it: ",
        ),
        (["history", LIST, "one"], 2, "'NUMBER'"),
        (["undo", LIST, "--to", "-1", "--yes"], 2, "--to"),
        (["history", LIST, "--app", "nobody"], 3, "nobody"),
    ],
)
def test_invalid_arguments(cli: CommandLine, arguments: list[str], code: int, text: str) -> None:
    """Invalid arguments give an error in one line and the documented exit code."""
    update(cli, *ORIGINAL, "new", "newer")
    done = cli("keywords", *arguments)
    assert (done.code, done.out) == (code, "")
    assert text in done.line


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ([LIST, "--to", "9"], 2, "update 9 is not in the history of profanity-list"),
        (["imported-phrases"], 2, "has no update of imported-phrases in this app to undo"),
        ([LIST, "--max-removed", "0.1"], 6, "--max-removed allows 10.0%"),
    ],
)
def test_impossible_rollback(
    cli: CommandLine, simulator: Simulator, arguments: list[str], code: int, text: str
) -> None:
    """A rollback that is not possible gives one line, the documented exit code and a record, like `apply`."""
    update(cli, *ORIGINAL, "new", "newer")
    done = cli("keywords", "undo", *arguments, "--yes")
    assert done.code == code
    assert text in done.err.splitlines()[-1]
    assert has_failed(done)
    assert puts(simulator) == 1


# rollback


def test_rollback_undoes_the_last_update(cli: CommandLine, simulator: Simulator) -> None:
    """`rollback` shows the plan, asks, and restores the list; a second rollback undoes the first one."""
    update(cli, "one", "two")
    asked = cli("keywords", "undo", LIST)
    assert asked.code == 2
    assert f"Restore {LIST} of the app at {simulator.base_url}? There is no terminal" in asked.err
    assert terms(simulator) == ["one", "two"]
    done = cli("keywords", "undo", LIST, "--yes", "--format", "table")
    assert done.code == 0
    assert {"- one", "- two", "+ spam"} <= set(done.err.splitlines())
    assert done.out.startswith(f"{LIST} updated: 6 added, 2 removed. Undo: ")
    assert terms(simulator) == ORIGINAL
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert terms(simulator) == ["one", "two"]
    assert [each["outcome"] for each in history(cli)] == ["done", "done", "done"]


def test_rollback_to_a_number(cli: CommandLine, simulator: Simulator) -> None:
    """`--to N` restores the list after update N; 0 restores it before the first update."""
    for term in ("one", "two", "three"):
        update(cli, term)
    done = cli("keywords", "undo", LIST, "--to", "1", "--yes")
    assert (done.code, done.err.splitlines()[0]) == (0, "this restores the list as it was after update 1")
    assert terms(simulator) == ["one"]
    done = cli("keywords", "undo", LIST, "--to", "0", "--yes")
    assert (done.code, done.err.splitlines()[0]) == (0, "this restores the list as it was before update 1")
    assert terms(simulator) == ORIGINAL
    done = cli("keywords", "undo", LIST, "--to", "0", "--format", "table")
    assert (done.code, done.out) == (0, f"{LIST} is already as requested: no update was sent.\n")


def test_rollback_of_several_apps(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """One command undoes the last update of each app; a number is for one app."""
    update(cli, *ORIGINAL, "new", options=("--all-apps",))
    done = cli("keywords", "undo", LIST, "--all-apps", "--to", "1", "--yes")
    assert (done.code, done.line) == (
        2,
        "cometchat-desk: --to: a number belongs to one app, so name one app with --app",
    )
    assert cli("keywords", "undo", LIST, "--all-apps", "--yes").code == 0
    assert [terms(each) for each in two_apps.values()] == [ORIGINAL, ORIGINAL]


def test_rollback_of_one_of_several_apps(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """After an addition to all apps, a rollback in one app names the others with their command, and so does history."""
    assert cli("keywords", "add", LIST, "phishing", "--all-apps", "--yes").code == 0
    done = cli("keywords", "undo", LIST, "--app", "shop", "--yes")
    assert f"to undo it there: cometchat-desk keywords undo {LIST} --app forum." in done.err
    assert [terms(each) == ORIGINAL for each in two_apps.values()] == [True, False]
    assert f"keywords history {LIST} --app forum." in cli("keywords", "history", LIST, "--app", "shop").err


def test_rollback_after_sync(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """After a sync, a rollback names the other lists that it updated and that are not restored yet."""
    for name in (LIST, "default-profanity"):
        cli.write(f"lists/{name}.txt", "spam\nscam\nnew\n")
    two_apps["forum"].fail("update_keyword_list", status=400)
    typed = ("--all-apps", "--yes", "--max-removed", "1")
    assert cli("keywords", "sync", "lists", *typed).code == 8
    note = "Note: the same command updated other lists as well, and each needs its own undo: default-profanity."
    assert note not in cli("keywords", "undo", LIST, "--app", "forum").err
    assert note in cli("keywords", "undo", LIST, "--all-apps").err
    assert cli("keywords", "undo", "default-profanity", "--app", "shop", "--yes").code == 0
    assert note not in cli("keywords", "undo", LIST, "--all-apps").err


def test_rollback_undoes_one_command(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """If different commands made the last updates of several apps, a rollback of them all sends nothing."""
    assert cli("keywords", "add", LIST, "older", "--app", "forum", "--yes").code == 0
    # Forum has this entry already, so this command does not update it.
    assert cli("keywords", "add", LIST, "older", "--all-apps", "--yes").code == 0
    assert "other apps" not in cli("keywords", "undo", LIST, "--app", "shop").err
    before = [puts(each) for each in two_apps.values()]
    done = cli("keywords", "undo", LIST, "--all-apps", "--yes")
    assert (done.code, done.out) == (2, "")
    command = rf"cometchat-desk keywords undo {LIST} --app (\w+) \(update (\d) of "
    assert re.findall(command, done.line) == [("shop", "2"), ("forum", "1")]
    assert ", which undid another one" not in done.line
    assert [puts(each) for each in two_apps.values()] == before
    assert cli("keywords", "undo", LIST, "--app", "shop", "--yes").code == 0
    assert " UTC, which undid another one); or " in cli("keywords", "undo", LIST, "--all-apps", "--yes").line
    # `--to 0` names a content, not an update.
    assert cli("keywords", "undo", LIST, "--all-apps", "--to", "0", "--yes").code == 0
    assert [terms(each) for each in two_apps.values()] == [ORIGINAL, ORIGINAL]


def test_rollback_says_what_it_undoes(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """A rollback says which update it undoes or makes again, and that a later update changed nothing."""
    for name in ("add", "remove"):
        assert cli("keywords", name, LIST, "phishing", "--all-apps", "--yes").code == 0
    done = cli("keywords", "undo", LIST, "--all-apps", "--yes")
    assert len(re.findall(r"update [34] has undone update ([12]), so this makes update \1 again", done.err)) == 2
    two_apps["shop"].fail("update_keyword_list", status=400)
    assert cli("keywords", "add", LIST, "refused", "--app", "shop", "--yes").code == 8
    done = cli("keywords", "undo", LIST, "--all-apps")
    assert re.search(
        r"shop: update 7 changed nothing \(refused\), so update [56] has undone update ([34]), so this makes update \1 "
        "again",
        done.err,
    )
    assert re.search(r"forum: update [56] has undone update ([34]), so this makes update \1 again", done.err)


def test_two_new_names_undo_nothing(cli: CommandLine) -> None:
    """An update that only changes the name again has not undone the update before it; its rollback has."""
    for name in ("First", "Second"):
        cli.write("list.json", json.dumps({"category": "word", "terms": ORIGINAL, "name": name}))
        assert cli("keywords", "apply", LIST, "list.json", "--yes").code == 0
    assert "this undoes update 2 of " in cli("keywords", "undo", LIST, "--yes").err
    assert "update 3 has undone update 2, so this makes update 2 again" in cli("keywords", "undo", LIST).err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_results_that_cannot_be_written(cli: CommandLine, simulator: Simulator) -> None:
    """If the output fails after a rollback, the message says that it was sent: repeating it would undo it."""
    assert update(cli, *ORIGINAL, "new").code == 0
    with Path("/dev/full").open("w") as full:
        cli.env.setattr("sys.stdout", full)
        done = cli("keywords", "undo", LIST, "--yes")
    assert (done.code, terms(simulator)) == (11, ORIGINAL)
    assert done.err.splitlines()[-1] == (
        "cometchat-desk: the results cannot be written (No space left on device), but the updates were sent. To see "
        f"them, run cometchat-desk keywords history {LIST}"
    )


def test_rollback_of_an_update_that_the_list_does_not_show(cli: CommandLine, simulator: Simulator) -> None:
    """If the list does not show the last update, there is nothing to undo, and the command says how to go further."""
    assert update(cli, *ORIGINAL, "new").code == 0
    simulator.fail("update_keyword_list", cut="before_headers")
    assert update(cli, *ORIGINAL, "lost").code == 12
    done = cli("keywords", "undo", LIST, "--yes")
    assert done.code == 0
    assert "the list does not show update 2, whose outcome is unknown, so there is nothing to undo; " in done.line
    assert "use --to" in done.line
    table = cli("keywords", "history", LIST, "2", "--format", "table").out
    assert "unknown" in table.splitlines()[1]
    assert cli("keywords", "undo", LIST, "--to", "0", "--yes").code == 0
    assert terms(simulator) == ORIGINAL


def test_commands_name_the_present_profiles(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """A command for another app has its present name in the profiles, for the shell; without a profile, its address."""
    assert cli("keywords", "add", LIST, "phishing", "--all-apps", "--yes").code == 0
    profile = '[apps."{}"]\nbase_url = "{}"\napi_key = "k"\n'
    shop, forum = (each.base_url for each in two_apps.values())
    cli.profiles(profile.format("forum", shop) + profile.format("my forum", forum))
    assert cli("keywords", "history", LIST, "--app", "forum").err.endswith(f" history {LIST} --app 'my forum'.\n")
    cli.profiles(profile.format("forum", shop))
    assert cli("keywords", "history", LIST, "--app", "forum").err.endswith(f" history {LIST} --base-url {forum}.\n")


def test_two_profiles_of_one_app(cli: CommandLine, simulator: Simulator) -> None:
    """A rollback in two profiles of one app restores its list once."""
    profile = '[apps.{}]\nbase_url = "{}"\napi_key = "{}"\n'
    cli.profiles("".join(profile.format(name, simulator.base_url, simulator.api_key) for name in ("shop", "store")))
    assert cli("keywords", "add", LIST, "phishing", "--all-apps", "--yes").code == 0
    done = cli("keywords", "undo", LIST, "--all-apps", "--yes")
    assert done.code == 0, done.err
    assert "Note: store is the same app as shop, so it is left out." in done.err
    assert (terms(simulator), puts(simulator)) == (ORIGINAL, 2)


def test_rollback_over_a_change_of_somebody_else(cli: CommandLine, simulator: Simulator) -> None:
    """If an update got lost and somebody else has changed the list, a rollback warns that it undoes this change."""
    simulator.fail("update_keyword_list", cut="before_headers")
    assert update(cli, *ORIGINAL, "lost").code == 12
    assert update(cli, *ORIGINAL, "of a colleague", options=("--no-journal",)).code == 0
    done = cli("keywords", "undo", LIST)
    assert "! the list has changed since update 1, but not with this journal." in done.err
    assert "- of a colleague" in done.err
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    # Now somebody else undoes this rollback.
    assert update(cli, *ORIGINAL, "of a colleague", options=("--no-journal",)).code == 0
    done = cli("keywords", "undo", LIST, "--yes", "--format", "table")
    assert done.out == f"{LIST} is already as requested: no update was sent.\n"
    assert "this undoes update 2 of " in done.err


def test_show_names_the_right_app(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """An update of another app is not shown; the message has the command that shows it."""
    assert cli("keywords", "add", LIST, "phishing", "--app", "forum", "--yes").code == 0
    done = cli("keywords", "history", LIST, "1", "--app", "shop")
    assert done.code == 2
    forum, shop = (f"{name} ({two_apps[name].base_url})" for name in ("forum", "shop"))
    assert f"update 1 belongs to {forum}, not to {shop}; to see it: " in done.line
    assert done.line.endswith(f"cometchat-desk keywords history {LIST} 1 --app forum")


def test_rollback_warns_of_other_changes(cli: CommandLine, simulator: Simulator) -> None:
    """If the list was changed without the journal, the rollback says that it undoes this change as well."""
    update(cli, *ORIGINAL, "new")
    assert update(cli, *ORIGINAL, "newer", options=("--no-journal",)).code == 0
    done = cli("keywords", "undo", LIST, "--yes")
    assert "! the list has changed since update 1, but not with this journal." in done.err
    assert terms(simulator) == ORIGINAL


# The journal of apply


def test_no_journal(cli: CommandLine, simulator: Simulator) -> None:
    """With `--no-journal`, the update is sent and not recorded, and no file is created."""
    assert update(cli, "one", options=("--no-journal",)).code == 0
    assert terms(simulator) == ["one"]
    assert not list(cli.folder.rglob("*.sqlite3"))
    done = update(cli, "two", options=("--no-journal", "--journal", "x.db"))
    assert done.code == 2
    assert "use either --journal or --no-journal, not both" in done.err


def test_nothing_to_change_needs_no_journal(cli: CommandLine) -> None:
    """If the list already matches the file, no journal is created."""
    assert update(cli, *ORIGINAL).code == 0
    assert not list(cli.folder.rglob("*.sqlite3"))


def newer(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA application_id = {0x43434A4C}")
        connection.execute("PRAGMA user_version = 99")


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text("term\nspam\n" * 1000), "no SQLite database"),
    "newer": (newer, "upgrade cometchat-desk"),
    "folder": (Path.mkdir, "cannot be opened"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_unusable_journal(cli: CommandLine, simulator: Simulator, kind: str) -> None:
    """With an unusable journal, each command ends with one line and code 11, and `apply` names `--no-journal`."""
    make, text = UNUSABLE[kind]
    path = cli.folder / "my.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    cli.write("list.txt", "one\n")
    for arguments in (
        ("history", LIST),
        ("history", LIST, "1"),
        ("undo", LIST, "--yes"),
        ("apply", LIST, "list.txt", "--yes", "--max-removed", "1"),
    ):
        done = cli("keywords", *arguments, "--journal", "my.db")
        assert done.code == 11, done.err
        assert has_failed(done) if arguments[0] == "undo" else done.out == ""
        line = done.err.splitlines()[-1]
        assert "the journal my.db " in line
        assert text in line
    assert line.endswith("No update was sent. To update without a journal, use --no-journal.")
    assert puts(simulator) == 0
    assert (path.read_bytes() if path.is_file() else None) == before


def fill_disk(cli: CommandLine) -> None:
    """From now on, a journal has no room for a long list."""
    connect = sqlite3.connect

    def on_full_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 10")
        return connection

    cli.env.setattr("sqlite3.connect", on_full_disk)


def test_full_disk(cli: CommandLine, simulator: Simulator) -> None:
    """If the entry cannot be written, the update is not sent, and one line names `--no-journal`."""
    fill_disk(cli)
    many = [f"{os.urandom(20).hex()}" for _ in range(2000)]
    cli.write("many.txt", "\n".join(many))
    for done in (update(cli, *many), cli("keywords", "add", LIST, "--from", "many.txt", "--yes")):
        assert done.code == 11
        assert done.err.splitlines()[-1].endswith(
            "cannot be written: the disk is full; free some space. No update was sent. To update without a journal, "
            "use --no-journal."
        )
    assert puts(simulator) == 0


def test_rollback_on_a_full_disk(cli: CommandLine, simulator: Simulator) -> None:
    """A rollback that cannot be recorded is not sent; with `--no-journal`, it needs only the earlier content."""
    assert update(cli, *ORIGINAL, "new").code == 0
    assert update(cli, *(os.urandom(20).hex() for _ in range(2000)), options=("--no-journal",)).code == 0
    fill_disk(cli)
    done = cli("keywords", "undo", LIST, "--yes")
    assert (done.code, puts(simulator)) == (11, 2)
    assert done.err.endswith("To update without a journal, use --no-journal.\n")
    journal = str(next(cli.folder.rglob("*.sqlite3")))
    assert cli("keywords", "undo", LIST, "--yes", "--no-journal", "--journal", journal).code == 0
    assert terms(simulator) == ORIGINAL
    assert len(history(cli)) == 1


def test_two_commands_at_a_time(cli: CommandLine, simulator: Simulator) -> None:
    """Two commands that update two lists at the same time both end with 0, and both updates are recorded."""
    lists = [LIST, "default-profanity"]
    cli.write("list.txt", "one\ntwo\n")
    environment = {**os.environ, "COLUMNS": "80"}
    command = [sys.executable, "-c", "from cometchat_desk.__main__ import main; main()", "keywords", "apply"]
    options = ["list.txt", "--yes", "--max-removed", "1"]
    running = [
        subprocess.Popen(  # noqa: S603
            [*command, each, *options],
            cwd=cli.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for each in lists
    ]
    for program in running:
        _, errors = program.communicate(timeout=60)
        assert program.returncode == 0, errors
    assert [simulator.keyword_lists[each]["searchTerms"] for each in lists] == [["one", "two"], ["one", "two"]]
    for each in lists:
        assert json.loads(cli("keywords", "history", each).out)["outcome"] == "done"


def test_missing_library(cli: CommandLine) -> None:
    """A Python without SQLite gives one line that says so."""
    cli.env.setitem(sys.modules, "cometchat_desk.journal", None)
    done = cli("keywords", "history", LIST)
    assert (done.code, done.line) == (
        3,
        "cometchat-desk: the journal needs SQLite, which this Python does not have",
    )


def test_help_does_not_load_the_journal() -> None:
    """The help of a command loads neither SQLite nor the journal."""
    code = (
        "import sys; from cometchat_desk.app import run; run(['keywords', 'apply', '--help']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert "--no-journal" in done.stdout
    assert not {"sqlite3", "platformdirs", "cometchat_desk.journal"} & set(done.stderr.split())


def test_history_names_the_command(cli: CommandLine) -> None:
    """The history shows who made an update, when, and with which command."""
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert [entry["command"] for entry in history(cli)] == ["keywords add", "keywords undo"]
    assert " with keywords add, done" in cli("keywords", "history", LIST, "1", "--format", "table").out


@pytest.mark.usefixtures("two_apps")
def test_known_lists(cli: CommandLine) -> None:
    """`keywords list` shows the lists that were updated here and those of a folder, and says that there may be more."""
    assert cli("keywords", "add", LIST, "new", "--app", "shop", "--yes").code == 0
    cli.write("lists/other.txt", "word\n")
    done = cli("keywords", "list", "lists", "--all-apps")
    rows = [json.loads(line) for line in done.out.splitlines()]
    shown = {(row["app"], row["list_id"]): (row["updates"], row["file"]) for row in rows}
    other = (0, str(Path("lists/other.txt")))
    assert shown == {("shop", LIST): (1, None), ("shop", "other"): other, ("forum", "other"): other}
    assert "the service cannot list its keyword lists" in done.line


def test_completion_of_lists(cli: CommandLine) -> None:
    """A shell completes the identifiers of the lists that were updated here."""
    assert cli("keywords", "add", LIST, "new", "--yes").code == 0
    cli.env.setenv("_COMETCHAT_DESK_COMPLETE", "complete_bash")
    cli.env.setenv("COMP_WORDS", "cometchat-desk keywords get prof")
    cli.env.setenv("COMP_CWORD", "3")
    assert cli().out.split() == [LIST]
