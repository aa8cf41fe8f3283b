"""The help of each command, and its first lines in the help of its group."""

import re

import pytest

from ..conftest import CommandLine

COMMANDS = [
    *(["keywords", name] for name in ("get", "dump", "plan", "apply")),
    *(["reviewed", name] for name in ("list", "watch", "export")),
    ["roles", "list"],
    ["auth-tokens", "revoke"],
    *(["apps", name] for name in ("add", "list")),
    ["check"],
    ["help", "exit-codes"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help(command: list[str], bare_cli: CommandLine) -> None:
    """The help of each command has its usage, valid examples and at most 80 columns."""
    done = bare_cli(*command, "--help")
    assert done == bare_cli(*command, "-h")
    assert done.code == 0
    usage = rf"Usage: cometchat-desk {' '.join(command)} \[OPTIONS\]( [A-Z]+| \[[A-Z]+\])*\n"
    assert re.match(usage, done.out)
    options, _, examples = done.out.partition("Examples:\n")
    lines = examples.splitlines()
    assert lines
    for line in lines:
        assert line.split()[: len(command) + 1] == ["cometchat-desk", *command]
        assert {word for word in line.split() if word.startswith("--")} <= set(re.findall("--[a-z-]+", options))
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("group", ["keywords", "reviewed", "auth-tokens", "apps"])
def test_help_of_a_group(group: str, bare_cli: CommandLine) -> None:
    """The help of a group shows the first sentence of each command, and cuts none."""
    done = bare_cli(group, "--help")
    assert done.code == 0
    _, _, commands = done.out.partition("Commands:\n")
    assert commands.count(".\n") >= len(re.findall(r"^  \w", commands, re.MULTILINE))
    assert "..." not in commands
    assert max(map(len, done.out.splitlines())) <= 80
