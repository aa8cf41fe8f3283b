"""The API keys that no entry, no list and no reason may hold."""

from __future__ import annotations  # the types of the client are not loaded for --help

import os
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cometchat_desk.exit_codes import StopError
from cometchat_desk.terminal.text import LIKE_A_KEY
from cometchat_rest.endpoint import API_KEY_VARIABLE

from . import profiles
from .profiles import App

# In characters. Nearly every list contains a shorter text by chance.
_SHORTEST_KEY = 16


def known_keys(config: Path | None, apps: Iterable[App] = ()) -> frozenset[str]:
    """The keys of these apps, the environment, the profiles of the user and those of `config`."""
    keys = {os.environ.get(API_KEY_VARIABLE, "").strip()}
    keys.update(app.api_key or "" for app in apps)
    for path in _files_with_profiles(config):
        for settings in _profiles_in(path):
            keys.update(_keys_of(settings, path.parent))
    return frozenset(key for key in keys if len(key) >= _SHORTEST_KEY)


def holds_key(text: str, keys: Collection[str]) -> bool:
    """Whether a text holds one of these keys, or a text with the form of an API key."""
    return LIKE_A_KEY.search(text) is not None or any(key in text for key in keys)


def _files_with_profiles(config: Path | None) -> Iterator[Path]:
    if config is not None:
        yield config
    try:
        yield profiles.default_path()
    except StopError:
        return


def _profiles_in(path: Path) -> Iterator[Mapping[str, Any]]:
    """The profiles of a file, as far as they can be read.

    A command would refuse some of these files, for example because other users may read them. Their
    keys are keys all the same.
    """
    try:
        content = tomllib.loads(_start_of(path, profiles.LONGEST_PROFILES))
    except (OSError, ValueError, RecursionError):
        return
    apps = content.get("apps")
    if isinstance(apps, dict):
        yield from (settings for settings in apps.values() if isinstance(settings, dict))


def _keys_of(settings: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """The key that a profile holds, and each word of its key file."""
    if isinstance(settings.get("api_key"), str):
        yield settings["api_key"].strip()
    name = settings.get("api_key_file")
    if not isinstance(name, str):
        return
    try:
        text = _start_of(folder / Path(name).expanduser(), profiles.LONGEST_KEY_FILE)
    except (OSError, ValueError, RuntimeError):  # RuntimeError: there is no home folder
        return
    yield from map(profiles.unquoted, text.split())


def _start_of(path: Path, largest: int) -> str:
    """The text of a regular file, cut off after so many bytes: a pipe could wait for ever."""
    if not path.is_file():
        return ""
    with path.open("rb") as opened:
        return opened.read(largest).decode("utf-8-sig", "replace")
