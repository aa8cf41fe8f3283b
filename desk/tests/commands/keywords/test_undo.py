"""`cometchat-desk keywords undo`."""

import re
import shlex

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine
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
            "this app has no update 9; see cometchat-desk keywords history profanity-list",
        ),
        (
            ["imported-phrases"],
            2,
            "has no update of imported-phrases in this app to undo; cometchat-desk keywords history",
        ),
        ([LIST, "--max-removed", "0.1"], 6, "--max-removed allows 10.0%"),
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
    assert done.out.startswith(f"{LIST} updated: 6 added, 2 removed. Undo:\n  ")
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
        "this restores the list as it was before update 1",
    )
    assert terms(simulator) == BEFORE
    done = cli("keywords", "undo", LIST, "--to", "0", "--format", "table")
    assert (done.code, done.out) == (0, f"{LIST} is already as requested: no update was sent.\n")


def test_undo_of_several_apps(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """One command undoes the last update of each app; a number is for one app."""
    update(cli, *BEFORE, "new", options=("--all-apps",))
    apps = {each["number"]: each["app"] for each in history(cli, "--all-apps")}
    done = cli("keywords", "undo", LIST, "1", "--app", apps[2])
    assert done.line.endswith(f"undo {LIST} --app {apps[1]} --to 0")
    done = cli("keywords", "undo", LIST, "--all-apps", "--to", "1", "--yes")
    assert (
        done.code,
        "--to: a number belongs to one app, so name one app with --app" in done.line,
    ) == (2, True)
    assert cli("keywords", "undo", LIST, "--all-apps", "--yes").code == 0
    assert [terms(each) for each in two_apps.values()] == [BEFORE, BEFORE]


def test_undo_after_an_update_of_another_app(
    two: CommandLine, simulator: Simulator, forum: Simulator
) -> None:
    """With --yes, undo without an app is refused if the last command changed the list in another
    app."""
    two("apps", "default", "shop")
    for name in ("shop", "forum"):
        assert two("keywords", "add", LIST, "new", "--app", name, "--yes").code == 0
    done = two("keywords", "undo", LIST, "--yes")
    assert (
        f"changed the list in forum ({forum.base_url}): name the app to undo with --app, or use"
        in done.line
    )
    assert (done.code, terms(simulator)) == (2, [*BEFORE, "new"])
    assert (two("keywords", "undo", LIST, "--app", "shop", "--yes").code, terms(simulator)) == (
        0,
        BEFORE,
    )
    assert two("keywords", "add", LIST, "newer", "--all-apps", "--yes").code == 0
    assert two("keywords", "undo", LIST, "--yes").code == 2


def test_undo_of_a_list_with_a_typing_error(cli: CommandLine) -> None:
    """An undo of a list that nobody has updated names the list that may be meant."""
    assert update(cli, *BEFORE, "new").code == 0
    done = cli("keywords", "undo", "profanty-list", "--yes")
    assert (done.code, f"Did you mean {LIST}?" in done.line) == (2, True)


def test_undo_of_an_earlier_update(cli: CommandLine, simulator: Simulator) -> None:
    """The number of an update leads to the commands that undo only this one, and that restore
    the list before it."""
    for typed in (
        ["add", LIST, "free money", "-x"],
        ["remove", LIST, "spam"],
        ["add", LIST, "later"],
    ):
        assert cli("keywords", *typed[:2], "--yes", "--", *typed[2:]).code == 0
    restore = "To restore the list as it was before update {}, without all later changes, use: cometchat-desk keywords"
    added, removed = (
        cli("keywords", "undo", LIST, "1").line,
        cli("keywords", "undo", LIST, "2").line,
    )
    first, second = f"remove {LIST} -- 'free money' -x", f"add {LIST} -- spam"
    assert added.endswith(
        f"use: cometchat-desk keywords {first}; {restore.format(1)} undo {LIST} --to 0"
    )
    assert removed.endswith(
        f"use: cometchat-desk keywords {second}; {restore.format(2)} undo {LIST} --to 1"
    )
    for typed in (shlex.split(first), shlex.split(second)):
        assert cli("keywords", *typed[:2], "--yes", *typed[2:]).code == 0
    assert terms(simulator) == [*BEFORE[1:], "later", "spam"]
    assert cli("keywords", "add", LIST, "--yes", "--", *"ABCDEF").code == 0
    assert (
        f"To see them, use: cometchat-desk keywords history {LIST} 6; "
        in cli("keywords", "undo", LIST, "6").line
    )


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
        r"(?m)^Note: to undo all 4 updates: cometchat-desk (keywords undo --command \d+)$", done.err
    )
    assert named is not None
    assert cli(*named[1].split(), "--yes").code == 0
    assert {name: terms(each) for name, each in two_apps.items()} == before


