"""Change the profiles in the file of the user, and write the key file beside it. Other profiles
stay unchanged."""

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import tomlkit
from filelock import FileLock

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import write_file

from .profiles import Profiles, read_profiles

_NAME = re.compile("[0-9A-Za-z_-]{1,64}")


def check_name(path: Path, name: str, *, replace: bool) -> None:
    """Make sure that a profile with this name can be written; with `replace`, the name may be in
    use."""
    if not _NAME.fullmatch(name):
        raise StopError(
            Code.USAGE, f"NAME {name!r}: use 1 to 64 letters A-Z, digits, hyphens and underscores"
        )
    if name in read_profiles(path).apps and not replace:
        raise StopError(
            Code.USAGE,
            f"{path}: the app {name} exists already; choose another name, or replace it with"
            " --replace",
        )


def key_file_for(path: Path, name: str) -> Path:
    """The file for the key of a profile."""
    file, stored = path.parent / f"{name}.key", read_profiles(path)
    if os.path.lexists(file) and not (
        name in stored.apps and stored.app(name).api_key_file == file
    ):
        raise StopError(
            Code.USAGE,
            f"{file} exists already: use it with --api-key-file {file}, or move it to another"
            " place",
        )
    return file


def write_profile(path: Path, name: str, settings: Mapping[str, str], *, replace: bool) -> bool:
    """Add a profile, or replace it; return whether it is the default app, as the first one is."""
    with _changed(path) as (stored, document):
        check_name(path, name, replace=replace)
        apps = document.setdefault("apps", tomlkit.table(is_super_table=True))
        profile = apps.setdefault(name, {})
        for setting in stored.apps.get(name, {}).keys() - settings.keys():
            profile.remove(setting)
        profile.update(settings)
        if not stored.apps:
            document["default"] = name
        return document.get("default") == name


def remove_profile(path: Path, name: str) -> Path | None:
    """Remove a profile, and its key file if `key_file_for` named it; return a key file that
    stays."""
    with _changed(path) as (stored, document):
        key_file = stored.app(name).api_key_file
        document["apps"].remove(name)
        if stored.default == name:
            document.remove("default")
    if key_file is None or key_file != path.parent / f"{name}.key":
        return key_file
    key_file.unlink(missing_ok=True)
    return None


@contextlib.contextmanager
def _changed(path: Path) -> Iterator[tuple[Profiles, tomlkit.TOMLDocument]]:
    """Read the file, and write it after this block, in which no other process changes it;
    comments stay."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(path.with_name(f".{path.name}.lock"), mode=0o600):
        stored = read_profiles(path)
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        document = tomlkit.parse(text)
        yield stored, document
        changed = tomlkit.dumps(document).replace("\r\n", "\n")
        write_file(
            path, changed.replace("\n", "\r\n" if "\r\n" in text else "\n").encode(), mode=0o600
        )
