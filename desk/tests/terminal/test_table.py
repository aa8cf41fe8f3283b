"""Tables on terminals of any width, with texts of any language."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine, app
from ..pseudo_terminal import Terminal, screen_of, text_of

LIST = "profanity-list"


def test_emoji(env: dict[str, str], simulator: Simulator) -> None:
    """Emoji, wide characters and combining marks move no column, also on a terminal that does
    not join emoji."""
    joined = ("👩\u200d👩\u200d👧", "👍🏽", "❤\ufe0f", "1\ufe0f\u20e3")
    characters = [*joined, "z\u0351\u036b\u034d", "你", "ने"]
    for record, each in zip(simulator.reviewed_messages, characters, strict=False):
        message: Any = record["message"]
        message["data"]["text"] = f"{each * 8} {each} words {each * 30} end"
    with Terminal(["reviewed", "list", "--limit", str(len(characters))], env) as terminal:
        assert terminal.end() == 0
    lines = text_of(screen_of(terminal.output, 80, lines=150)).splitlines()
    assert all(re.match(r"Time|2025-|\d\d:|   ", line) for line in lines)


def test_needs_of_a_moderator(env: dict[str, str]) -> None:
    """At 80 columns, `reviewed list` shows who wrote what, when, the identifier, the rule and
    the status."""
    with Terminal(["reviewed", "list", "--limit", "2"], env) as terminal:
        assert terminal.end() == 0
    assert text_of(screen_of(terminal.output, 80)).splitlines()[:4] == [
        "Time (UTC)  Message   From      Text                     Rule        Status",
        "2025-09-15  390079    alice     Get your free coins,     Block word  disapproved",
        "17:05:51                        приве́т 👋 (message 0)",
        "2025-09-15  390078    bob       We crushed them in the   Block       approved",
    ]


def test_no_color(env: dict[str, str], folder: Path) -> None:
    """With NO_COLOR, the output has no colours."""
    with Terminal(
        ["keywords", "apply", "--dry-run", LIST, "list.txt"],
        {**env, "NO_COLOR": "1"},
        folder=folder,
    ) as terminal:
        assert terminal.end() == 0
        assert "\x1b[3" not in terminal.output
        assert "+ 新しい" in terminal.output


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (
            "keywords apply profanity-list list.txt --dry-run",
            "U+2019 RIGHT SINGLE QUOTATION MARK, which a typed apostrophe never",
        ),
        (
            "keywords lint list.txt",
            "U+2019 RIGHT SINGLE QUOTATION MARK, which a typed apostrophe never matches",
        ),
        (
            "keywords lint --fix list.txt --dry-run",
            "list.txt:1: 'don\u2019t' becomes 'don't' (curly-apostrophe)",
        ),
        (
            "keywords add profanity-list phishing --dry-run",
            "updated: 1 added (phishing). No update was sent.",
        ),
        (
            "keywords try profanity-list list.txt --records all.jsonl",
            "- 1 no longer matched (100%), 0 of them",
        ),
        (
            "reviewed explain 390079",
            "(as substrings in scripts without spaces); patterns are RE2 regular expressions;",
        ),
    ],
)
def test_lines_end_at_words(
    env: dict[str, str], folder: Path, simulator: Simulator, command: str, text: str
) -> None:
    """A terminal shows warnings, findings and results in lines that end at words."""
    (folder / "list.txt").write_text("don\u2019t\n", "utf-8")
    (folder / "all.jsonl").write_text(json.dumps(simulator.reviewed_messages[0]), "utf-8")
    with Terminal(command.split(), env, folder=folder, columns=46) as terminal:
        terminal.end()
    assert text in " ".join(
        line.strip() for line in text_of(screen_of(terminal.output, 46)).splitlines()
    )


@pytest.mark.parametrize("width", ["0", "1", "5"])
@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "keywords add --help",
        "reviewed stats --help",
        "keywords get profanity-list --format table",
        "reviewed list --limit 1 --format table",
    ],
)
def test_a_terminal_without_room(cli: CommandLine, width: str, command: str) -> None:
    """A very narrow terminal, and one that says the width 0, get the whole output."""
    cli.env.setenv("COLUMNS", width)
    done = cli(*command.split())
    assert (done.code, done.err) == (0, "")
    assert len(done.out) > 60


@pytest.mark.parametrize("width", ["40", "80", "200"])
def test_a_path_stays_in_one_line(bare_cli: CommandLine, simulator: Simulator, width: str) -> None:
    """`apps list` never breaks the path of a key, so that it can be copied; the rows stay a
    table."""
    key = bare_cli.write("keys/the-key-of-the-shop-with-a-long-name.key", simulator.api_key)
    bare_cli.profiles(
        f'[apps.shop]\nbase_url = "{simulator.base_url}"\napi_key_file = "{key}"\n'
        + app("forum", simulator)
    )
    bare_cli.env.setenv("COLUMNS", width)
    out = bare_cli("apps", "list", "--format", "table").out
    assert out.count(str(key)) == 1
    assert "forum" in out
