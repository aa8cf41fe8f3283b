"""Change the profiles in the file of the user, and write the key file beside it. Other profiles stay unchanged."""

import contextlib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import SYSTEM, write_file

from .profiles import Profiles, looks_like_a_key, read_profiles

_NAME = re.compile("[0-9A-Za-z_-]{1,64}")
_DEFAULT = re.compile(r"""(\s*default\s*=\s*)("[^"]*"|'[^']*')""")


def check_name(path: Path, name: str, *, replace: bool) -> None:
    """Make sure that a profile with this name can be written; with `replace`, the name may be in use."""
    if looks_like_a_key(name):
        raise StopError(Code.USAGE, "the API key itself was given instead of a name: choose a name for the app")
    if not _NAME.fullmatch(name):
        raise StopError(Code.USAGE, f"NAME {name!r}: use 1 to 64 letters A-Z, digits, hyphens and underscores")
    if name in read_profiles(path).apps and not replace:
        raise StopError(
            Code.USAGE, f"{path}: the app {name} exists already; choose another name, or replace it with --replace"
        )


def key_file_for(path: Path, name: str) -> Path:
    """The file for the key of a profile."""
    file, known = path.parent / f"{name}.key", read_profiles(path)
    if os.path.lexists(file) and not (name in known.apps and known.profile(name).api_key_file == file):
        raise StopError(
            Code.USAGE, f"{file} exists already: use it with --api-key-file {file}, or move it to another place"
        )
    return file


def write_profile(path: Path, name: str, settings: Mapping[str, str], *, replace: bool) -> bool:
    """Append a profile, or replace it but for its linter; return whether it is the default app, as the first one is."""
    with _locked(path) as known:
        check_name(path, name, replace=replace)
        if "lint" in (before := known.apps.get(name, {})):
            settings = {**settings, "lint": before["lint"]}
        default = known.default if known.apps else name
        _rewrite(path, name, {**known.apps, name: settings}, default)
    return default == name


def set_default(path: Path, name: str) -> None:
    """Make an app of the profiles the default app."""
    with _locked(path) as known:
        known.profile(name)
        _rewrite(path, name, known.apps, name)


def remove_profile(path: Path, name: str) -> Path | None:
    """Remove a profile, and its key file if `key_file_for` named it; return a key file that stays."""
    with _locked(path) as known:
        key_file = known.profile(name).api_key_file
        apps = {app: settings for app, settings in known.apps.items() if app != name}
        _rewrite(path, name, apps, None if known.default == name else known.default)
    if key_file is None or key_file != path.parent / f"{name}.key":
        return key_file
    key_file.unlink(missing_ok=True)
    return None


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[Profiles]:
    """Read the file, which no other process changes in this block. The lock ends with the process."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with SYSTEM.locked_folder(path.parent):
        yield read_profiles(path)


def _rewrite(path: Path, name: str, apps: Mapping[str, Mapping[str, str]], default: str | None) -> None:
    """Write the file with these apps and this default app. Only the app `name` differs from the apps in the file."""
    text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    before, settings = tomllib.loads(text), apps.get(name, {})
    values = [f"{setting} = {_quoted(value)}" for setting, value in settings.items()]
    if before.get("apps", {}).get(name) != apps.get(name):
        lines = _with_table(lines, name, [f"[apps.{name}]", *values] if name in apps else [])
    content = "".join(f"{line}{newline}" for line in _with_default(lines, default))
    wanted = {**before, "apps": apps, "default": default}
    try:
        is_right = {"apps": {}, "default": None, **tomllib.loads(content)} == wanted
    except ValueError:
        is_right = False
    if not is_right:
        by_hand = f"edit [apps.{name}] by hand: {', '.join(values)}"
        raise StopError(Code.SETTINGS, f"{path}: this program cannot change this file; {by_hand}")
    write_file(path, content.encode(), mode=0o600)


@contextlib.contextmanager
def written_key(file: Path, key: str) -> Iterator[None]:
    """Write a key to a file with the mode 600 for this block. If the block fails, the file is as before."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = file.read_bytes() if file.exists() else None
    write_file(file, f"{key}\n".encode(), mode=0o600)
    try:
        yield
    except BaseException:
        if before is None:
            file.unlink(missing_ok=True)
        else:
            write_file(file, before, mode=0o600)
        raise


def _with_table(lines: list[str], name: str, table: Sequence[str]) -> list[str]:
    """The lines with this table of an app in place of its old one. Comments and the order stay."""
    header = re.compile(rf"""\s*\[\s*apps\s*\.\s*["']?{name}["']?\s*\]""")
    first = next((number for number, line in enumerate(lines) if header.match(line)), None)
    if first is None:
        return [*lines, "", *table] if lines else [*table]
    end = _next_table(lines, first + 1)
    # Comments and empty lines at the end belong to the next table.
    while lines[end - 1].strip()[:1] in ("", "#"):
        end -= 1
    return [*lines[:first], *table, *lines[end:]]


def _next_table(lines: Sequence[str], start: int) -> int:
    return next((number for number in range(start, len(lines)) if lines[number].lstrip().startswith("[")), len(lines))


def _with_default(lines: list[str], name: str | None) -> list[str]:
    """The lines with this default app, which stands before the first table, or without a default app."""
    old = next((number for number in range(_next_table(lines, 0)) if _DEFAULT.match(lines[number])), None)
    if old is None:
        return lines if name is None else [f"default = {_quoted(name)}", "", *lines]
    kept = () if name is None else (_DEFAULT.sub(lambda match: f"{match[1]}{_quoted(name)}", lines[old]),)
    return [*lines[:old], *kept, *lines[old + 1 :]]


def _quoted(value: str) -> str:
    # A string of JSON is one of TOML, except for this character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
