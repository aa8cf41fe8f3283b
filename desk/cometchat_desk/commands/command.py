"""Make a function a command: add the options that all commands share, and return an exit code."""

import contextlib
import dataclasses
import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer
import typer.core

from cometchat_desk.exit_codes import Code
from cometchat_desk.failed_calls import FailedCall, calls_of
from cometchat_desk.messages import run_command
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.logs import shown_logs

if TYPE_CHECKING:
    from cometchat_rest import Client

#: The name in `Context.meta` of the arguments after `--`.
AFTER_DASHES = "cometchat_desk.after_dashes"

Function = TypeVar("Function", bound=Callable[..., Code | None])


class Command(typer.core.TyperCommand):
    """A command whose usage line shows an argument as `LIST` or `[USER]`, and whose first sentence its group shows."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember the words after `--`, which the parser does not tell from others."""
        ctx.meta[AFTER_DASHES] = args[args.index("--") + 1 :] if "--" in args else []
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the name of the command."""
        shown = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, typer.core.TyperArgument)]
        words = [f"{word.metavar}" if word.required else f"[{word.metavar}]" for word in shown if not word.hidden]
        return ["[OPTIONS]", *words]

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 - the limit is where typer cuts the sentence
        """The first sentence of the help. The help of the group breaks a long line."""
        return " ".join((self.help or "").split()).partition(". ")[0].rstrip(".") + "."


#: The options of all commands that change something.
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")]

AllApps: TypeAlias = Annotated[
    bool, typer.Option("--all-apps", help="Use all apps of the profiles. For some of them, repeat --app.")
]


@contextlib.contextmanager
def open_client(target: Target) -> "Iterator[Client]":
    """Open a client for the app that the options name. Errors of its calls get the name and the address of the app."""
    from cometchat_desk.settings import connection

    app = connection.find_app(target)
    with app.client() as chat, calls_of(FailedCall(app=app.name, base_url=chat.base_url)):
        yield chat


def command(
    group: typer.Typer, *, examples: Sequence[str], name: str | None = None, without: Collection[str] = ()
) -> Callable[[Function], Function]:
    """Make a function a command of `group`.

    The first parameter is the `Target`. A parameter that is a dataclass becomes one option for each field; the options
    of the `Target` come last. The other parameters become arguments and options of this command. The docstring becomes
    the help, with the examples below. The command has no options for the fields of the `Target` in `without`.
    """

    def register(function: Function) -> Function:
        first, *own = inspect.signature(function).parameters.values()
        # The options of the target come last.
        given = (*own, first)
        groups: dict[str, type[Any]] = {
            parameter.name: parameter.annotation
            for parameter in given
            if isinstance(parameter.annotation, type) and dataclasses.is_dataclass(parameter.annotation)
        }
        options: list[inspect.Parameter] = []
        for parameter in given:
            kind = groups.get(parameter.name)
            options += [parameter] if kind is None else inspect.signature(kind).parameters.values()
        options = [
            option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options if option.name not in without
        ]

        def run(**values: Any) -> None:
            for name, kind in groups.items():
                fields = {field.name for field in dataclasses.fields(kind)} - {*without}
                values[name] = kind(**{field: values.pop(field) for field in fields})
            debug = values[first.name].debug
            with shown_logs(debug=debug):
                code = run_command(lambda: function(**values), debug=debug)
            raise typer.Exit(code)

        # Typer reads the options from these two.
        vars(run)["__signature__"] = inspect.Signature(options)
        run.__annotations__ = {option.name: option.annotation for option in options}
        group.command(
            name or function.__name__, cls=Command, help=inspect.getdoc(function), epilog=format_examples(examples)
        )(run)
        return function

    return register


def format_examples(examples: Sequence[str]) -> str:
    """The last part of the help: examples, one in a line."""
    # After \b, the lines of a paragraph are not joined.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples)
