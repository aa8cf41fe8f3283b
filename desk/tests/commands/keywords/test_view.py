"""Lists and plans as people see them, and the name of an app in a question."""

import os

import pytest

from cometchat_desk.messages import app_place
from cometchat_testing import Simulator

from ...conftest import CommandLine
from .conftest import LIST


def test_get_as_table(cli: CommandLine) -> None:
    """The table describes the list, and shows each entry in its own script."""
    done = cli("keywords", "get", LIST, "--format", "table")
    assert done.out.startswith("Profanity\nword, 6 entries\n")
    assert "2025-09-15 17:05:51 UTC" in done.out
    assert done.out.endswith("\nSchimpfwort\nmalparido\nバカ\n")


def test_entries_are_plain_text(cli: CommandLine, simulator: Simulator) -> None:
    """An entry is never interpreted as markup, as an emoji name or as a control sequence."""
    simulator.keyword_lists[LIST]["searchTerms"] = ["[bold]x[/bold]", "[a-z]", ":smile:", "\x1b[2J"]
    shown = ["[bold]x[/bold]", "[a-z]", ":smile:", r"\u001b[2J"]
    assert cli("keywords", "get", LIST, "--format", "table").out.splitlines()[-4:] == shown


def test_long_lines_are_not_broken(cli: CommandLine, simulator: Simulator) -> None:
    """An entry or a line of a plan that is wider than the terminal is not broken, so that it can
    be copied."""
    long = "free " * 19 + "coins"
    simulator.keyword_lists[LIST]["searchTerms"] = [long]
    cli.write("list.txt", "spam\n")
    assert f"\n{long}\n" in cli("keywords", "get", LIST, "--format", "table").out
    done = cli("keywords", "apply", LIST, "list.txt", "--dry-run", "--max-removed", "100%")
    assert f"\n- {long}\n" in done.err


@pytest.mark.parametrize(
    ("name", "address", "shown"),
    [
        ("shop", "https://abc.api-eu.cometchat.io/v3", "shop (https://abc.api-eu.cometchat.io/v3)"),
        ("", "https://abc.api-eu.cometchat.io/v3", "the app at https://abc.api-eu.cometchat.io/v3"),
        ("clinic", "https://chat.example.com/v3", "clinic (https://chat.example.com/v3)"),
        ("clinic", "", "clinic"),
    ],
)
def test_places(name: str, address: str, shown: str) -> None:
    """Each message names an app and its address."""
    assert app_place(name, address) == shown


def test_table_with_100_000_entries(cli: CommandLine, simulator: Simulator) -> None:
    """A table with 100,000 entries shows each of them, and does not need many seconds of CPU
    time."""
    entries = [f"größe {number} \x1b[2J" for number in range(100_000)]
    simulator.keyword_lists[LIST]["searchTerms"] = entries
    cli("keywords", "get", "scam-patterns", "--format", "table")
    before = os.times()
    done = cli("keywords", "get", LIST, "--format", "table")
    after = os.times()
    assert done.out.splitlines()[-100_000:] == [
        f"größe {number} \\u001b[2J" for number in range(100_000)
    ]
    assert after.user - before.user < 3
