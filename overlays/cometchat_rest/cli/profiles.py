"""Apps by name, in a file of the user's:

```toml
default = "shop"             # meant where no app is named

[apps.shop]
app_id = "253179cf5f665257"
region = "eu"
api_key_file = "shop.key"    # beside this file; or api_key = "..."

[apps.clinic]
base_url = "https://chat.example.com/v3"
```
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from .exit_codes import Code, StopError

#: What a profile may say of an app.
FIELDS = ("app_id", "region", "base_url", "api_key", "api_key_file")
# What is longer than this is some other file.
_LONGEST_KEY_FILE, _LONGEST_PROFILES = 4096, 1 << 20
_LIKE_A_KEY = re.compile("[0-9A-Za-z]{30,}")


@frozen(kw_only=True)
class Profile:
    """Where one app lives, and perhaps its key."""

    name: str
    app_id: str | None = None
    region: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    api_key_file: Path | None = None

    @property
    def has_key(self) -> bool:
        """Whether it says what its key is, or where."""
        return self.api_key is not None or self.api_key_file is not None


@frozen
class Profiles:
    """What a file of profiles holds."""

    path: Path
    apps: Mapping[str, Mapping[str, str]] = field(factory=dict, repr=False)
    default: str | None = None

    def profile(self, name: str) -> Profile:
        """The app of that name.

        Raises:
            StopError: there is none.
        """
        self.check_name(name)
        said = dict(self.apps[name])
        file = said.pop("api_key_file", None)
        key_file = None if file is None else self.path.parent / Path(file).expanduser()
        return Profile(name=name, api_key_file=key_file, **said)

    def check_name(self, name: str) -> None:
        """Make sure that there is an app of that name.

        Raises:
            StopError: there is none.
        """
        if name not in self.apps:
            raise StopError(Code.SETTINGS, f"{self.path}: no app is named {name!r}; {self.told}")

    @property
    def told(self) -> str:
        """Which apps there are, for people."""
        if self.apps:
            return f"it has {', '.join(self.apps)}"
        return "there are no apps" if self.path.exists() else "there is no such file"


def usual_path() -> Path:
    """Where the profiles are unless told otherwise.

    Raises:
        StopError: nobody knows where the user's files are.
    """
    told = os.environ.get("XDG_CONFIG_HOME", "")
    try:
        # A relative path there is to be ignored, says the XDG Base Directory Specification.
        folder = Path(told) if Path(told).is_absolute() else Path.home() / ".config"
    except RuntimeError:
        raise StopError(Code.SETTINGS, "there is no home directory to look for profiles in; name a --config") from None
    return folder / "cometchat-rest" / "profiles.toml"


def read_profiles(path: Path) -> Profiles:
    """What the file holds; a file that is not there holds nothing.

    Raises:
        StopError: it is not as it should be, others can write it, or it holds a key that others can read.
        OSError: it cannot be read.
    """
    try:
        data = _read(path, _LONGEST_PROFILES, "profiles")
    except (FileNotFoundError, NotADirectoryError):
        return Profiles(path)
    try:
        content = tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        # A decoder's text can show what it could not decode, and that may be a key.
        reason = "is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise StopError(Code.SETTINGS, f"{path}: {reason}") from None
    if fault := _fault(content):
        raise StopError(Code.SETTINGS, f"{path}: {fault}")
    apps: Mapping[str, Mapping[str, str]] = content.get("apps", {})
    if any("api_key" in app for app in apps.values()):
        _check_private(path)
    if _may_others(path, stat.S_IWGRP | stat.S_IWOTH):
        raise StopError(
            Code.SETTINGS, f"{path}: others can write it, and so have keys sent elsewhere; say: chmod go-w {path}"
        )
    return Profiles(path, apps, content.get("default"))


def _fault(content: Mapping[str, object]) -> str | None:
    """What is wrong with the content of a file, without any of its values."""
    apps, default = content.get("apps", {}), content.get("default")
    if unknown := sorted(content.keys() - {"default", "apps"}):
        return f"{unknown[0]!r} is not known here; there is default, and a table [apps.NAME] for each app"
    if not isinstance(apps, dict):
        return "apps: a table [apps.NAME] for each app is needed"
    for name, app in apps.items():
        if fault := _fault_of_app(app):
            return f"[apps.{name}]: {fault}"
    if default is not None and not (isinstance(default, str) and default in apps):
        return f"default: no app is named {default!r}"
    return None


def _fault_of_app(app: object) -> str | None:
    if not isinstance(app, dict):
        return "must be a table"
    if unknown := sorted(app.keys() - set(FIELDS)):
        return f"{unknown[0]!r} is not known; there is {', '.join(FIELDS)}"
    if wrong := [name for name, value in app.items() if not isinstance(value, str)]:
        return f"{wrong[0]}: must be text, in quotes"
    if {"api_key", "api_key_file"} <= app.keys():
        return "api_key and api_key_file: only one of them can hold"
    if "base_url" in app and {"app_id", "region"} & app.keys():
        return "base_url takes the place of app_id and region"
    if not {"base_url", "app_id"} & app.keys():
        return "needs an app_id or a base_url"
    return None


def read_key(path: Path) -> str:
    """The key in a file that holds nothing else.

    Raises:
        StopError: it cannot be read, or others can read it as well, or it holds something else.
    """
    if _LIKE_A_KEY.fullmatch(path.name) and not path.exists():
        # It stands where it can be seen already, and need not be in a log as well.
        raise StopError(Code.SETTINGS, "the name of a file with the API key is needed, not the key itself")
    try:
        data = _read(path, _LONGEST_KEY_FILE, "a key")
    except OSError as error:
        reason = f"the file with the API key cannot be read: {error.strerror or error}"
        raise StopError(Code.SETTINGS, f"{path}: {reason}") from None
    _check_private(path)
    words = data.decode("utf-8-sig", "replace").split()
    if len(words) != 1:
        raise StopError(Code.SETTINGS, f"{path}: must hold an API key and nothing else")
    return words[0]


def _read(path: Path, longest: int, what: str) -> bytes:
    try:
        with path.open("rb") as opened:
            data = opened.read(longest + 1)
    except ValueError as error:
        raise StopError(Code.SETTINGS, f"{path}: {error}") from None
    if len(data) > longest:
        raise StopError(Code.SETTINGS, f"{path}: is too long to be {what}")
    return data


def _check_private(path: Path) -> None:
    """Refuse a file with a key that others on this machine can read."""
    if _may_others(path, stat.S_IRWXG | stat.S_IRWXO):
        raise StopError(Code.SETTINGS, f"{path}: holds a key, and others can read it; say: chmod 600 {path}")


def _may_others(path: Path, bits: int) -> bool:
    """Whether a file's mode has any of these bits."""
    mode = path.stat().st_mode
    # Where there are no such modes, others are kept out by other means; a pipe is nobody's to open again.
    return os.name == "posix" and stat.S_ISREG(mode) and bool(mode & bits)