def test_undo_of_a_command(synced: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """`--command` undoes all that one command changed, in all lists and apps, except where a
    later update exists."""
    assert synced("keywords", "add", LIST, "later", "--app", "shop", "--yes").code == 0
    done = synced("keywords", "undo", "--command", "1")
    assert "this undoes 3 updates of keywords sync of " in done.err
    assert done.err.count("[y/N]") == 0
    done = synced("keywords", "undo", "--command", "1", "--yes")
    assert (done.code, [record["outcome"] for record in records(done)].count("updated")) == (2, 2)
    assert (
        f"{LIST} in shop ({two_apps['shop'].base_url}): update 5 (keywords add) came later, so "
        in done.err
    )
    alone = (
        rf"To undo only update \d, use: cometchat-desk keywords remove {LIST} --app shop -- new; "
    )
    assert re.search(rf"{alone}.*keywords undo {LIST} --app shop --to 0\n", done.err)
    assert (
        "(keywords undo) has already undone update "
        in synced("keywords", "undo", "--command", "1").err
    )
    assert terms(two_apps["shop"]) == ["spam", "scam", "new", "later"]
    assert terms(two_apps["forum"]) == BEFORE
    assert all(
        terms(each, "default-profanity") != ["spam", "scam", "new"] for each in two_apps.values()
    )
    line = synced("keywords", "undo", LIST, "--command", "1").line
    assert "name either a LIST, with or without --to, or a --command" in line


def test_undo_undoes_one_command(cli: CommandLine, two_apps: dict[str, Simulator]) -> None:
    """If different commands made the last updates of several apps, an undo of them all sends
    nothing."""
    assert cli("keywords", "add", LIST, "older", "--app", "forum", "--yes").code == 0
    # Forum has this entry already, so this command does not update it.
    assert cli("keywords", "add", LIST, "older", "--all-apps", "--yes").code == 0
    before = [updates(each) for each in two_apps.values()]
    done = cli("keywords", "undo", LIST, "--all-apps", "--yes")
    assert (done.code, done.out) == (2, "")
    assert re.search(
        r"in shop: update 2 \(keywords add\) of .* UTC; in forum: update 1 ", done.line
    )
    assert [updates(each) for each in two_apps.values()] == before
    assert cli("keywords", "undo", LIST, "--app", "shop", "--yes").code == 0
    # `--to 0` names a content, not an update.
    assert cli("keywords", "undo", LIST, "--all-apps", "--to", "0", "--yes").code == 0
    assert [terms(each) for each in two_apps.values()] == [BEFORE, BEFORE]


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
    assert "use --to" in done.line
    table = cli("keywords", "history", LIST, "2", "--format", "table").out
    assert "unknown" in table.splitlines()[1]
    assert cli("keywords", "undo", LIST, "--to", "0", "--yes").code == 0
    assert terms(simulator) == BEFORE


def test_undo_over_a_change_of_somebody_else(cli: CommandLine, simulator: Simulator) -> None:
    """If an update got lost and somebody else has changed the list, an undo warns that it undoes
    this change."""
    simulator.fail("update_keyword_list", cut="before_headers")
    assert update(cli, *BEFORE, "lost").code == 12
    update_of_a_colleague(cli, *BEFORE, "of a colleague")
    done = cli("keywords", "undo", LIST)
    assert "! the list has changed since update 1, but not with this journal." in done.err
    assert "- of a colleague" in done.err
    assert cli("keywords", "undo", LIST, "--yes").code == 0
    # Now somebody else undoes this undo.
    update_of_a_colleague(cli, *BEFORE, "of a colleague")
    done = cli("keywords", "undo", LIST, "--yes", "--format", "table")
    assert done.out == f"{LIST} is already as requested: no update was sent.\n"
    assert "this undoes update 2 (keywords undo) of " in done.err


@pytest.mark.parametrize("arguments", [[LIST], [LIST, "--to", "0"], ["--command", "1"]])
def test_undo_of_a_list_that_somebody_rebuilt(
    cli: CommandLine, simulator: Simulator, arguments: list[str]
) -> None:
    """An undo that would remove many entries of somebody else is refused, as `apply` is;
    `--max-removed` allows it."""
    # The entries of the own update have no limit: it added more than it kept.
    assert update(cli, *(f"own {number}" for number in range(20))).code == 0
    rebuilt = [f"word {number}" for number in range(200)]
    update_of_a_colleague(cli, *rebuilt)
    done = cli("keywords", "undo", *arguments, "--yes")
    assert (done.code, terms(simulator)) == (6, rebuilt)
    assert "the update would remove 200 of 200 entries (100.0%), and by default, " in done.err
    assert cli("keywords", "undo", *arguments, "--yes", "--max-removed", "100%").code == 0
    assert terms(simulator) == BEFORE
