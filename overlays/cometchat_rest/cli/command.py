"""What makes a function a command: the options that name an app, and how it ends."""

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer
import typer.core

from .exit_codes import Code, run_command
from .logs import shown_logs
from .target import Target

if TYPE_CHECKING:
    from cometchat_rest import Client

Function = TypeVar("Function", bound=Callable[..., Code | None])


class Command(typer.core.TyperCommand):
    """A command whose usage line shows an argument as `LIST`, or as `[USER]` where it may be left out."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the command's name."""
        known = self.get_params(ctx)
        arguments = [each for each in known if isinstance(each, typer.core.TyperArgument) and not each.hidden]
        return ["[OPTIONS]", *(f"{each.metavar}" if each.required else f"[{each.metavar}]" for each in arguments)]


#: What commands take that change something.
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def opened(target: Target) -> "Client":
    """A client for the one app that is meant.

    Raises:
        StopError: it cannot be told which, or there is no key for it.
        ConfigurationError: a setting is not as it should be.
        OSError: a file cannot be read.
    """
    from . import connection

    return connection.the_app(target).client()


def command(group: typer.Typer, *, examples: Sequence[str]) -> Callable[[Function], Function]:
    """Make a function a command of `group`, under its own name.

    Its parameters after the first are the command's own arguments and options. The first is the `Target`, whose fields
    become options as well. Its docstring is the help.

    Args:
        group: where the command belongs.
        examples: command lines to show in the help.
    """

    def register(function: Function) -> Function:
        own = list(inspect.signature(function).parameters.values())[1:]
        shared = inspect.signature(Target).parameters

        def run(**given: Any) -> None:
            target = Target(**{name: given.pop(name) for name in shared})
            with shown_logs(debug=target.debug):
                code = run_command(lambda: function(target, **given), debug=target.debug)
            raise typer.Exit(code)

        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *shared.values())]
        # What typer takes the options from.
        vars(run)["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        group.command(function.__name__, cls=Command, help=inspect.getdoc(function), epilog=shown(examples))(run)
        return function

    return register


def shown(examples: Sequence[str]) -> str:
    """Examples as the help ends with them."""
    # \b keeps the lines of a paragraph as they are.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples)
