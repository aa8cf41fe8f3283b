"""The whole command line: all commands, and the errors for invalid arguments."""

import io
import os
import re
import shlex
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
from .terminal.text import Command, visible

PROGRAM = "cometchat-desk"

# The help of each group, and its commands by the module that defines them. A function may end with
# an underscore.
_GROUPS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "keywords": (
        "Show moderation keyword lists, plan changes and apply them.",
        {
            "keywords.get": "get",
            "keywords.content": "plan apply",
            "keywords.change": "add remove",
            "keywords.lint": "lint",
            "keywords.history": "history",
            "keywords.undo": "undo",
            "keywords.search": "search",
            "keywords.folder": "status sync",
            "keywords.diff": "diff",
            "keywords.trial": "try_",
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
    "apps": ("Add, list and remove your apps.", {"apps": "add list_ default remove"}),
}

# What users type for a command, as in other programs.
_OTHER_WORDS: Mapping[str, str] = {
    "keywords get": "show view cat read print open",
    "keywords get LIST --output FILE": "dump export download save backup edit pull",
    "keywords apply": "import upload update set push replace",
    "keywords apply --plan FILE": "approve accept",
    "keywords add": "append insert block ban",
    "keywords add LIST --from FILE": "import upload load",
    "keywords remove": "rm delete del drop erase",
    "keywords undo": "revert rollback restore reset",
    "keywords history": "log changes journal",
    "keywords status": "list ls lists",
    "keywords search": "find grep",
    "keywords lint": "check validate",
    "keywords lint --fix": "clean fix repair",
    "keywords try": "test simulate",
    "keywords diff": "compare",
    "keywords sync": "copy push deploy publish",
    "reviewed list": "ls show messages",
    "reviewed export": "download save dump collect",
    "reviewed watch": "follow tail",
    "reviewed explain": "why",
    "reviewed stats": "count statistics",
    "auth-tokens revoke": "logout delete remove",
    "apps list": "ls show",
    "apps add": "new create login setup init",
    "apps remove": "rm delete del",
    "apps default": "use select switch",
    "check": "test doctor ping",
}
# What users type for an option, as in other programs.
_OTHER_OPTIONS: Mapping[str, str] = {
    "--from": "--file --input --words --path",
    "--app": "--apps --application --all-apps",
    "--all-apps": "--all --every-app",
    "--yes": "--force --confirm",
    "--dry-run": "--preview --check --simulate",
    "--output": "--out --save --to-file",
    "--format": "--json --csv --table",
    "--limit": "--last --count --top --number --max",
    "--since": "--after --days --start --last",
    "--command": "--number --update",
    "--to": "--steps --version --revision",
    "--reason": "--message --comment --note --because",
}
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
        # With very few cells, it cannot make any.
        width = max(min(shutil.get_terminal_size().columns, 80) - 2, 10)
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
    """The message for invalid arguments."""
    from .commands.command import TYPED

    context = getattr(error, "ctx", None)
    command = PROGRAM if context is None else context.command_path
    problem = _in_plain_words(visible(error.format_message()).rstrip("."))
    extra = re.match(r"Got unexpected extra arg.*? \((\S.*)\)$", problem)
    if context and extra and (advice := _option_before(extra[1].split(), context)):
        return joined([f"{problem}.", *advice])
    if command == f"{PROGRAM} keywords lint" and problem.startswith("No such option: --app"):
        right = Command(
            shlex.join([PROGRAM, "keywords", "get", *TYPED.get()[3:], "--output", "list.txt"])
        )
        return joined([f"{command} reads files; to write a list to a file, use:", right])
    if context and (typed := re.match("No such option: (--[a-z-]+)", problem)):
        options = {name for option in context.command.params for name in option.opts}
        meant = [
            name
            for name, words in _OTHER_OPTIONS.items()
            if name in options and typed[1] in words.split()
        ]
        several = (
            " A --app B"
            if typed[1] == "--all-apps" and command.endswith((" stats", " report"))
            else ""
        )
        problem = f"{typed[0]}. Did you mean {meant[0]}{several}?" if meant else problem
    if command == PROGRAM and problem.startswith("No such option"):
        # A suggestion could only be an option of the whole program.
        problem = f"{re.split(r' [(]|[.] ', problem)[0]}. Put options after the command"
    if command == f"{PROGRAM} auth-tokens revoke" and re.match(
        "No such option: --(from|file|tokens?)\\b", problem
    ):
        problem = f"{problem.partition(' (')[0]}. For the tokens in a file, write < FILE"
    unknown = re.match("No such command '(.*?)'", problem)
    if (
        unknown
        and command == f"{PROGRAM} keywords"
        and unknown[1] in ("create", "new", "rename", "delete")
    ):
        entries = "; for entries, use keywords remove LIST TERM" if unknown[1] == "delete" else ""
        problem = f"{unknown[0]}. Create, rename or delete a list in the dashboard{entries}"
    elif unknown and (meant := _meant(command, unknown[1])):
        problem = f"{unknown[0]}. Did you mean {' or '.join(map(repr, meant))}?"
    see = "See:" if problem.endswith("?") else "see:"
    return joined([f"{problem}{' ' if see == 'See:' else '; '}{see}", Command(f"{command} --help")])


def _meant(command: str, typed: str) -> list[str]:
    """The commands that users mean by a word of other programs, or by a command without its
    group."""
    group = command.removeprefix(PROGRAM).strip()
    known = [
        f"{name} {one}" for name, (_, modules) in _GROUPS.items() for one in _Commands(modules)
    ]
    meant = [one for one in known if one.split()[1] == typed]
    meant += [one for one, words in _OTHER_WORDS.items() if typed.lower() in words.split()]
    return [one for one in meant if one.startswith(group) or not group]


def _option_before(words: Sequence[str], context: Any) -> Sequence[str]:
    """The advice to write an option before the names of apps or files, with the command; empty
    for other words."""
    from .commands.command import TYPED
    from .settings.target import complete_app

    apps, files = {*complete_app(context)}, {word for word in words if Path(word).suffix}
    option, names = ("--app", apps) if {*words} <= apps else ("--records", files)
    if not {*words} <= names or all(option not in one.opts for one in context.command.params):
        return ()
    right = [PROGRAM]
    for word in TYPED.get()[1:]:
        right += [option, word] if word in names and right[-1] != option else [word]
    return f"Write {option} before each name; use:", Command(shlex.join(right))


def _in_plain_words(problem: str) -> str:
    """A message of typer, without Python types and with the next step."""
    for pattern, words in (
        (r"is not a valid int(eger)?( range)?", "is not a whole number"),
        (r"is not a valid float( range)?", "is not a number"),
        (
            r"^(No such option: -\w)$",
            r"\1. Begin options with two hyphens, and write -- before an entry with a hyphen",
        ),
    ):
        problem = re.sub(pattern, words, problem)
    return problem


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
