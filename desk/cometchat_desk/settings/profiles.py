"""Profiles: named apps with their addresses and keys, in a TOML file of the user."""

from __future__ import annotations  # the types of the client are not loaded for --help

import contextlib
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

import cometchat_rest
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import FileRefusedError, others_may, read_regular
from cometchat_rest.endpoint import DEFAULT_REGION, resolve_base_url

#: The settings that a profile may have.
FIELDS = ("app_id", "region", "base_url", "api_key", "api_key_file")
# A longer file is a wrong file. Both are numbers of bytes.
LONGEST_KEY_FILE = 4096
LONGEST_PROFILES = 1 << 20
#: The end of an auth token, after the uid of its user: a time of ten digits, and random digits.
LIKE_A_TOKEN = re.compile(r"_\d{10}[0-9a-f]{20}")


@frozen(kw_only=True)
class App:
    """The address and the key of an app, and the source of both. The client reads `None` from
    the environment."""

    name: str = ""
    app_id: str | None = None
    region: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    api_key_file: Path | None = None
    # the folder that holds the key file, if somebody else may have written the profile
    folder: Path | None = None
    address_from: str
    key_from: str = ""
    key_allowed: bool = True  # whether the key of the environment may be sent to the address

    @property
    def address(self) -> str:
        """The base URL of this app; no key is needed."""
        with self._settings_named():
            return resolve_base_url(app_id=self.app_id, region=self.region, base_url=self.base_url)

    def read_key(self) -> str | None:
        """The key that the profile holds or names; `None` if there is none."""
        if self.api_key_file is None:
            return self.api_key
        if self.folder is not None:
            check_inside(self.api_key_file, self.folder)
        return read_key(self.api_key_file)

    def client(
        self, on_drift: Callable[[cometchat_rest.Drift], None] | None = None
    ) -> cometchat_rest.Client:
        """Make a client for this app, with the function that sees unknown values, as in
        `Client`."""
        with self._settings_named():
            return cometchat_rest.Client(
                app_id=self.app_id,
                region=self.region,
                base_url=self.base_url,
                api_key=self.api_key,
                on_drift=on_drift,
            )

    @contextlib.contextmanager
    def _settings_named(self) -> Iterator[None]:
        """Name the profile in the error of an invalid setting in this block, and the setting as
        the profile does."""
        try:
            yield
        except cometchat_rest.ConfigurationError as error:
            if not self.name or error.argument is None:
                raise
            raise StopError(
                Code.SETTINGS, f"{self.address_from}: {error.argument} {error.reason}"
            ) from None


@frozen
class Profiles:
    """The content of a file with profiles."""

    path: Path
    apps: Mapping[str, Mapping[str, str]] = field(factory=dict, repr=False)
    default: str | None = None

    def app(self, name: str) -> App:
        """The app of the profile with this name. A key file is not read yet."""
        if name not in self.apps:
            raise StopError(
                Code.SETTINGS, f"{self.path}: no app is named {name!r}; {self.available}"
            )
        settings: dict[str, Any] = {**self.apps[name]}
        # A relative path begins in the folder of the profiles.
        if "api_key_file" in settings:
            settings["api_key_file"] = (
                self.path.parent / Path(settings["api_key_file"]).expanduser()
            )
        # The region in the environment may belong to another app.
        region = None if "base_url" in settings else settings.pop("region", None) or DEFAULT_REGION
        folder = None if self.is_own else self.path.parent
        return App(
            name=name,
            region=region,
            folder=folder,
            address_from=f"[apps.{name}] in {self.path}",
            **settings,
        )

    @property
    def is_own(self) -> bool:
        """Whether these are the profiles of the user. A file that `--config` names may come from
        somebody else."""
        with contextlib.suppress(StopError):
            return self.path.resolve() == default_path().resolve()
        return False

    @property
    def available(self) -> str:
        """The names of the apps, for a message, or how to add an app."""
        if self.apps:
            return f"the apps are {', '.join(self.apps)}"
        missing = "the file names no app" if self.path.exists() else "the file does not exist"
        return f"{missing}; to add an app, run cometchat-desk apps add NAME"


def default_path() -> Path:
    """The path of the profiles without `--config`."""
    import platformdirs

    try:
        return platformdirs.user_config_path("cometchat-desk", appauthor=False) / "profiles.toml"
    except RuntimeError:
        raise StopError(
            Code.SETTINGS,
            "this user has no home directory, and so no default profiles: use --config",
        ) from None


