"""Which app a command is for: the options that all commands share."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer


def _app_names(context: typer.Context) -> Sequence[str]:
    """The apps of the profiles, for completion in a shell."""
    from . import profiles
    from .exit_codes import StopError

    try:
        path = context.params.get("config") or profiles.usual_path()
        return list(profiles.read_profiles(path).apps)
    except (StopError, OSError):
        # There is no place to print_error to while somebody is typing.
        return ()


def _regions() -> Sequence[str]:
    from cometchat_rest import Region

    return list(Region)


# No attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class Target:
    """Which app a command is for, as far as its options say; each field is one of them."""

    app: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An app of the profiles.", autocompletion=_app_names)
    ] = None
    app_id: Annotated[str | None, typer.Option(metavar="ID", help="The app's identifier; or COMETCHAT_APP_ID.")] = None
    region: Annotated[
        str | None,
        typer.Option(
            metavar="us|eu|in",
            help="Where it lives; or COMETCHAT_REGION; us unless given.",
            autocompletion=_regions,
        ),
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

    @property
    def names_address(self) -> bool:
        """Whether the options say where the app lives."""
        return any(value is not None for value in (self.app_id, self.region, self.base_url))
