"""What all commands share: the options that name an app, and how they end."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer

from .exits import Code, ended
from .logs import shown_logs

if TYPE_CHECKING:
    from cometchat_rest import Client

Function = TypeVar("Function", bound=Callable[..., Code | None])

#: What commands take that change something.
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def _app_names(context: typer.Context) -> Sequence[str]:
    """The apps of the profiles, for completion in a shell."""
    from . import profiles
    from .exits import StopError

    try:
        path = context.params.get("config") or profiles.usual_path()
        return list(profiles.read_profiles(path).apps)
    except (StopError, OSError):
        # There is no place to complain to while somebody is typing.
        return ()


# No attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class Target:
    """Which app a command is for, as far as its options say; each field is one of them."""

    app: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An app of the profiles.", autocompletion=_app_names)
    ] = None
    app_id: Annotated[str | None, typer.Option(metavar="ID", help="The app's identifier; or COMETCHAT_APP_ID.")] = None
    region: Annotated[
        str | None, typer.Option(metavar="us|eu|in", help="Where it lives; or COMETCHAT_REGION; us unless given.")
    ] = None
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="A whole address, ending in /v3, instead; or COMETCHAT_BASE_URL.")
    ] = None
    api_key_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file with the API key; or the key in COMETCHAT_API_KEY.")
    ] = None
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The profiles, if not in ~/.config/cometchat-rest/profiles.toml."),
    ] = None
    debug: Annotated[
        bool, typer.Option("--debug", help="Log each call, and show where an error comes from. Secrets are left out.")
    ] = False

    def open(self) -> "Client":
        """A client for the one app that is meant.

        Raises:
            StopError: it cannot be told which, or there is no key for it.
            ConfigurationError: a setting is not as it should be.
            OSError: a file cannot be read.
        """
        from . import connection

        return connection.the_app(self).client()

    @property
    def names_address(self) -> bool:
        """Whether the options say where the app lives."""
        return any(value is not None for value in (self.app_id, self.region, self.base_url))


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
                code = ended(lambda: function(target, **given), debug=target.debug)
            raise typer.Exit(code)

        parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *shared.values())]
        # What typer takes the options from.
        vars(run)["__signature__"] = inspect.Signature(parameters)
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        group.command(function.__name__, help=inspect.getdoc(function), epilog=shown(examples))(run)
        return function

    return register


def shown(examples: Sequence[str]) -> str:
    """Examples as the help ends with them."""
    # \b keeps the lines of a paragraph as they are.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples)
