"""`cometchat-desk apps`: the profiles of apps."""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import evolve

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import write_file
from cometchat_desk.messages import write_note
from cometchat_desk.settings import profile_files, profiles
from cometchat_desk.settings.profiles import App, Profiles, unquoted
from cometchat_desk.settings.target import Target, complete_app
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.text import say, visible, without_key
from cometchat_rest.endpoint import API_KEY_VARIABLE, DEFAULT_REGION, Region, resolve_base_url

from .check import check_apps
from .command import Yes, command

_COLUMNS: Sequence[Column] = (
    Column(
        title="Default",
        value=lambda record: "*" if record["default"] else "",
        width=7,
        style="green",
    ),
    Column(title="Name", value=lambda record: record["name"], width=12, style="bold"),
    Column(title="Address", value=lambda record: record["base_url"], least=17),
    Column(title="Key", value=lambda record: record["key"], least=20, whole=True),
)


@command(without=("app",))
def add(
    target: Target,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name for the app.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace an app of this name.")
    ] = False,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Store the app without a check.")
    ] = False,
    *,
    output_format: Format,
) -> Code:
    """Add an app: write its address to the profiles, and its API key to a file.

    At a terminal, prompts ask for each missing setting; the key is not shown. With --replace, Enter
    keeps the stored address. Without a terminal, use --app-id and --region, or --base-url, and
    --api-key-file. Only you can access the files. The first app becomes the default app.

    Before the files are written, the command check tests the settings. If the service refuses the
    key, no file is written.

    Examples:
      cometchat-desk apps add shop
      cometchat-desk apps add shop --replace
      cometchat-desk apps add shop --app-id 253179cf5f66 --api-key-file my.key
    """
    path = target.config or profiles.default_path()
    profile_files.check_name(path, name, replace=replace)
    settings = _address(target, profiles.read_profiles(path).apps.get(name, {}))
    app = App(**settings, address_from="the new settings", key_from="--api-key-file")
    # An invalid address is refused before the key is asked for, and invalid settings are not
    # stored.
    _ = app.address
    key_file = target.api_key_file or profile_files.key_file_for(path, name)
    if target.api_key_file is None:
        app = evolve(app, api_key=_ask_for_key(), key_from="the terminal")
    else:
        if not Profiles(path).is_own:
            profiles.check_inside(key_file, path.parent)
        app = evolve(app, api_key=profiles.read_key(key_file))
    app.client().close()
    code = Code.DONE if no_check else check_apps({name: lambda: app}, output_format)
    if code == Code.REFUSED:
        problem = (
            f"the service refused the API key, so the app {name} was not stored: correct the key,"
            " the app ID or"
        )
        raise StopError(code, f"{problem} the region, and run the command again, or use --no-check")
    typed = app.api_key if target.api_key_file is None else None
    _store(path, name, settings, key_file, typed, replace=replace)
    return code


def _store(
    path: Path,
    name: str,
    settings: Mapping[str, str],
    key_file: Path,
    key: str | None,
    *,
    replace: bool,
) -> None:
    """Write the profile, and a typed key to its file. The profile names a file beside it by its
    relative path."""
    file = key_file.absolute()
    folder = path.absolute().parent
    named = str(file.relative_to(folder) if file.is_relative_to(folder) else file)
    if key is not None:
        key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(key_file, f"{key}\n".encode(), mode=0o600)
        say(f"Wrote the API key to {visible(str(key_file))}.")
    is_default = profile_files.write_profile(
        path, name, {**settings, "api_key_file": named}, replace=replace
    )
    say(
        f"Wrote the app {name}{', the default app,' if is_default else ''} to {visible(str(path))}."
    )


@command(without=("app_id", "region", "base_url", "api_key_file"))
def list_(target: Target, *, output_format: Format) -> None:
    """List the apps of the profiles, with their addresses and the sources of their keys. No key is
    shown. check --all-apps finds problems.

    Examples:
      cometchat-desk apps list
      cometchat-desk apps list --format json
    """
    path = target.config or profiles.default_path()
    stored = profiles.read_profiles(path)
    records = [_record(stored, stored.app(name)) for name in target.app or stored.apps]
    if not records:
        say(visible(f"{path}: {stored.available}."))
    show(records, _COLUMNS if output_format is OutputFormat.TABLE else (), output_format)


@command(without=("app", "app_id", "region", "base_url", "api_key_file"))
def remove(
    target: Target,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The name of an app in the profiles.",
            autocompletion=complete_app,
        ),
    ],
    yes: Yes = False,
) -> None:
    """Remove an app from the profiles, with the key that apps add has stored. The app itself is not
    changed.

    Examples:
      cometchat-desk apps remove shop
    """
    path = target.config or profiles.default_path()
    profiles.read_profiles(path).app(name)
    shown = f"the app {visible(name)} from {visible(str(path))}"
    prompts.confirm(f"Remove {shown}?", yes=yes)
    kept = profile_files.remove_profile(path, name)
    say(f"Removed {shown}.")
    if kept is not None:
        write_note(
            f"the file {kept} with the API key is still there; delete it if nothing else uses it"
        )


def _record(stored: Profiles, app: App) -> Record:
    address = None
    with contextlib.suppress(StopError):
        address = app.address
    key = app.api_key_file or (API_KEY_VARIABLE if app.api_key is None else stored.path.name)
    return {
        "name": app.name,
        "base_url": address,
        # The user may have written the key in place of the name of its file.
        "key": without_key(str(key)),
        "default": app.name == stored.default,
    }


def _address(target: Target, stored: Mapping[str, str]) -> dict[str, Any]:
    """The settings for the address. The default of a question is what the profile of the app
    has."""
    app_id = target.app_id
    base_url = target.base_url
    region = target.region
    if app_id is base_url is None:
        app_id, base_url = _ask_for_address(stored.get("app_id") or stored.get("base_url") or "")
    if base_url is None and region is None:
        # The stored region may be wrong for another app.
        is_stored = app_id == stored.get("app_id")
        region = _ask_for_region(stored.get("region") if is_stored else None)
    settings = {"app_id": app_id, "region": region, "base_url": base_url}
    return {name: value for name, value in settings.items() if value is not None}


def _ask_for_region(stored: str | None) -> str:
    default = stored or DEFAULT_REGION
    if not prompts.can_ask():
        return default
    question = f"Region: {', '.join(Region)} [{default}]:"
    return prompts.ask(question).lower() or default


def _ask_for_address(stored: str) -> tuple[str | None, str | None]:
    if not prompts.can_ask():
        raise StopError(
            Code.USAGE, "no address was given: use --app-id and --region, or --base-url"
        )
    default = f" [{stored}]" if stored else ""
    typed = prompts.ask(f"App ID, or the base URL of your own server{default}:") or stored
    if not typed:
        raise StopError(Code.USAGE, "no app ID was given; the dashboard shows it")
    if "/" in typed or ":" in typed:
        return None, typed
    # Before the next question: the text may be a key.
    resolve_base_url(app_id=typed, region=DEFAULT_REGION, base_url=None)
    return typed, None


def _ask_for_key() -> str:
    if not prompts.can_ask():
        raise StopError(
            Code.USAGE, "there is no terminal to ask for the API key: use --api-key-file"
        )
    key = unquoted(prompts.ask_secret("API key (not shown)"))
    if not key:
        raise StopError(Code.USAGE, "no API key was given; nothing was written")
    return key
