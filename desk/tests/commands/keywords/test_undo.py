"""`cometchat-desk keywords undo`."""

import re
from typing import Any

import pytest

from cometchat_desk.terminal import prompts
from cometchat_testing import Simulator

from ...conftest import CommandLine, Result
from .conftest import BEFORE, LIST, has_failed, history, records, terms, update, updates


def update_of_a_colleague(cli: CommandLine, *entries: str) -> None:
    with cli.env.context() as env:
        env.setenv("COMETCHAT_JOURNAL", "theirs.sqlite3")
        assert update(cli, *entries).code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (
            [LIST, "--to", "9"],
            2,
            "this app has no update 9 of profanity-list; see cometchat-desk keywords history",
        ),
        (
            ["imported-phrases"],
            2,
            "has no update of the list imported-phrases in this app. Undo an update of another",
        ),
    ],
)
def test_impossible_undo(
    cli: CommandLine, simulator: Simulator, arguments: list[str], code: int, text: str
) -> None:
    """An undo that is not possible gives one line, the documented exit code and a record, like
    `apply`."""
    update(cli, *BEFORE, "new", "newer")
    done = cli("keywords", "undo", *arguments, "--yes")
    assert done.code == code
    assert text in done.err.splitlines()[-1]
    assert has_failed(done)
    assert updates(simulator) == 1


def test_undo_undoes_the_last_update(cli: CommandLine, simulator: Simulator) -> None:
    """`undo` shows the plan, asks, and restores the list; a second undo undoes the first one."""
    update(cli, "one", "two")
    asked = cli("keywords", "undo", LIST)
    assert asked.code == 2
    assert (
        f"Restore {LIST} in the app at {simulator.base_url}? Standard input is not a terminal"
        in asked.err
    )
    assert terms(simulator) == ["one", "two"]
    done = cli("keywords", "undo", LIST, "--yes", "--format", "table")
    assert done.code == 0
    assert {"- one", "- two", "+ spam"} <= set(done.err.splitlines())
    assert done.out.startswith(f"{LIST} updated: 6 added (spam, scam, ")
    assert terms(simulator) == BEFORE
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert terms(simulator) == ["one", "two"]
    assert [each["outcome"] for each in history(cli)] == ["done", "done", "done"]


def test_undo_to_a_number(cli: CommandLine, simulator: Simulator) -> None:
    """`--to N` restores the list after update N; 0 restores it before the first update."""
    for term in ("one", "two", "three"):
        update(cli, term)
    done = cli("keywords", "undo", LIST, "--to", "1", "--yes")
    assert (done.code, done.err.splitlines()[0]) == (
        0,
        "this restores the list as it was after update 1",
    )
    assert terms(simulator) == ["one"]
    done = cli("keywords", "undo", LIST, "--to", "0", "--yes")
    assert (done.code, done.err.splitlines()[0]) == (
        0,
        "this restores the list as it was before the first update",
    )
    assert terms(simulator) == BEFORE
    done = cli("keywords", "undo", LIST, "--to", "0", "--format", "table")
    assert (done.code, done.out) == (0, f"{LIST} is already as requested: no update was sent.\n")


