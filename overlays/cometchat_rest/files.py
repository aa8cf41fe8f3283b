"""What all that write files share: how a path may be given and is shown, and what makes a new name last."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TypeAlias

#: What a path may be given as.
FilePath: TypeAlias = str | os.PathLike[str]


def printable(path: Path) -> str:
    """A path as a message can show it, in one line."""
    text = str(path)
    return text if text.isprintable() else ascii(text)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder outlast a loss of power, on systems that open folders."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
