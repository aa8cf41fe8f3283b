"""`cometchat-desk help`: the help of a command, or a topic."""

import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer

from cometchat_desk.exit_codes import MEANINGS, Code
from cometchat_desk.messages import print_error, run_command

from .command import Command, format_examples

group = typer.Typer()

_TOPIC = "exit-codes"
_EXAMPLES = ["cometchat-desk help exit-codes", "cometchat-desk help keywords apply"]


def topics() -> Sequence[str]:
    """The topics that are not commands, for completion in a shell."""
    return [_TOPIC]


@group.command("help", cls=Command, epilog=format_examples(_EXAMPLES))
def show_help(
    topic: Annotated[
        list[str] | None, typer.Argument(metavar="TOPIC...", help="exit-codes, or a command.", autocompletion=topics)
    ] = None,
) -> None:
    """Explain a command, or the exit codes: help exit-codes."""
    # The help of a command never gets here: `as_option` has replaced it.
    if topic != [_TOPIC]:
        print_error(f"help takes a command, or {_TOPIC}; see cometchat-desk help")
        raise typer.Exit(Code.USAGE)
    raise typer.Exit(run_command(lambda: print(exit_codes())))


def as_option(words: Sequence[str]) -> Sequence[str]:
    """A command line with `--help` in place of `help COMMAND`; any other command line as it is."""
    if words[:1] != ["help"] or words[1:2] == [_TOPIC] or any(word.startswith("-") for word in words):
        return words
    return [*words[1:], "--help"]


def exit_codes() -> str:
    """The exit codes and their meanings, within 80 columns."""
    rows = (
        textwrap.fill(meaning, 80, initial_indent=f"  {code:>3}  ", subsequent_indent=" " * 7, break_on_hyphens=False)
        for code, meaning in MEANINGS.items()
    )
    return "\n".join(["An error is one line on stderr. The exit code tells the kind of error:", "", *rows])
