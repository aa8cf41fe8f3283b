"""The options that all commands share. They name the app."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cometchat_rest.endpoint import DEFAULT_REGION, Region


def complete_app(context: typer.Context) -> Sequence[str]:
    """The names of the apps in the profiles, for completion in a shell."""
    from .profiles import app_names

    return app_names(context.params.get("config"))


# Not an attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class Target:
    """The options that name an app; each field is one option."""

    app: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="The name of an app in the profiles.", autocompletion=complete_app
        ),
    ] = None
    app_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The app ID. Default: COMETCHAT_APP_ID."),
    ] = None
    region: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(Region),
            help=f"The app's region. Default: COMETCHAT_REGION, else {DEFAULT_REGION}.",
            autocompletion=lambda: list(Region),
        ),
    ] = None
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help=(
                "The complete address, which ends in /v3, in place of app ID and region. Default:"
                " COMETCHAT_BASE_URL."
            ),
        ),
    ] = None
    api_key_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=(
                "A file that holds the API key. Default: the key of the profile, or"
                " COMETCHAT_API_KEY."
            ),
        ),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file with the profiles. Default: profiles.toml in your folder for settings.",
        ),
    ] = None
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Log each call, and show the traceback of an error, without secrets."
        ),
    ] = False

    @property
    def names_address(self) -> bool:
        """Whether the options hold an address: an app id, a region or a base URL."""
        return any(value is not None for value in (self.app_id, self.region, self.base_url))

    def words(self, apps: Sequence[str]) -> list[str]:
        """The options that name these apps, for a command that the desk suggests."""
        words: list[str] = []
        for app in apps:
            words += ["--app", app]
        for name in ("app_id", "region", "base_url", "api_key_file", "config"):
            value = getattr(self, name)
            if value:
                words += [f"--{name.replace('_', '-')}", str(value)]
        return words
