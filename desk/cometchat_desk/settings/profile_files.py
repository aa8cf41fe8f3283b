"""Add or replace a profile in the file of the user, and write the key file beside it. Other profiles stay unchanged."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import SYSTEM, write_file

from .profiles import looks_like_a_key, read_profiles

_NAME = re.compile("[0-9A-Za-z_-]{1,64}")


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


def write_profile(path: Path, name: str, settings: Mapping[str, str], *, default: bool, replace: bool) -> bool:
    """Append a profile to the file, or replace it. The file is replaced as a whole, and gets the mode 600.

    A replaced profile keeps its settings of the linter. The first app is always the default app.

    Returns:
        Whether the app is the default app now.
    """
    folder = path.resolve().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Another process may add a profile at the same time. The lock ends with the process.
    with SYSTEM.locked_folder(folder):
        check_name(path, name, replace=replace)
        known = read_profiles(path)
        if default and known.default not in (None, name):
            raise StopError(
                Code.USAGE, f"{path}: the default app is {known.default}; leave out --default, or edit the file"
            )
        if "lint" in (before := known.apps.get(name, {})):
            settings = {**settings, "lint": before["lint"]}
        becomes_default = known.default is None and (default or not known.apps)
        text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
        content = _with_profile(text, name, settings, default=becomes_default, replace=name in known.apps)
        wanted = tomllib.loads(text)
        wanted["apps"] = {**wanted.get("apps", {}), name: dict(settings)}
        if becomes_default:
            wanted["default"] = name
        if not _holds(content, wanted):
            lines = ", ".join(f"{setting} = {_quoted(value)}" for setting, value in settings.items())
            raise StopError(
                Code.SETTINGS, f"{path}: this program cannot change this file; write the app {name} by hand: {lines}"
            )
        write_file(path, content.encode(), mode=0o600)
    return becomes_default or known.default == name


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


def _with_profile(text: str, name: str, settings: Mapping[str, str], *, default: bool, replace: bool) -> str:
    """The content of the file with the new profile. Comments, order and line ends stay."""
    newline = "\r\n" if "\r\n" in text else "\n"
    table = [f"[apps.{name}]", *(f"{setting} = {_quoted(value)}" for setting, value in settings.items())]
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
    if replace:
        header = re.compile(rf"""\s*\[\s*apps\s*\.\s*["']?{name}["']?\s*\]""")
        first = next((number for number, line in enumerate(lines) if header.match(line)), len(lines))
        after = (number for number in range(first + 1, len(lines)) if lines[number].lstrip().startswith("["))
        end = next(after, len(lines))
        # Comments and empty lines at the end belong to the next table.
        while end > first and lines[end - 1].strip()[:1] in ("", "#"):
            end -= 1
        lines[first:end] = table
    else:
        lines += ["", *table] if lines else table
    if default:
        # A setting outside the tables must come before the first table.
        lines = [f"default = {_quoted(name)}", "", *lines]
    return "".join(f"{line}{newline}" for line in lines)


def _quoted(value: str) -> str:
    """A text as a string of TOML."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda control: f"\\u{ord(control[0]):04x}", escaped) + '"'


def _holds(content: str, wanted: Mapping[str, object]) -> bool:
    """Whether the file holds all that it held before, and the new profile."""
    try:
        return tomllib.loads(content) == wanted
    except ValueError:
        return False
