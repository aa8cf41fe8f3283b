"""The journal of commands that update lists."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cometchat_rest.testing import Simulator

from ...conftest import CommandLine
from .conftest import BEFORE, LIST, fill_disk, has_failed, terms, update, updates


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
    assert update(cli, *BEFORE).code == 0
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
    assert updates(simulator) == 0
    assert (path.read_bytes() if path.is_file() else None) == before


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
    assert updates(simulator) == 0


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
    assert (done.code, done.line) == (3, "cometchat-desk: the journal needs SQLite, which this Python does not have")


def test_help_does_not_load_the_journal() -> None:
    """The help of a command loads neither SQLite nor the journal."""
    code = (
        "import sys; from cometchat_desk.app import run; run(['keywords', 'apply', '--help']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    assert "--no-journal" in done.stdout
    assert not {"sqlite3", "platformdirs", "cometchat_desk.journal"} & set(done.stderr.split())
