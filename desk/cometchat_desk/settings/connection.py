"""Find the app and its key in options, profiles and the environment, and make a client for it."""

from __future__ import annotations  # the types of the client are not loaded for --help

import contextlib
import os
from collections.abc import Mapping
from dataclasses import replace

from attrs import evolve

import cometchat_rest
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.fleet import Outcome
from cometchat_desk.terminal import prompts
from cometchat_rest.endpoint import API_KEY_VARIABLE, APP_ID_VARIABLE, BASE_URL_VARIABLE

from . import profiles
from .profiles import App
from .target import Target

#: The source of an address that no option and no profile gives.
FROM_ENVIRONMENT = "the environment"


def find_app(target: Target, *, key_needed: bool = True, several: bool = False) -> App:
    """Find the app that the options name, with its key; the key of one of `several` apps is in
    its profile."""
    _check_options(target)
    if target.names_address:
        app = App(
            app_id=target.app_id,
            region=target.region,
            base_url=target.base_url,
            address_from="options",
        )
    elif not target.app and any(
        os.environ.get(name) for name in (APP_ID_VARIABLE, BASE_URL_VARIABLE)
    ):
        app = App(address_from=FROM_ENVIRONMENT)
    else:
        stored = _profiles(target)
        app = stored.app(_chosen_name(target, stored))
        if not stored.is_own:
            # The addresses that the user has chosen: in the profiles of the user, and in the
            # environment.
            own = {*names_by_address(Target())}
            with contextlib.suppress(cometchat_rest.ConfigurationError):
                own.add(App(address_from=FROM_ENVIRONMENT).address)
            app = evolve(app, key_allowed=app.address in own)
    # An invalid address is refused before the key is asked for.
    _ = app.address
    try:
        key, source = _find_key(app, None if several else target, ask=key_needed)
    except StopError:
        if key_needed:
            raise
        return app
    return evolve(app, api_key=key, key_from=source)


def _chosen_name(target: Target, stored: profiles.Profiles) -> str:
    name = target.app[0] if target.app else stored.default
    if name is not None:
        return name
    raise StopError(
        Code.SETTINGS,
        f"no app was given: use --app-id or --app, set {APP_ID_VARIABLE} or {BASE_URL_VARIABLE}, "
        f"or set a default app in {stored.path}; to add an app, run cometchat-desk apps add NAME",
    )


def _check_options(target: Target) -> None:
    if len(target.app or ()) > 1:
        raise StopError(Code.USAGE, "this command takes only one --app")
    if target.names_address and target.app:
        raise StopError(
            Code.USAGE,
            "--app cannot be combined with --app-id, --region or --base-url: use one of them",
        )


def make_clients(
    target: Target, *, all_apps: bool
) -> Mapping[str, Outcome[tuple[App, cometchat_rest.Client]]]:
    """Make a client for each app that the options name. With several apps, an outcome may be an
    error instead."""
    targets = app_targets(target, all_apps=all_apps)
    if target in targets.values():
        app = find_app(target)
        return {app.name: Outcome(result=(app, app.client()))}
    return {name: _client(of_app) for name, of_app in targets.items()}


def _client(target: Target) -> Outcome[tuple[App, cometchat_rest.Client]]:
    try:
        app = find_app(target, several=True)
        return Outcome(result=(app, app.client()))
    except StopError as error:
        return Outcome(error=cometchat_rest.ConfigurationError(str(error)))


def names_by_address(target: Target) -> Mapping[str, str]:
    """The name of the profile of each address. Without readable profiles, there are no names."""
    names: dict[str, str] = {}
    with contextlib.suppress(StopError, OSError):
        stored = _profiles(target)
        for name in stored.apps:
            with contextlib.suppress(StopError):
                names.setdefault(stored.app(name).address, name)
    return names


def check_names(target: Target) -> None:
    """Refuse an app that is not in the profiles, for a command that may not connect to it."""
    for name in target.app or ():
        _profiles(target).app(name)


def app_targets(target: Target, *, all_apps: bool) -> Mapping[str, Target]:
    """The options for each of several apps by name, or the same options for one app."""
    names = target.app or []
    if not all_apps and len(names) < 2:
        return {names[0] if names else "": target}
    _check_several(target, all_apps=all_apps)
    stored = _profiles(target)
    if all_apps:
        names = list(stored.apps)
    if not names:
        raise StopError(Code.SETTINGS, f"{stored.path}: {stored.available}")
    return {stored.app(name).name: replace(target, app=[name]) for name in names}


def _check_several(target: Target, *, all_apps: bool) -> None:
    if all_apps and (target.app or target.names_address):
        raise StopError(
            Code.USAGE,
            "--all-apps selects all apps: leave out --app, --app-id, --region and --base-url",
        )
    if target.api_key_file is not None:
        raise StopError(
            Code.USAGE,
            "--api-key-file is for one app: for several apps, put each key in its profile",
        )


def _profiles(target: Target) -> profiles.Profiles:
    path = target.config or profiles.default_path()
    if target.config is not None and not path.exists():
        raise StopError(Code.SETTINGS, f"{path}: the file does not exist")
    return profiles.read_profiles(path)


def _find_key(app: App, target: Target | None, *, ask: bool) -> tuple[str | None, str]:
    """The key of an app and its source; the key is `None` if the client reads it from the
    environment."""
    if target is not None and target.api_key_file is not None:
        return profiles.read_key(target.api_key_file), "--api-key-file"
    if (key := app.read_key()) is not None:
        return key, f"[apps.{app.name}]"
    if target is None:
        raise StopError(Code.SETTINGS, f"[apps.{app.name}] needs an api_key_file or an api_key")
    if os.environ.get(API_KEY_VARIABLE):
        if app.key_allowed:
            return None, API_KEY_VARIABLE
        raise StopError(
            Code.SETTINGS,
            f"{API_KEY_VARIABLE} is not sent to {app.address}, because only {app.address_from}"
            " names this address: use --api-key-file, or, if the address is right, --base-url or"
            f" {BASE_URL_VARIABLE}",
        )
    if ask and prompts.can_ask() and (typed := prompts.ask_secret("API key (not shown)")):
        return profiles.unquoted(typed), "the terminal"
    raise StopError(
        Code.SETTINGS,
        f"no API key was given: use --api-key-file, set {API_KEY_VARIABLE}, or add api_key_file to"
        " the profile",
    )
