"""The whole command line: all commands, and the errors for invalid arguments."""

import io
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core

import cometchat_rest

from .exit_codes import Code
from .messages import joined, print_error, run_command
from .terminal.text import Command

PROGRAM = "cometchat-desk"

# The help of each group, and its commands by the module that defines them. A function may end with
# an underscore.
_GROUPS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "keywords": (
        "Show and change keyword lists.",
        {
            "keywords.get": "get",
            "keywords.apply": "apply",
            "keywords.change": "add remove replace",
            "keywords.lint": "lint",
            "keywords.history": "history",
            "keywords.undo": "undo",
            "keywords.search": "search",
            "keywords.status": "status",
            "keywords.sync": "sync",
            "keywords.try_": "try_",
        },
    ),
    "reviewed": (
        "Show and export the messages that moderation has reviewed.",
        {
            "reviewed.collect": "list_ watch export",
            "reviewed.explain": "explain",
            "reviewed.stats": "stats",
            "reviewed.report": "report",
        },
    ),
    "auth-tokens": ("Revoke the tokens that users log in with.", {"auth_tokens": "revoke"}),
    "apps": ("Add, list and remove your apps.", {"apps": "add list_ remove"}),
}

# In cells: a narrower terminal breaks the lines of the help itself.
_NARROWEST = 20
# Without rich, the help appears sooner.
_app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class _Commands(Mapping[str, Any]):
    """Commands by name. The module of a command is loaded when the command is used, because most
    modules are large."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        pairs = (
            (module, function)
            for module, functions in modules.items()
            for function in functions.split()
        )
        self._places = {function.rstrip("_"): (module, function) for module, function in pairs}

    def __getitem__(self, name: str) -> object:
        module, function = self._places[name]
        return getattr(import_module(f"{__package__}.commands.{module}"), function)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(cometchat_rest.__version__)
        raise typer.Exit


@_app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Manage keyword lists, reviewed messages and auth tokens.

    Begin with cometchat-desk apps add NAME, or set COMETCHAT_APP_ID, COMETCHAT_REGION and
    COMETCHAT_API_KEY.

    cometchat-desk help COMMAND explains a command, and help exit-codes the exit codes.
    """


@cache
def program() -> Any:
    """The whole command line."""
    made: Any = typer.main.get_command(_app)
    for name, (text, modules) in _GROUPS.items():
        commands: Any = _Commands(modules)
        made.add_command(
            typer.core.TyperGroup(name=name, help=text, commands=commands, rich_markup_mode=None)
        )
    made.add_command(_Commands({"check": "check"})["check"], "check")
    return made


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, by default that of this process, and return its exit code."""
    _prepare_streams()
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words == ["help", "exit-codes"]:
        return run_command(
            lambda: print(*(f"{code:>3}  {code.meaning}" for code in Code), sep="\n")
        )
    if "help" in words[:2]:
        words = [*(word for word in words if word != "help"), "--help"]
    return run_command(lambda: _run_typer(words or ["--help"]))


def _run_typer(arguments: Sequence[str]) -> Code:
    code: Code | None
    try:
        # Without a width, typer makes no line of the help shorter than 50 cells.
        width = max(_NARROWEST, min(shutil.get_terminal_size().columns, 80) - 2)
        code = program()(arguments, prog_name=PROGRAM, standalone_mode=False, terminal_width=width)
    except SystemExit as end:
        # Typer exits this way after it has completed a word; the code is not 0 if its output was
        # closed.
        code = Code.PIPE if end.code else None
    except typer.TyperException as error:
        print_error(_usage_problem(error))
        code = Code.USAGE
    return code or Code.DONE


def _usage_problem(error: typer.TyperException) -> str:
    """The message for invalid arguments. That for an argument without a name shows the order."""
    context = getattr(error, "ctx", None)
    if context is None:
        return joined([error.format_message(), "See:", Command(f"{PROGRAM} --help")])
    sentences = [error.format_message()]
    if isinstance(getattr(error, "param", None), typer.core.TyperArgument):
        pieces = context.command.collect_usage_pieces(context)
        sentences += ["Usage:", Command(" ".join([context.command_path, *pieces]))]
    return joined([*sentences, "See:", Command(f"{context.command_path} --help")])


def _prepare_streams() -> None:
    """Replace each standard stream that is closed, and use UTF-8 for files and programs."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Input is then empty, and output is discarded. The file stays open until the process
            # ends.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        # With or without a byte order mark. Invalid bytes become U+FFFD, which commands refuse.
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal shows an escape for each character that it cannot display.
            stream.reconfigure(
                encoding=None if stream.isatty() else "utf-8", errors="backslashreplace"
            )
