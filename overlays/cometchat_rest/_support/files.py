"""What all that write files share: how a path is given and shown, what a cell may hold, what makes a name last."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from cometchat_rest.errors import InvalidRequestError

FormatT = TypeVar("FormatT")

#: What a path may be given as.
FilePath: TypeAlias = str | os.PathLike[str]

# What spreadsheets take for the beginning of a formula, in all widths; and the apostrophe that is put in front.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'")


def printable(path: Path) -> str:
    """A path as a message can show it, in one line."""
    text = str(path)
    return text if text.isprintable() else ascii(text)


def format_for(path: FilePath, formats: Mapping[str, FormatT]) -> tuple[Path, FormatT]:
    """A path, and the format that its suffix names.

    Raises:
        InvalidRequestError: the path is not a path, or its suffix is not in `formats`.
    """
    try:
        target = Path(path)
    except TypeError:
        raise InvalidRequestError(f"path must be a str or a Path, not {type(path).__name__}") from None
    found = formats.get(target.suffix.lower())
    if found is None:
        raise InvalidRequestError(f"{printable(target)}: the suffix must be one of {', '.join(formats)}")
    return target, found


def no_formula(text: str) -> str:
    """A text that no spreadsheet carries out, and that no other text becomes."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlast a loss of power, on systems that open folders."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