def read_profiles(path: Path) -> Profiles:
    """Read the profiles; without the file, there are no profiles."""
    try:
        content = tomllib.loads(read_regular(path, LONGEST_PROFILES).decode("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        return Profiles(path)
    except (FileRefusedError, RecursionError, ValueError) as error:
        # The text of a decoding error can show bytes of the file, and these may be a key.
        reasons = {UnicodeDecodeError: "is not UTF-8", RecursionError: "is nested too deeply"}
        raise StopError(Code.SETTINGS, f"{path}: {reasons.get(type(error), str(error))}") from None
    if problem := _problem(content):
        raise StopError(Code.SETTINGS, f"{path}: {problem}")
    apps: Mapping[str, Mapping[str, str]] = content.get("apps", {})
    if any("api_key" in app for app in apps.values()):
        _check_private(path)
    if others_may(path, stat.S_IWGRP | stat.S_IWOTH):
        raise StopError(
            Code.SETTINGS,
            f"{path}: other users can write this file and so send keys to another address; run:"
            f" chmod go-w {path}",
        )
    return Profiles(path, apps, content.get("default"))


def app_names(path: Path | None) -> Sequence[str]:
    """The names of the apps in the profiles, given or default; no name if the profiles cannot be
    read."""
    try:
        return list(read_profiles(path or default_path()).apps)
    except (StopError, OSError):
        return ()


def _problem(content: Mapping[str, object]) -> str | None:
    """The first problem in the content of the file, without any value: a value may be a key."""
    apps, default = content.get("apps", {}), content.get("default")
    if unknown := sorted(content.keys() - {"default", "apps"}):
        return f"{unknown[0]!r} is not a setting; use default, and a table [apps.NAME] for each app"
    if not isinstance(apps, dict):
        return "apps must be a table: write [apps.NAME] for each app"
    for name, app in apps.items():
        if problem := _problem_of_app(app):
            return f"[apps.{name}]: {problem}"
    if default is not None and not (isinstance(default, str) and default in apps):
        return f"default: no app is named {default!r}"
    return None


def _problem_of_app(app: object) -> str | None:
    if not isinstance(app, dict):
        return "must be a table"
    if unknown := sorted(app.keys() - set(FIELDS)):
        return f"{unknown[0]!r} is not a setting; use {', '.join(FIELDS)}"
    if wrong := [name for name, value in app.items() if not isinstance(value, str)]:
        return f"{wrong[0]} must be a string, in quotes"
    if {"api_key", "api_key_file"} <= app.keys():
        return "use either api_key or api_key_file, not both"
    if "base_url" in app and {"app_id", "region"} & app.keys():
        return "use either base_url, or app_id and region, not both"
    if not {"base_url", "app_id"} & app.keys():
        return "needs an app_id or a base_url"
    return None


def check_inside(file: Path, folder: Path) -> None:
    """Make sure that a key file is below a folder, not behind a link: with `--config`, others
    choose its name."""
    start = folder.resolve()
    if file.resolve() != start / os.path.relpath(file, folder):
        raise StopError(
            Code.SETTINGS,
            f"{file}: this key is not read. The profiles of --config may be somebody else's, so the"
            f" file with the key must be in {start}, and must not be a link: move it to that"
            " folder, or use --api-key-file",
        )


def read_key(path: Path) -> str:
    """Read a key from a file that holds nothing else."""
    try:
        _check_regular(path)
        with path.open("rb") as opened:
            data = opened.read(LONGEST_KEY_FILE + 1)
    except (OSError, ValueError) as error:
        fault = error.strerror if isinstance(error, OSError) else None
        reason = f"the file with the API key cannot be read: {fault or error}"
        raise StopError(Code.SETTINGS, f"{path}: {reason}") from None
    _check_private(path)
    words = (
        unquoted(data.decode("utf-8-sig", "replace")).split()
        if len(data) <= LONGEST_KEY_FILE
        else []
    )
    if len(words) != 1:
        raise StopError(Code.SETTINGS, f"{path}: the file must hold an API key and nothing else")
    return words[0]


def _check_regular(path: Path) -> None:
    # A named pipe might wait for ever. Below /dev are the open files of this process, such as
    # /dev/stdin.
    if path.exists() and not path.is_file() and not path.is_relative_to("/dev"):
        raise ValueError("it is not a regular file")


def unquoted(key: str) -> str:
    """A key without the spaces and the quotes that were copied with it."""
    return key.strip(" \t\r\n\"'`\u201c\u201d\u2018\u2019")


def _check_private(path: Path) -> None:
    """Refuse a file with a key that other users of this machine can read or write."""
    if others_may(path, stat.S_IRWXG | stat.S_IRWXO):
        raise StopError(
            Code.SETTINGS,
            f"{path}: the file is for a key, and other users can access it; run: chmod 600 {path}",
        )
