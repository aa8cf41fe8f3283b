"""Make a function a command: options from dataclasses, help from the docstring, and an exit code
as the result."""

from __future__ import annotations  # the types of the client are not loaded for --help

import contextlib
import dataclasses
import inspect
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated, Any, TypeAlias

import typer
import typer.core

import cometchat_rest
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.failed_calls import calls_of
from cometchat_desk.messages import run_command
from cometchat_desk.settings import connection
from cometchat_desk.settings.keys import holds_key, known_keys
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.logs import shown_logs
from cometchat_rest.endpoint import APP_ID_VARIABLE

#: The name in `Context.meta` of the number of words after `--`.
AFTER_DASHES = "cometchat_desk.after_dashes"

# The arguments that must not hold a key, as users type them.
_TEXTS: Mapping[str, str] = {
    "keyword_id": "LIST",
    "lists": "LIST",
    "reason": "--reason",
    "name": "NAME",
    "app": "--app",
    "app_id": "--app-id",
}

#: The options of all commands that change something.
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
]

AllApps: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--all-apps", help="Use all apps of the profiles. To use several apps, repeat --app."
    ),
]

#: The option of commands that read records.
Since: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="TIME",
        help="Use only records from this time on: 24h, 7d, 2w, or a date such as 2025-09-15.",
    ),
]


def output_option(text: str) -> Any:
    """The option with the name of the file to write."""
    return typer.Option("--output", "-o", metavar="FILE", help=text)


class DeskCommand(typer.core.TyperCommand):
    """A command whose usage line shows an argument as `LIST` or `[USER]`, and whose first
    sentence its group shows."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Count the words after `--`, which the parser does not tell apart."""
        ctx.meta[AFTER_DASHES] = len(args) - args.index("--") - 1 if "--" in args else 0
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the name of the command."""
        shown = [
            parameter
            for parameter in self.get_params(ctx)
            if isinstance(parameter, typer.core.TyperArgument)
        ]
        words = [
            f"{word.metavar}" if word.required else f"[{word.metavar}]"
            for word in shown
            if not word.hidden
        ]
        return ["[OPTIONS]", *words]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer passes the context
        """Write the examples, each in one line, to be copied."""
        formatter.write("\nExit codes: cometchat-desk help exit-codes\n\nExamples:\n")
        formatter.write(f"{self.epilog}\n")

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 - the limit is where typer cuts the sentence
        """The first sentence of the help. The help of the group breaks a long line."""
        return " ".join((self.help or "").split()).partition(". ")[0].rstrip(".") + "."


@contextlib.contextmanager
def open_client(target: Target) -> Iterator[cometchat_rest.Client]:
    """Open a client for the app that the options name. Errors of its calls get the name and the
    address of the app."""
    app = connection.find_app(target)
    with app.client() as chat, calls_of(app.name, chat.base_url):
        yield chat


def label_of(target: Target) -> str:
    """The name of an app for its records: its profile; without one, the identifier or the
    address of the app."""
    app = connection.find_app(target, key_needed=False)
    name = app.name or connection.names_by_address(target).get(app.address)
    return name or target.app_id or os.environ.get(APP_ID_VARIABLE) or app.address


def _check_keys(values: Mapping[str, Any], target: Target | None) -> None:
    """Refuse an API key in place of a name or a reason, which files and logs would show."""
    texts: list[tuple[str, str]] = []
    for name, shown in _TEXTS.items():
        value = values.get(name) or ()
        texts += [(shown, text) for text in ([value] if isinstance(value, str) else value)]
    keys = known_keys(target.config if target else None) if texts else ()
    for shown, text in texts:
        if holds_key(text, keys):
            raise StopError(Code.USAGE, f"{shown} holds an API key: leave it out")


def command(
    *, without: Collection[str] = ()
) -> Callable[[Callable[..., Code | None]], typer.core.TyperCommand]:
    """Make a function a command, which returns its exit code.

    A parameter whose type is a dataclass becomes one option for each field; the options of the
    `Target` come last, and those of its fields in `without` are left out. The docstring is the
    help. Its part `Examples:` is shown last.
    """

    def register(function: Callable[..., Code | None]) -> typer.core.TyperCommand:
        groups: dict[str, type[Any]] = {}
        options: list[inspect.Parameter] = []
        parameters = inspect.signature(function).parameters.values()
        for parameter in sorted(parameters, key=lambda parameter: parameter.annotation is Target):
            if dataclasses.is_dataclass(parameter.annotation) and isinstance(
                parameter.annotation, type
            ):
                groups[parameter.name] = parameter.annotation
                options += inspect.signature(parameter.annotation).parameters.values()
            else:
                options.append(parameter)
        options = [
            option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for option in options
            if option.name not in without
        ]

        def run(**values: Any) -> None:
            texts = {name: values[name] for name in _TEXTS if name in values}
            for name, kind in groups.items():
                fields = {field.name for field in dataclasses.fields(kind)} - {*without}
                values[name] = kind(**{field: values.pop(field) for field in fields})
            target = values.get("target")
            debug = target is not None and target.debug

            def work() -> Code | None:
                _check_keys(texts, target)
                return function(**values)

            with shown_logs(debug=debug):
                code = run_command(work, debug=debug)
            raise typer.Exit(code)

        # Typer reads the options from these two.
        vars(run)["__signature__"] = inspect.Signature(options)
        run.__annotations__ = {option.name: option.annotation for option in options}
        text, _, examples = (inspect.getdoc(function) or "").partition("\n\nExamples:\n")
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cls=DeskCommand, help=text, epilog=examples)(run)
        made = typer.main.get_command(single)
        assert isinstance(made, DeskCommand)  # noqa: S101 - typer makes the class that it was given
        return made

    return register