def test_undo_of_several_apps(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """One command undoes the last update of each app; a number is for one app."""
    update(cli, *BEFORE, "new", options=("--all-apps",))
    for number in (("1",), ("--to", "1")):
        done = cli("keywords", "undo", LIST, "--all-apps", *number, "--yes")
        fault = "a number belongs to one app, so name one app with --app"
        assert (done.code, fault in done.line) == (2, True)
    assert cli("keywords", "undo", LIST, "--all-apps", "--yes").code == 0
    assert [terms(each) for each in two_apps.values()] == [BEFORE, BEFORE]


def test_undo_of_a_command_in_one_app(two: CommandLine, forum: Simulator) -> None:
    """If the options leave out an app of the command, a note names the option for it."""
    assert two("keywords", "add", LIST, "new", "--all-apps", "--yes").code == 0
    done = two("keywords", "undo", "--command", "1", "--app", "shop", "--yes")
    assert (done.code, "To undo there, use --app forum" in done.err) == (0, True)
    assert two("keywords", "undo", "--command", "1", "--app", "forum", "--yes").code == 0
    assert terms(forum) == BEFORE


def test_undo_of_an_earlier_update(cli: CommandLine, simulator: Simulator) -> None:
    """A number undoes this update only, and keeps those that came later."""
    for typed in (["add", LIST, "free money"], ["remove", LIST, "spam"], ["add", LIST, "later"]):
        assert cli("keywords", *typed, "--yes").code == 0
    done = cli("keywords", "undo", LIST, "1", "--yes")
    assert (done.code, terms(simulator)) == (0, [*BEFORE[1:], "later"])
    assert done.err.startswith("this undoes update 1 (keywords add) of ")
    assert cli("keywords", "undo", LIST, "2", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "later"]
    done = cli("keywords", "undo", LIST, "9", "--yes")
    assert (done.code, "this app has no update 9 of profanity-list to undo" in done.err) == (
        2,
        True,
    )


def test_undo_of_a_list_with_repetitions(cli: CommandLine, simulator: Simulator) -> None:
    """An undo restores the repeated entries of a list, too."""
    before = ["clown", "muppet", "clown", "numpty"]
    simulator.keyword_lists[LIST]["searchTerms"] = before
    assert cli("keywords", "remove", LIST, "clown", "--yes").code == 0
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert terms(simulator) == before


def test_undo_of_an_entry_that_somebody_else_added_again(
    cli: CommandLine, simulator: Simulator
) -> None:
    """An entry that a colleague removed and added again belongs to the colleague; one that your
    own undo brought back is still yours."""
    for typed in (["add", LIST, "xx", "zz"], ["remove", LIST, "zz"], ["undo", LIST]):
        assert cli("keywords", *typed, "--yes").code == 0
    simulator.keyword_lists[LIST]["searchTerms"].remove("xx")
    assert cli("keywords", "add", LIST, "yy", "--yes").code == 0
    simulator.keyword_lists[LIST]["searchTerms"].append("xx")
    assert cli("keywords", "undo", LIST, "1", "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "yy", "xx"]


@pytest.fixture
def synced(cli: CommandLine, two_apps: dict[str, Simulator]) -> CommandLine:
    """After a sync of two lists, of which one has failed in one app."""
    for name in (LIST, "default-profanity"):
        cli.write(f"lists/{name}.txt", "spam\nscam\nnew\n")
    two_apps["forum"].fail("update_keyword_list", status=400)
    assert (
        cli("keywords", "sync", "lists", "--all-apps", "--yes", "--max-removed", "100%").code == 8
    )
    return cli


def test_sync_names_one_undo(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """After a sync of several lists, one command is named that undoes all of it, and it does."""
    before = {name: terms(each) for name, each in two_apps.items()}
    for name in (LIST, "default-profanity"):
        cli.write(f"lists/{name}.txt", "spam\nscam\nnew\n")
    done = cli("keywords", "sync", "lists", "--all-apps", "--yes", "--max-removed", "100%")
    named = re.search(
        r"(?m)^Note: to undo these 4 updates together: cometchat-desk (keywords undo --command \d+)$",
        done.err,
    )
    assert named is not None
    assert cli(*named[1].split(), "--yes").code == 0
    assert {name: terms(each) for name, each in two_apps.items()} == before


def test_undo_of_a_command(synced: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """`--command` undoes all that one command changed, in all lists and apps, and keeps what came
    later."""
    assert synced("keywords", "add", LIST, "later", "--app", "shop", "--yes").code == 0
    done = synced("keywords", "undo", "--command", "1")
    assert "this undoes 3 updates of keywords sync of " in done.err
    done = synced("keywords", "undo", "--command", "1", "--yes")
    assert [record["outcome"] for record in records(done)] == ["updated"] * 3
    assert terms(two_apps["shop"]) == [*BEFORE, "later"]
    assert terms(two_apps["forum"]) == BEFORE
    again = synced("keywords", "undo", "--command", "1", "--yes")
    assert [record["outcome"] for record in records(again)] == ["unchanged"] * 3
    line = synced("keywords", "undo", LIST, "--command", "1").line
    assert "name a LIST, and at most one of NUMBER and --to; or use only --command NUMBER" in line


def test_undo_says_what_it_undoes(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """An undo says which update it undoes, with its command; a later update that was refused is
    not that one."""
    assert cli("keywords", "add", LIST, "phishing", "--all-apps", "--yes").code == 0
    assert cli("keywords", "remove", LIST, "phishing", "--all-apps", "--yes").code == 0
    done = cli("keywords", "undo", LIST, "--all-apps", "--yes")
    assert len(re.findall(r"this undoes update [34] \(keywords remove\) of ", done.err)) == 2
    two_apps["shop"].fail("update_keyword_list", status=400)
    assert cli("keywords", "add", LIST, "refused", "--app", "shop", "--yes").code == 8
    done = cli("keywords", "undo", LIST, "--all-apps")
    assert re.search(r"shop: this undoes update [56] \(keywords undo\) of ", done.err)


def test_undo_of_an_update_that_the_list_does_not_show(
    cli: CommandLine, simulator: Simulator
) -> None:
    """If the list does not show the last update, there is nothing to undo, and the command says
    how to go further."""
    assert update(cli, *BEFORE, "new").code == 0
    simulator.fail("update_keyword_list", cut="before_headers")
    assert update(cli, *BEFORE, "lost").code == 12
    done = cli("keywords", "undo", LIST, "--yes")
    assert done.code == 0
    assert (
        "the list does not show update 2, whose outcome is unknown, so there is nothing to undo; "
        in done.line
    )
    assert "--to restores an earlier content" in done.line
    table = cli("keywords", "history", LIST, "2", "--format", "table").out
    assert "unknown" in table.splitlines()[1]
    assert cli("keywords", "undo", LIST, "--to", "0", "--yes").code == 0
    assert terms(simulator) == BEFORE


def test_undo_of_entries_that_are_gone(cli: CommandLine, simulator: Simulator) -> None:
    """Entries of the update that the list does not have any more are named, as by `remove`."""
    assert cli("keywords", "add", LIST, "mine", "mine too", "--yes").code == 0
    simulator.keyword_lists[LIST]["searchTerms"].remove("mine")
    done = cli("keywords", "undo", LIST, "--yes")
    assert "! the list no longer has 1 entry that this update added:\n!   mine\n" in done.err
    assert (records(done)[0]["removed"], records(done)[0]["absent"]) == (["mine too"], ["mine"])
    done = cli("keywords", "undo", LIST, "1", "--yes", "--format", "table")
    assert done.code == 0
    assert done.out == f"{LIST} does not have mine, mine too: no update was sent.\n"


def add_as_a_colleague(cli: CommandLine, *entries: str) -> None:
    with cli.env.context() as env:
        env.setenv("COMETCHAT_JOURNAL", "theirs.sqlite3")
        for entry in entries:
            assert cli("keywords", "add", LIST, entry, "--yes").code == 0


def undo_as_a_colleague(cli: CommandLine, *options: str) -> Result:
    with cli.env.context() as env:
        env.setenv("COMETCHAT_JOURNAL", "theirs.sqlite3")
        return cli("keywords", "undo", LIST, "--yes", *options)


def test_two_moderators(cli: CommandLine, simulator: Simulator) -> None:
    """Each undo takes back what the update of its own journal did, and nothing of a colleague."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    add_as_a_colleague(cli, "hers", "also hers", "her last")
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert terms(simulator) == [*BEFORE, "hers", "also hers", "her last"]
    assert undo_as_a_colleague(cli).code == 0
    assert terms(simulator) == [*BEFORE, "hers", "also hers"]


def test_restore_over_changes_of_somebody_else(cli: CommandLine, simulator: Simulator) -> None:
    """`--to` marks the lines of somebody else; --yes refuses them, and a question does not."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    add_as_a_colleague(cli, "hers")
    done = cli("keywords", "undo", LIST, "--to", "0")
    assert "! It also undoes 1 change that somebody else made, marked below." in done.err
    assert {"- mine", "- hers  (of somebody else)"} <= set(done.err.splitlines())
    assert f"Restore {LIST} in the app at " in done.err
    done = cli("keywords", "undo", LIST, "--to", "0", "--yes")
    assert (done.code, terms(simulator)) == (6, [*BEFORE, "mine", "hers"])
    assert (
        "this would undo 1 change that somebody else made; to see them and decide, leave out --yes. No update was"
        in done.err
    )


def test_restore_over_an_entry_that_was_removed_and_added_again(
    cli: CommandLine, simulator: Simulator
) -> None:
    """An entry of a colleague that you removed, and that your undo added again, is of the
    colleague."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    add_as_a_colleague(cli, "hers")
    assert cli("keywords", "remove", LIST, "hers", "--yes").code == 0
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    done = cli("keywords", "undo", LIST, "--to", "0", "--yes")
    assert (done.code, "- hers  (of somebody else)" in done.err) == (6, True)
    assert terms(simulator) == [*BEFORE, "mine", "hers"]


def test_printed_undo_run_twice(cli: CommandLine, simulator: Simulator) -> None:
    """The printed undo names its update, so a second run changes nothing."""
    assert cli("keywords", "add", LIST, "first", "--yes").code == 0
    (record,) = records(cli("keywords", "add", LIST, "second", "--yes"))
    for _ in range(2):
        assert cli(*record["undo"].split()[1:], "--yes").code == 0
        assert terms(simulator) == [*BEFORE, "first"]


@pytest.mark.parametrize("arguments", [[LIST], ["--command", "1"]])
def test_undo_of_a_list_that_somebody_rebuilt(
    cli: CommandLine, simulator: Simulator, arguments: list[str]
) -> None:
    """An undo keeps a list that somebody has rebuilt, and only adds what its update removed."""
    assert update(cli, *(f"own word {number}" for number in range(20))).code == 0
    rebuilt = [f"other word {number}" for number in range(200)]
    update_of_a_colleague(cli, *rebuilt)
    assert cli("keywords", "undo", *arguments, "--yes").code == 0
    assert terms(simulator) == [*BEFORE, *rebuilt]


def test_undo_of_a_lost_update(cli: CommandLine, simulator: Simulator) -> None:
    """If an update got lost and somebody else has changed the list, an undo changes nothing."""
    simulator.fail("update_keyword_list", cut="before_headers")
    assert update(cli, *BEFORE, "lost").code == 12
    update_of_a_colleague(cli, *BEFORE, "of a colleague")
    done = cli("keywords", "undo", LIST, "--yes", "--format", "table")
    assert (done.code, terms(simulator)) == (0, [*BEFORE, "of a colleague"])
    assert "the list does not show update 1, whose outcome is unknown" in done.err


def test_undo_on_a_list_that_somebody_emptied(cli: CommandLine, simulator: Simulator) -> None:
    """An undo on a list that is now empty adds what its update removed, and keeps the name that
    the list has now."""
    assert cli("keywords", "remove", LIST, "spam", "--yes").code == 0
    record: Any = simulator.keyword_lists[LIST]
    record |= {"searchTerms": [], "name": "Ours", "description": "", "revisionId": "theirs"}
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    assert (terms(simulator), simulator.keyword_lists[LIST]["name"]) == (["spam"], "Ours")


def test_undo_that_has_nothing_to_add_to_an_empty_list(
    cli: CommandLine, simulator: Simulator
) -> None:
    """If the list is now empty, and the update removed nothing, there is nothing to undo."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    record: Any = simulator.keyword_lists[LIST]
    record |= {"searchTerms": [], "revisionId": "theirs"}
    done = cli("keywords", "undo", LIST, "--yes")
    assert (done.code, records(done)[0]["outcome"], updates(simulator)) == (0, "unchanged", 1)


@pytest.mark.parametrize("shown", [[], None], ids=["empty", "hidden"])
def test_update_that_cannot_be_undone(
    cli: CommandLine, simulator: Simulator, shown: list[str] | None
) -> None:
    """The first entries of an empty list, and an update of hidden entries, cannot be undone: the
    plan says so, and the result names no undo."""
    record: Any = simulator.keyword_lists[LIST]
    record["searchTerms"] = shown
    done = update(cli, "doxxing")
    assert "! keywords undo will not be able to undo this update\n" in done.err
    assert (records(done)[0]["outcome"], records(done)[0]["undo"]) == ("updated", None)
    assert cli("keywords", "undo", LIST, "--yes").code == 2
    record = simulator.keyword_lists[LIST]
    record["searchTerms"] = shown
    done = update(cli, "phishing", options=("--format", "table"))
    assert (done.code, done.out.count("updated"), "Undo" in done.out) == (0, 1, False)
    assert "able to undo" not in update(cli, "swatting").err


def test_note_about_updates_that_cannot_be_undone(cli: CommandLine, simulator: Simulator) -> None:
    """The note about one undo counts only the updates that it undoes."""
    names = (LIST, "default-profanity", "imported-phrases")
    before = [terms(simulator, name) for name in names[:2]]
    empty: Any = {**simulator.keyword_lists[LIST]}
    empty.update(id=names[2], searchTerms=[])
    simulator.keyword_lists[names[2]] = empty
    for name in names:
        cli.write(f"lists/{name}.txt", "spam\nscam\nnew\n")
    done = cli("keywords", "sync", "lists", "--yes", "--max-removed", "100%")
    named = re.search(r"to undo these 2 updates together: cometchat-desk (.*)", done.err)
    assert named is not None
    done = cli(*named[1].split(), "--yes")
    assert "the list was empty at that time, and an update cannot empty a list" in done.err
    assert [terms(simulator, name) for name in names] == [*before, ["spam", "scam", "new"]]


def test_restore_of_a_list_whose_entries_are_hidden(cli: CommandLine, simulator: Simulator) -> None:
    """If the service no longer shows the entries, an undo of one update leads to `--to`, which
    restores the list after a question; --yes refuses it."""
    assert cli("keywords", "add", LIST, "mine", "--yes").code == 0
    record: Any = simulator.keyword_lists[LIST]
    record["searchTerms"] = None
    assert "undo --to restores the whole list" in cli("keywords", "undo", LIST, "--yes").err
    done = cli("keywords", "undo", LIST, "--to", "0", "--yes")
    assert (done.code, updates(simulator), "max-removed" in done.err) == (6, 1, False)
    assert "to decide, leave out --yes. No update was sent." in done.err
    cli.env.setattr(prompts, "can_ask", lambda: True)
    done = cli("keywords", "undo", LIST, "--to", "0", stdin="y\n")
    assert (done.code, terms(simulator)) == (0, BEFORE)
    assert "the changes are unknown" in done.err
