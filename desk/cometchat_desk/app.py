"""The whole command line: all commands, and the errors for invalid arguments."""

import io
import os
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

import cometchat_rest

from .commands import apps, auth_tokens, check, roles
from .commands.command import Command, format_examples
from .commands.keywords import change, clean, content, folder, history, lint, trial
from .commands.reviewed import explain, messages, report, stats
from .exit_codes import MEANINGS, Code
from .messages import print_error, run_command
from .terminal.text import visible

PROGRAM = "cometchat-desk"

# Without rich, the help appears sooner.
app = typer.Typer(
    name=PROGRAM,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_help = typer.Typer(name="help", help="Explain the exit codes: help exit-codes.")
# Several modules add commands to the same group. The help shows the groups in this order.
_KEYWORDS = (content, change, clean, lint, history, folder, trial)
_REVIEWED = (messages, explain, stats, report)
for group in dict.fromkeys(module.group for module in (*_KEYWORDS, *_REVIEWED, roles, auth_tokens, apps, check)):
    app.add_typer(group)
app.add_typer(_help)


@_help.command("exit-codes", cls=Command, epilog=format_examples(["cometchat-desk help exit-codes"]))
def _exit_codes() -> None:
    """Explain the exit codes."""
    lines = ["An error is one line on stderr. The exit code tells the kind of error:", ""]
    for code, meaning in MEANINGS.items():
        lines += textwrap.wrap(f"  {code:>3}  {meaning}", 80, subsequent_indent=" " * 7, break_on_hyphens=False)
    raise typer.Exit(run_command(lambda: print(*lines, sep="\n")))


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
    """Run one command line, by default that of this process, and return its exit code."""
    _prepare_streams()
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run_command(lambda: _run_typer(words or ["--help"]))


def _run_typer(arguments: Sequence[str]) -> Code:
    try:
        return Code(_commands()(arguments, prog_name=PROGRAM, standalone_mode=False) or Code.DONE)
    except SystemExit as end:
        # Typer exits this way after it has completed a word; the code is not 0 if its output was closed.
        return Code.PIPE if end.code else Code.DONE
    except typer.TyperException as error:
        print_error(_usage_problem(error, arguments[0]))
        return Code.USAGE


def _usage_problem(error: typer.TyperException, typed: str) -> str:
    """The message for invalid arguments. `typed` is the first of them."""
    context = getattr(error, "ctx", None)
    command = PROGRAM if context is None else context.command_path
    problem = _in_plain_words(visible(error.format_message()).rstrip("."))
    if command == PROGRAM and problem.startswith("No such option"):
        # A suggestion could only be an option of the whole program.
        problem = f"{problem.partition(' (')[0]}. Put options after the command"
    if command == PROGRAM and problem.startswith("No such command") and not problem.endswith("?"):
        # The command may exist, but in a group.
        problem += _suggestion(context.command.commands if context else {}, typed)
    return f"{problem} See {command} --help" if problem.endswith("?") else f"{problem}; see {command} --help"


def _suggestion(groups: Mapping[str, object], typed: str) -> str:
    near = [f"'{name} {typed}'" for name, group in groups.items() if typed in getattr(group, "commands", ())]
    return f". Did you mean {' or '.join(near)}?" if near else ""


def _in_plain_words(problem: str) -> str:
    """A message of typer, whose newer releases show messages of pydantic, without Python types."""
    for pattern, words in (
        (r"Value error, |, unable to parse string as an? \w+", ""),
        ("Input should be", "it must be"),
        ("be a valid integer", "be a whole number"),
        ("be a valid number", "be a number"),
        (r"is not a valid int(eger)?( range)?", "is not a whole number"),
        (r"is not a valid float( range)?", "is not a number"),
    ):
        problem = re.sub(pattern, words, problem)
    return problem


def _prepare_streams() -> None:
    """Replace each standard stream that is closed, and use UTF-8 for files and programs."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Input is then empty, and output is discarded. The file stays open until the process ends.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        # With or without a byte order mark. Invalid bytes become U+FFFD, which commands refuse.
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal shows an escape for each character that it cannot display.
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
