"""The command line as a whole: its commands, and what becomes of arguments that mean nothing."""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import cometchat_rest

from . import auth_tokens, check, keywords, reviewed, roles, simulate
from .escaping import visible
from .exit_codes import MEANINGS, Code, print_error, run_command

PROGRAM = "cometchat-rest"

_EPILOG = "\b\nExit codes:\n" + "\n".join(f"  {code:>3}  {meaning}" for code, meaning in MEANINGS.items())

# Help without rich is there sooner.
app = typer.Typer(
    name=PROGRAM,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (keywords, reviewed, roles, auth_tokens, check, simulate):
    app.add_typer(module.group)


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
    """The moderator's desk: keyword lists, reviewed messages, roles and auth tokens of a chat app.

    Which app is meant is said by a command's options, by COMETCHAT_APP_ID, COMETCHAT_REGION and COMETCHAT_API_KEY, or
    by profiles in ~/.config/cometchat-rest/profiles.toml.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line, that of the process unless another is given.

    Returns:
        The exit code.
    """
    _have_streams()
    _read_utf8()
    _write_any_text()
    given = sys.argv[1:] if arguments is None else list(arguments)
    return run_command(lambda: _carry_out(given or ["--help"]))


def _carry_out(arguments: Sequence[str]) -> Code:
    try:
        return Code(app(arguments, prog_name=PROGRAM, standalone_mode=False) or Code.DONE)
    except SystemExit as end:
        # Typer ends so when it has completed a word, and with a code where nobody reads what it writes.
        return Code.PIPE if end.code else Code.DONE
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = PROGRAM if context is None else context.command_path
        fault = visible(error.format_message()).rstrip(".")
        if command == PROGRAM and fault.startswith("No such option"):
            fault += ": options come after a command"
        print_error(f"{fault} See {command} --help" if fault.endswith("?") else f"{fault}; see {command} --help")
        return Code.USAGE


def _have_streams() -> None:
    """Have a stream that the process was started without be empty, and take anything."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Open for the life of the process.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _read_utf8() -> None:
    """Programs give UTF-8 as well, with or without a byte order mark; what is none becomes U+FFFD, to be refused."""
    if isinstance(sys.stdin, io.TextIOWrapper) and not sys.stdin.isatty():
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")


def _write_any_text() -> None:
    """Programs get UTF-8 whatever the system's encoding is, and a terminal an escape for what it has no letter for."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
