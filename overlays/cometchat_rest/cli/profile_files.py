"""Add a profile to the file of the user, and write the key file beside it. Nothing that exists is changed."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from cometchat_rest._platform import SYSTEM, write_file

from .exit_codes import Code, StopError
from .profiles import looks_like_a_key, read_profiles

_NAME = re.compile("[0-9A-Za-z_-]{1,64}")


def check_new(path: Path, name: str) -> None:
    """Make sure that a profile with this name can be added.

    Raises:
        StopError: the name is invalid or in use, or the file is invalid.
        OSError: the file cannot be read.
    """
    if looks_like_a_key(name):
        raise StopError(Code.USAGE, "the API key itself was given instead of a name: choose a name for the app")
    if not _NAME.fullmatch(name):
        raise StopError(Code.USAGE, f"NAME {name!r}: use 1 to 64 letters A-Z, digits, hyphens and underscores")
    if name in read_profiles(path).apps:
        raise StopError(
            Code.USAGE, f"{path}: the app {name} exists already; choose another name, or edit [apps.{name}] in the file"
        )


def key_file_for(path: Path, name: str) -> Path:
    """The file for the key of a new profile.

    Raises:
        StopError: the file exists.
    """
    file = path.parent / f"{name}.key"
    if os.path.lexists(file):
        raise StopError(
            Code.USAGE, f"{file} exists already: use it with --api-key-file {file}, or move it to another place"
        )
    return file


def add_profile(path: Path, name: str, settings: Mapping[str, str], *, default: bool) -> bool:
    """Append a profile to the file. The file is replaced as a whole, and gets the mode 600.

    Args:
        path: the file with the profiles.
        name: the name of the new app.
        settings: the settings of its profile.
        default: whether to make it the default app. The first app is always the default app.

    Returns:
        Whether the app is the default app now.

    Raises:
        StopError: the name is in use, there is another default app, or the file cannot be extended.
        OSError: the file cannot be written.
    """
    with _locked(path):
        check_new(path, name)
        found = read_profiles(path)
        if default and found.default is not None:
            raise StopError(
                Code.USAGE, f"{path}: the default app is {found.default}; leave out --default, or edit the file"
            )
        becomes_default = default or (not found.apps and found.default is None)
        before = path.read_bytes() if path.exists() else b""
        content = _extended(before.decode("utf-8-sig"), name, settings, default=becomes_default)
        _check_content(path, before.decode("utf-8-sig"), content, name, settings, default=becomes_default)
        write_file(path, content.encode(), mode=0o600)
    return becomes_default


def write_key(file: Path, key: str) -> None:
    """Write a key to a new file with the mode 600.

    Raises:
        OSError: the file exists, or cannot be written. No incomplete file stays.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "w", encoding="utf-8") as output:
            output.write(f"{key}\n")
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _extended(text: str, name: str, settings: Mapping[str, str], *, default: bool) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    table = [f"[apps.{name}]", *(f"{setting} = {_quoted(value)}" for setting, value in settings.items())]
    first = [f"default = {_quoted(name)}", ""] if default else []
    before = text if not text or text.endswith("\n") else text + newline
    if first:
        # A setting outside the tables must come before the first table.
        before = newline.join([*first, before])
    elif before:
        before += newline
    return before + "".join(f"{line}{newline}" for line in table)


def _quoted(value: str) -> str:
    """A text as a string of TOML."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\u{ord(found[0]):04x}", escaped) + '"'


def _check_content(
    path: Path, before: str, after: str, name: str, settings: Mapping[str, str], *, default: bool
) -> None:
    """Make sure that the new content holds all that the file held before, and the new profile."""
    wanted = tomllib.loads(before)
    wanted["apps"] = {**wanted.get("apps", {}), name: dict(settings)}
    if default:
        wanted["default"] = name
    with contextlib.suppress(ValueError):
        if tomllib.loads(after) == wanted:
            return
    lines = ", ".join(f"{setting} = {_quoted(value)}" for setting, value in settings.items())
    raise StopError(Code.SETTINGS, f"{path}: no table can be added to this file; add the app {name} by hand: {lines}")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Make sure that no other process adds a profile at the same time. The lock ends with the process."""
    folder = path.resolve().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with SYSTEM.locked_folder(folder):
        yield
