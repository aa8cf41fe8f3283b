"""`cometchat-rest apps`: create and list the profiles of apps."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import prompts
from .columns import Column, Record
from .command import command
from .escaping import visible
from .exit_codes import Code, StopError, print_error
from .output import Output, show
from .target import Target

if TYPE_CHECKING:
    from .profiles import Profile, Profiles

group = typer.Typer(name="apps", help="Add your apps, and list them.")

_COLUMNS = (
    Column(title="Default", value=lambda record: "*" if record["default"] else "", width=7, style="green"),
    Column(title="Name", value=lambda record: record["name"], width=12, style="bold"),
    Column(title="Address", value=lambda record: record["base_url"], least=30),
    Column(title="Key", value=lambda record: record["key"], width=20),
    Column(title="Problem", value=lambda record: record["problem"], spare=True),
)


@command(
    group,
    examples=[
        "cometchat-rest apps add shop",
        "cometchat-rest apps add shop --app-id 253179cf5f66 --api-key-file my.key",
    ],
    without=("app",),
)
def add(
    target: Target,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name for the app.")],
    default: Annotated[bool, typer.Option("--default", help="Use this app if a command names no app.")] = False,
    no_check: Annotated[bool, typer.Option("--no-check", help="Do not run check at the end.")] = False,
    output: Output = None,
) -> Code:
    """Add an app: write its address to the profiles, and its API key to a file.

    At a terminal, prompts ask for each missing setting; the key is not shown. Elsewhere, use --app-id and --region, or
    --base-url, and --api-key-file. Only you can access the files. The first app becomes the default app. At the end,
    check tests the new app.
    """
    from . import profile_files, profiles
    from .check import check

    path = target.config or profiles.default_path()
    profile_files.check_new(path, name)
    settings = _address(target)
    # An invalid address is refused before the key is asked for.
    _check_address(settings)
    if target.api_key_file is None:
        key_file = profile_files.key_file_for(path, name)
        key = _ask_for_key()
        _check_settings(settings, key)
        profile_files.write_key(key_file, key)
        try:
            is_default = profile_files.add_profile(
                path, name, {**settings, "api_key_file": key_file.name}, default=default
            )
        except BaseException:
            key_file.unlink(missing_ok=True)
            raise
        print(f"Wrote the API key to {visible(str(key_file))}.", file=sys.stderr)
    else:
        _check_settings(settings, profiles.read_key(target.api_key_file))
        file = _relative(target.api_key_file, path)
        is_default = profile_files.add_profile(path, name, {**settings, "api_key_file": file}, default=default)
    default_text = ", the default app," if is_default else ""
    print(f"Wrote the app {name}{default_text} to {visible(str(path))}.", file=sys.stderr)
    if no_check:
        return Code.DONE
    code = check(Target(app=[name], config=target.config, debug=target.debug), output=output)
    if code is not None and code != Code.DONE:
        print_error(
            f"the check of {name} found a problem: correct [apps.{name}] in {visible(str(path))}, then run "
            f"cometchat-rest check --app {name}"
        )
    return code or Code.DONE


@command(
    group,
    examples=["cometchat-rest apps list", "cometchat-rest apps list -o json"],
    name="list",
    without=("app_id", "region", "base_url", "api_key_file"),
)
def list_apps(target: Target, output: Output = None) -> None:
    """List the apps of the profiles, with their addresses and the sources of their keys. No key is shown."""
    from . import profiles

    path = target.config or profiles.default_path()
    found = profiles.read_profiles(path)
    for name in target.app or ():
        found.check_name(name)
    names: Sequence[str] = target.app or [*found.apps]
    if not names:
        print(visible(f"{path}: {found.available}."), file=sys.stderr)
    show([_record(found, found.profile(name)) for name in names], _COLUMNS, output)


def _record(found: "Profiles", profile: "Profile") -> Record:
    from cometchat_rest import ConfigurationError

    from .connection import address_of

    problem = key_problem = None
    base_url = None
    try:
        base_url = address_of(profile)
    except ConfigurationError as error:
        problem = str(error)
    key, key_problem = _key_source(found, profile)
    return {
        "name": profile.name,
        "base_url": base_url,
        "key": key,
        "default": profile.name == found.default,
        "problem": problem or key_problem,
    }


def _key_source(found: "Profiles", profile: "Profile") -> tuple[str, str | None]:
    """The source of a key, and a problem with it."""
    from .profiles import looks_like_a_key

    if profile.api_key is not None:
        return found.path.name, None
    if profile.api_key_file is None:
        return "COMETCHAT_API_KEY", None
    if looks_like_a_key(profile.api_key_file.name) and not profile.api_key_file.exists():
        return "a file", "api_key_file holds a key instead of the name of a file"
    return str(profile.api_key_file), None if profile.api_key_file.exists() else "the file with the API key is missing"


def _address(target: Target) -> dict[str, str]:
    """The address of the new app, from the options or from the user."""
    from .profiles import looks_like_a_key

    if target.base_url is not None:
        if (target.app_id, target.region) != (None, None):
            raise StopError(Code.USAGE, "--base-url is a complete address: leave out --app-id and --region")
        return {"base_url": target.base_url}
    app_id = target.app_id
    if app_id is None:
        if not prompts.can_ask():
            raise StopError(Code.USAGE, "no address was given: use --app-id and --region, or --base-url")
        app_id = prompts.ask("App ID, or the base URL of your own server")
        if not app_id:
            raise StopError(Code.USAGE, "no app ID was given; the dashboard of CometChat shows it")
        if "/" in app_id or ":" in app_id:
            if target.region is not None:
                raise StopError(Code.USAGE, "a base URL is a complete address: leave out --region")
            return {"base_url": app_id}
    if looks_like_a_key(app_id):
        raise StopError(Code.USAGE, "the app ID has the form of an API key: the dashboard shows the shorter app ID")
    region = target.region
    if region is None:
        region = (prompts.can_ask() and prompts.ask("Region: us, eu or in [us]")) or "us"
    return {"app_id": app_id, "region": region}


def _ask_for_key() -> str:
    if not prompts.can_ask():
        raise StopError(Code.USAGE, "there is no terminal to ask for the API key: use --api-key-file")
    key = prompts.ask_secret("API key (not shown)")
    if not key:
        raise StopError(Code.USAGE, "no API key was given; nothing was written")
    return key


def _check_address(settings: dict[str, str]) -> None:
    from .connection import address_of
    from .profiles import Profile

    address_of(
        Profile(
            name="",
            app_id=settings.get("app_id"),
            region=settings.get("region"),
            base_url=settings.get("base_url"),
        )
    )


def _check_settings(settings: dict[str, str], key: str) -> None:
    """Make a client with these settings and close it, so that no invalid profile is written."""
    from .connection import App

    App(**settings, api_key=key, address_from="", key_from="").client().close()


def _relative(file: Path, profiles_path: Path) -> str:
    """The file with a key, as its profile names it: relative to the profiles if it is beside them."""
    absolute, folder = file.absolute(), profiles_path.absolute().parent
    return str(absolute.relative_to(folder) if absolute.is_relative_to(folder) else absolute)
