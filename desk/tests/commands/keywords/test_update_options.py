"""The journal of commands that update lists, and the app that they choose."""

import os

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, app
from .conftest import BEFORE, LIST, fill_disk, has_failed, update, updates


def test_nothing_to_change_needs_no_journal(cli: CommandLine) -> None:
    """If the list already matches the file, no journal is created."""
    assert update(cli, *BEFORE).code == 0
    assert not list(cli.folder.rglob("*.sqlite3"))


@pytest.mark.parametrize(
    "typed",
    [
        f"history {LIST}",
        f"history {LIST} 1",
        f"undo {LIST} --yes",
        f"apply {LIST} list.txt --yes --max-removed 100%",
    ],
)
def test_unusable_journal(cli: CommandLine, simulator: Simulator, typed: str) -> None:
    """With an unusable journal, each command ends with one line and code 11, which names the
    variable of its path."""
    path = cli.write("my.db", "term\nspam\n" * 1000)
    cli.write("list.txt", "one\n")
    cli.env.setenv("COMETCHAT_JOURNAL", "my.db")
    done = cli("keywords", *typed.split())
    assert done.code == 11
    assert has_failed(done) if typed.startswith("undo") else done.out == ""
    line = done.err.splitlines()[-1]
    assert "the journal my.db is not a journal: the file is not an SQLite database" in line
    assert line.endswith("name another file with the variable COMETCHAT_JOURNAL")
    assert updates(simulator) == 0
    assert path.read_text("utf-8") == "term\nspam\n" * 1000


def test_full_disk(cli: CommandLine, simulator: Simulator) -> None:
    """If the entry cannot be written, the update is not sent, and one line says what to do."""
    fill_disk(cli)
    many = [os.urandom(16).hex() for _ in range(2000)]
    both = (update(cli, *many), cli("keywords", "add", LIST, "--from", "list.txt", "--yes"))
    advice = "the disk is full; free some space, or name another file with"
    assert [(done.code, advice in done.err.splitlines()[-1]) for done in both] == [(11, True)] * 2
    assert updates(simulator) == 0


def test_app_of_the_environment(cli: CommandLine, simulator: Simulator, forum: Simulator) -> None:
    """The plan names its app, also that of the environment, which goes before the default one."""
    cli.profiles('default = "shop"\n' + app("forum", simulator) + app("shop", forum))
    done = cli("keywords", "add", LIST, "new", "--yes")
    assert done.err.startswith(f"# the app at {simulator.base_url}\n")
    assert (updates(simulator), updates(forum)) == (1, 0)
