"""Files with messages that somebody else made."""

import os
from pathlib import Path

import pytest

from ..commands.test_apps import posix
from ..conftest import CommandLine, Start


@posix
@pytest.mark.parametrize("name", ["pipe.jsonl", "pipe.txt", "zero.csv", "zero.jsonl"])
@pytest.mark.parametrize(
    "command",
    [("reviewed", "stats"), ("keywords", "try", "profanity-list", "words.txt")],
    ids=lambda words: words[1],
)
def test_pipe_or_device(cli: CommandLine, command: tuple[str, ...], name: str) -> None:
    """A pipe or a device, also behind a link, is refused at once, and the message
    names a way."""
    cli.write("words.txt", "spam\n")
    for pipe in ("pipe.jsonl", "pipe.txt"):
        os.mkfifo(pipe)
    for link in ("zero.csv", "zero.jsonl"):
        Path(link).symlink_to("/dev/zero")
    done = cli(*command, "--records", name)
    assert done.code == 2
    assert "is not a regular file; name - as the file" in done.err


def test_records_of_standard_input(cli: CommandLine) -> None:
    """With - as the file, exported records come from standard input, for example from a pipe."""
    assert cli("reviewed", "export", "--output", "all.jsonl").code == 0
    text = Path("all.jsonl").read_text("utf-8")
    expected = cli("reviewed", "stats", "--records", "all.jsonl").out
    assert cli("reviewed", "stats", "--records", "-", stdin=text).out == expected


@posix
def test_endless_lines_of_another_kind(process: Start, folder: Path, start: Start) -> None:
    """Lines of standard input that are not exported messages are refused at the first one, also
    without an end."""
    lines = start("yes")
    running = process("reviewed", "stats", "--records", "-", stdin=lines.stdout, cwd=folder)
    _, err = running.communicate(timeout=60)
    assert (
        running.returncode,
        "standard input: contains no reviewed messages; give a file" in err,
    ) == (2, True)


@posix
@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (
            "keywords try any list.txt --against list.txt --records -",
            "standard input is larger than 256 MiB",
        ),
        ("auth-tokens revoke alice --yes", "standard input is larger than 4 MiB"),
        ("reviewed stats --records -", "has a line of more than 16 Mi characters"),
    ],
)
def test_standard_input_without_end(process: Start, folder: Path, command: str, fault: str) -> None:
    """Standard input that does not end is refused at a limit."""
    with Path("/dev/zero").open("rb") as zeros:
        running = process(*command.split(), stdin=zeros, cwd=folder)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, fault in err) == (2, True)
