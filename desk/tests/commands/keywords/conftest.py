"""What the tests of keyword lists share: a list of the simulator, its entries, and two apps with
profiles."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cometchat_testing import Simulator

from ...conftest import CommandLine, Result, app

LIST = "profanity-list"
OTHER, PATTERNS = "default-profanity", "scam-patterns"
BEFORE = ["spam", "scam", "free coins", "Schimpfwort", "malparido", "バカ"]


def terms(simulator: Simulator, keyword_id: str = LIST) -> Any:
    return simulator.keyword_lists[keyword_id].get("searchTerms")


def records(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.out.splitlines()]


def updates(simulator: Simulator) -> int:
    """The number of updates that the service received."""
    return [request.method for request in simulator.requests].count("PUT")


def update(cli: CommandLine, *entries: str, options: tuple[str, ...] = ()) -> Result:
    cli.write("list.txt", "".join(f"{term}\n" for term in entries))
    return cli("keywords", "apply", LIST, "list.txt", "--yes", "--max-removed", "100%", *options)


def history(cli: CommandLine, *options: str) -> list[dict[str, Any]]:
    done = cli("keywords", "history", LIST, "--format", "json", *options)
    assert done.code == 0, done.err
    entries: list[dict[str, Any]] = json.loads(done.out)
    return entries


def has_failed(done: Result) -> bool:
    """Whether the output is the record of one failed app, with the exit code."""
    record = json.loads(done.out)
    return (record["outcome"], record["exit_code"]) == ("failed", done.code)


def fill_disk(cli: CommandLine) -> None:
    """From now on, a journal has no room for a long list."""
    connect = sqlite3.connect

    def on_full_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 10")
        return connection

    cli.env.setattr("sqlite3.connect", on_full_disk)


@pytest.fixture
def chat_log(cli: CommandLine) -> Path:
    """A chat, and an old and a new list to try on it."""
    cli.write("new.txt", "spam\nphishing\n")
    cli.write("old.txt", "spam\nscam\n")
    return cli.write("chat.txt", "Spam!\nphishing, phishing\nno scam\nhello\nNigeria\n")


def tried(cli: CommandLine, *arguments: str) -> Result:
    return cli("keywords", "try", LIST, "new.txt", "--against", "old.txt", *arguments)


@pytest.fixture
def cli(cli: CommandLine) -> CommandLine:
    """The command line with the default journal, in the home folder of the test."""
    cli.env.delenv("COMETCHAT_JOURNAL")
    cli.env.delenv("XDG_STATE_HOME", raising=False)
    return cli


@pytest.fixture
def forum() -> Iterator[Simulator]:
    """The service of a second app."""
    with Simulator() as second:
        yield second


@pytest.fixture
def two(cli: CommandLine, simulator: Simulator, forum: Simulator) -> CommandLine:
    """The apps `shop` and `forum`."""
    cli.profiles(app("shop", simulator) + app("forum", forum))
    return cli


@pytest.fixture
def three(cli: CommandLine, simulator: Simulator, forum: Simulator) -> CommandLine:
    """The apps `shop`, `forum` with other entries, and `closed`, whose key the service refuses;
    and a changed list."""
    forum.keyword_lists[LIST]["searchTerms"] = ["own word", "scam"]
    cli.profiles(
        app("shop", simulator) + app("forum", forum) + app("closed", forum, key=forum.auth_only_key)
    )
    cli.write("list.txt", "".join(f"{term}\n" for term in [*BEFORE, "new"]))
    return cli


@pytest.fixture
def two_apps(two: CommandLine, simulator: Simulator, forum: Simulator) -> dict[str, Simulator]:
    """The apps `shop`, which is also the app of the environment, and `forum`."""
    del two
    return {"shop": simulator, "forum": forum}


def write_lists(cli: CommandLine, **files: list[str]) -> None:
    """Write lists into the folder `lists`."""
    for name, entries in files.items():
        cli.write(f"lists/{name.replace('_', '-')}.txt", "".join(f"{entry}\n" for entry in entries))


@pytest.fixture
def lists(cli: CommandLine, simulator: Simulator) -> CommandLine:
    """A folder with an equal list and a changed list."""
    write_lists(
        cli,
        profanity_list=terms(simulator),
        default_profanity=[*terms(simulator, OTHER), "phishing"],
    )
    return cli


@pytest.fixture
def two_of_lists(two: CommandLine, lists: CommandLine, forum: Simulator) -> CommandLine:
    """The apps `shop` and `forum`; `forum` does not have the list `default-profanity`."""
    del two, forum.keyword_lists[OTHER]
    return lists
