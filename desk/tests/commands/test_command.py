"""The help of each command, and its first lines in the help of its group."""

import re
from collections.abc import Iterator

import pytest

from cometchat_desk.app import program
from cometchat_desk.exit_codes import Code

from ..conftest import CommandLine


def names(command: object, path: str = "") -> Iterator[str]:
    inner = getattr(command, "commands", {})
    for name in inner:
        yield from names(inner[name], f"{path} {name}".strip())
    if not inner:
        yield path


COMMANDS = list(names(program()))


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, bare_cli: CommandLine) -> None:
    """The help of each command has its usage and valid examples; `help COMMAND` shows the same."""
    done = bare_cli(*command.split(), "--help")
    assert done == bare_cli(*command.split(), "-h") == bare_cli("help", *command.split())
    assert done.code == 0
    assert re.match(
        rf"Usage: cometchat-desk {command} \[OPTIONS\]( [A-Z_.]+| \[[A-Z_.]+\])*\n", done.out
    )
    options, _, examples = done.out.partition("Examples:\n")
    lines = [" ".join(line.split()) for line in examples.replace(" \\\n", " ").splitlines()]
    assert lines
    assert [line for line in lines if not line.startswith(f"cometchat-desk {command}")] == []
    assert {word for word in examples.split() if re.match("--[a-z]", word)} <= set(
        re.findall("--[a-z-]+", options)
    )


@pytest.mark.parametrize("width", [60, 100])
@pytest.mark.parametrize("command", ["", "keywords", "reviewed", "auth-tokens", "apps", *COMMANDS])
def test_width_of_the_help(command: str, width: int, bare_cli: CommandLine) -> None:
    """No line of a help is wider than the terminal, or than 80 columns, except examples, which are
    to be copied."""
    bare_cli.env.setenv("COLUMNS", str(width))
    text, _, _ = bare_cli(*command.split(), "--help").out.partition("Examples:")
    assert max(map(len, text.splitlines())) <= min(width, 80)


@pytest.mark.parametrize("width", ["0", "1", "5"])
def test_help_in_a_tiny_terminal(width: str, bare_cli: CommandLine) -> None:
    """The help is shown in any width."""
    bare_cli.env.setenv("COLUMNS", width)
    done = bare_cli("keywords", "add", "--help")
    assert (done.code, "Usage: cometchat-desk" in done.out) == (0, True)


@pytest.mark.parametrize("group", ["keywords", "reviewed", "auth-tokens", "apps"])
def test_help_of_a_group(group: str, bare_cli: CommandLine) -> None:
    """The help of a group shows the first sentence of each command, and cuts none."""
    done = bare_cli(group, "--help")
    assert done.code == 0
    _, _, commands = done.out.partition("Commands:\n")
    assert commands.count(".\n") >= len(re.findall(r"^  \w", commands, re.MULTILINE))
    assert "..." not in commands


def test_help_of_exit_codes(bare_cli: CommandLine) -> None:
    """`help exit-codes` lists the exit codes, and each help names it."""
    done = bare_cli("help", "exit-codes")
    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == [str(int(code)) for code in Code]
    assert "  6  conflict: " in done.out
    helps = [
        " ".join(bare_cli(*words, "--help").out.split()) for words in ((), ("keywords", "add"))
    ]
    assert [text.count("help exit-codes") for text in helps] == [1, 1]
