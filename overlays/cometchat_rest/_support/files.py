"""Helpers for reading and writing files: the type of a path, safe text for messages and cells."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from cometchat_rest.errors import InvalidRequestError

FormatT = TypeVar("FormatT")

#: The types that a path argument may have.
FilePath: TypeAlias = str | os.PathLike[str]

# Characters that begin a formula in a spreadsheet, in all widths; and the apostrophe that `no_formula` adds.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'")


def printable(path: Path) -> str:
    """Return a path as one line of printable text, for a message."""
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
    """Return a text that no spreadsheet evaluates as a formula; different texts stay different."""
    return f"'{text}" if text.startswith(_FORMULA) else text
