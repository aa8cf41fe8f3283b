"""The whole command line: all commands, and the errors for invalid arguments."""

import io
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

import cometchat_rest
from cometchat_desk.commands.keywords import (
    change as keywords_change,
)
from cometchat_desk.commands.keywords import (
    content as keywords,
)
from cometchat_desk.commands.keywords import (
    folder as keywords_folder,
)
from cometchat_desk.commands.keywords import (
    history as keywords_history,
)
from cometchat_desk.commands.keywords import (
    lint as keywords_lint,
)
from cometchat_desk.commands.keywords import (
    trial as keywords_try,
)
from cometchat_desk.commands.reviewed import (
    explain as reviewed_explain,
)
from cometchat_desk.commands.reviewed import (
    messages as reviewed,
)
from cometchat_desk.commands.reviewed import (
    report as reviewed_report,
)
from cometchat_desk.commands.reviewed import (
    stats as reviewed_stats,
)
from cometchat_desk.terminal.text import visible

from .commands import apps, auth_tokens, check, help_topics, roles, simulate
from .exit_codes import Code
from .messages import print_error, run_command

PROGRAM = "cometchat-desk"

# Without rich, the help appears sooner.
app = typer.Typer(
    name=PROGRAM,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# Several modules add commands to the same group. The help shows the commands in this order.
_MODULES = (
    keywords,
    keywords_change,
    keywords_lint,
    keywords_history,
    keywords_folder,
    keywords_try,
    reviewed,
    reviewed_explain,
    reviewed_stats,
    reviewed_report,
    roles,
    auth_tokens,
    apps,
    check,
    simulate,
    help_topics,
)
for group in dict.fromkeys(module.group for module in _MODULES):
    app.add_typer(group)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(cometchat_rest.__version__)
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Manage keyword lists, reviewed messages, roles and auth tokens.

    Begin with cometchat-desk apps add NAME, or set COMETCHAT_APP_ID, COMETCHAT_REGION and COMETCHAT_API_KEY.
    """


# Typer makes the commands again for each command line, which takes longer than most commands.
_commands = cache(lambda: typer.main.get_command(app))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line.

    Args:
        arguments: the command and its arguments; by default those of this process.

    Returns:
        The exit code.
    """
    _replace_missing_streams()
    _set_input_encoding()
    _set_output_encoding()
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run_command(lambda: _run_typer(help_topics.as_option(words or ["help"])))


def _run_typer(arguments: Sequence[str]) -> Code:
    try:
        return Code(_commands()(arguments, prog_name=PROGRAM, standalone_mode=False) or Code.DONE)
    except SystemExit as end:
        # Typer exits this way after it has completed a word; the code is not 0 if its output was closed.
        return Code.PIPE if end.code else Code.DONE
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = PROGRAM if context is None else context.command_path
        problem = _without_type_names(visible(error.format_message()).rstrip("."))
        if command == PROGRAM and problem.startswith("No such option"):
            # A suggestion could only be an option of the whole program.
            problem = f"{problem.partition(' (')[0]}. Put options after the command"
        if command == PROGRAM and problem.startswith("No such command") and not problem.endswith("?"):
            # The command may exist, but in a group.
            groups = context.command.commands if context else {}
            typed = arguments[0]
            found = [f"'{name} {typed}'" for name, group in groups.items() if typed in getattr(group, "commands", ())]
            problem += f". Did you mean {' or '.join(found)}?" if found else ""
        print_error(f"{problem} See {command} --help" if problem.endswith("?") else f"{problem}; see {command} --help")
        return Code.USAGE


def _without_type_names(problem: str) -> str:
    """A message of typer with plain words in place of Python types."""
    # Newer releases of typer show messages of pydantic.
    problem = re.sub(r"Value error, |, unable to parse string as an? \w+", "", problem)
    problem = problem.replace("Input should be", "it must be")
    problem = problem.replace("be a valid integer", "be a whole number").replace("be a valid number", "be a number")
    problem = re.sub(r"is not a valid int(eger)?( range)?", "is not a whole number", problem)
    return re.sub(r"is not a valid float( range)?", "is not a number", problem)


def _replace_missing_streams() -> None:
    """Replace each standard stream that is closed: input is then empty, and output is discarded."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It stays open until the process ends.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _set_input_encoding() -> None:
    """Read UTF-8, with or without a byte order mark. Invalid bytes become U+FFFD, which commands refuse."""
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")


def _set_output_encoding() -> None:
    """Write UTF-8 to files and programs. On a terminal, show an escape for each character that it cannot display."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
