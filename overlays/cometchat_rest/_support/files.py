"""Helpers for reading and writing files: the type of a path, safe text for messages and cells, durable file names."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TypeAlias

#: The types that a path argument may have.
FilePath: TypeAlias = str | os.PathLike[str]

# Characters that begin a formula in a spreadsheet, in all widths; and the apostrophe that `no_formula` adds.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20'")


def printable(path: Path) -> str:
    """Return a path as one line of printable text, for a message."""
    text = str(path)
    return text if text.isprintable() else ascii(text)


def no_formula(text: str) -> str:
    """Return a text that no spreadsheet evaluates as a formula; different texts stay different."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def sync_folder(folder: Path) -> None:
    """Make the file names in a folder survive a power failure, on systems that can open folders."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
