"""Texts of other people on a terminal."""

import json
import re
import unicodedata

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine, app, first_text
from ..pseudo_terminal import Terminal

HOSTILE = "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202eright to left\u2028[bold]markup[/bold] :smile:"


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_messages_are_plain_text(cli: CommandLine, simulator: Simulator, form: str) -> None:
    """A message cannot move the cursor, set a colour or change the direction of text; all of it
    is readable."""
    first_text(simulator, HOSTILE)
    out = cli("reviewed", "list", "--limit", "1", "--format", form).out
    assert {unicodedata.category(each) for each in out.replace("\n", "")} & {
        "Cc",
        "Cf",
        "Zl",
        "Zp",
    } == set()
    joined = re.sub(r"\s+", "", out)
    parts = (r"\u001b[2J", r"\u202e", r"\u2028", "[bold]markup[/bold]", ":smile:")
    assert [part for part in parts if part not in joined] == []
    if form != "table":
        found = json.loads(out)
        record = found[0] if form == "json" else found
        assert record["message"]["data"]["text"] == HOSTILE


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_commands_to_copy(cli: CommandLine, simulator: Simulator, columns: int) -> None:
    """A terminal of any width shows each command to copy on a separate line, unbroken and
    without a full stop."""
    name, undo = (
        "the-forum-of-the-whole-team",
        "  cometchat-desk keywords undo profanity-list {}",
    )
    env = {"HOME": str(cli.folder / "home")}

    def commands(typed: str) -> list[str]:
        with Terminal(typed.split(), env, columns=columns) as terminal:
            terminal.end()
        lines = terminal.output.replace("\r", "").split("\n")
        return [line for line in lines if "cometchat-desk " in line]

    with Simulator() as forum:
        cli.profiles(app("shop", simulator) + app(name, forum))
        assert commands("keywords add profanity-list new --app shop --yes") == [
            undo.format("1 --app shop")
        ]
        assert commands(f"keywords add profanity-list new --app {name} --yes") == [
            undo.format(f"2 --app {name}")
        ]
        assert commands("keywords add --frmat") == ["  cometchat-desk keywords add --help"]
