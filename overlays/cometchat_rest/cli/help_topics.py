"""`cometchat-rest help`: the help of a command, or a topic."""

import textwrap
from collections.abc import Sequence
from typing import Annotated

import typer

from .command import format_examples
from .exit_codes import MEANINGS

group = typer.Typer()

_TOPIC = "exit-codes"
_EXAMPLES = ["cometchat-rest help exit-codes", "cometchat-rest help keywords apply"]


def topics() -> Sequence[str]:
    """The topics that are not commands, for completion in a shell."""
    return [_TOPIC]


@group.command("help", epilog=format_examples(_EXAMPLES))
def show_help(
    topic: Annotated[
        list[str] | None, typer.Argument(metavar="[TOPIC...]", help="exit-codes, or a command.", autocompletion=topics)
    ] = None,
) -> None:
    """Explain a command, or the exit codes: help exit-codes."""
    if topic == [_TOPIC]:
        print(exit_codes())
        return
    from .app import run

    raise typer.Exit(run([*(topic or ()), "--help"]))


def exit_codes() -> str:
    """The exit codes and their meanings, within 80 columns."""
    rows = (
        textwrap.fill(meaning, 80, initial_indent=f"  {code:>3}  ", subsequent_indent=" " * 7, break_on_hyphens=False)
        for code, meaning in MEANINGS.items()
    )
    return "\n".join(["An error is one line on stderr. The exit code tells the kind of error:", "", *rows])
