"""Files: reading what others may have made, writing completely or not at all, and formulas of
spreadsheets."""

import contextlib
import errno
import os
import re
import signal
import stat
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Final

# A text that a spreadsheet would change, with the apostrophes that may stand before it.
_CHANGED = re.compile(
    r"""
    '* (?:
        [-=+@\uff0d\uff1d\uff0b\uff20\t\r\n]        # a formula, in all widths: =1+1, -spam
      | (?! (?: 0 | [1-9][0-9]{0,14} ) \Z )       # not a number that stays as it is
        (?= [.,]* [0-9] ) [0-9.,]+                # 007, 1,000
        (?: [eE] [+-]? [0-9]+ )? \Z               # 1e5
    )
    """,
    re.VERBOSE,
)

# A formula that would begin a cell inside a text, with the apostrophes that may stand before it:
# spam;=1+1
_FORMULA = "'*[-=+@\uff0d\uff1d\uff0b\uff20]"
_INNER_FORMULA = re.compile(rf"([;\t][ ]*)(?={_FORMULA})")
_MARKED_FORMULA = re.compile(rf"([;\t][ ]*)'(?={_FORMULA})")

_WINDOWS: Final = sys.platform == "win32"


@contextlib.contextmanager
def new_threads_without_signals() -> Iterator[None]:
    """Let a thread that starts in this block get neither SIGINT nor SIGTERM: the main thread
    acts on them."""
    if _WINDOWS:  # there, Ctrl-C does not reach a thread
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def others_may(path: Path, bits: int) -> bool:
    """Whether the mode of a file has any of these bits. Other users cannot open a pipe such as
    /dev/stdin."""
    mode = path.stat().st_mode
    # Windows has no such modes; the folder of the user is private.
    return not _WINDOWS and stat.S_ISREG(mode) and bool(mode & bits)


def lock(file: IO[bytes], path: Path) -> None:
    """Let nobody else write to a path until this file is closed. An OSError says that another
    writer has the path."""
    from filelock import lock_descriptor

    if not lock_descriptor(file.fileno(), blocking=False):
        file.close()
        raise OSError(
            errno.EAGAIN,
            "another program is writing to it; wait until that program has ended",
            str(path),
        )


class FileRefusedError(Exception):
    """A file that is not read; the text is the reason, as the end of a sentence about the file."""


def check_link(path: Path) -> None:
    """Refuse a symbolic link that leads out of a folder, for a file that the user did not name:
    others may change the folder, and the link could lead to a key."""
    # Folders above an absolute path belong to the user, such as /tmp on macOS, which is a link.
    for folder in [path.parent] if path.is_absolute() else path.parents:
        if folder.is_symlink():
            raise FileRefusedError(
                f"is in {folder}, which is a symbolic link; name the folder itself"
            )
    if not path.resolve().is_relative_to(path.parent.resolve()):
        raise FileRefusedError(
            "is a symbolic link to a file outside its folder; put the file itself there"
        )


def read_regular(path: Path, largest: int) -> bytes:
    """Read a regular file, which a symbolic link may name."""
    # A named pipe blocks until another process writes to it, perhaps for ever.
    if not stat.S_ISREG(path.stat().st_mode):
        raise FileRefusedError("is not a regular file")
    with path.open("rb") as opened:
        data = opened.read(largest + 1)
    if len(data) > largest:
        raise FileRefusedError(f"is larger than {largest >> 20} MiB")
    return data


def lines_of(path: Path) -> list[str]:
    """The lines of a text file of this package, without comments and blank lines."""
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def sync_folder(folder: Path) -> None:
    """Make the file names in a folder survive a power failure, on systems that can open folders."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name this path in an OSError, in place of a temporary file or of no file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def write_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write a file completely or not at all, also at a power failure; without a `mode`, another
    file keeps its mode.

    A symbolic link stays: the file it leads to is replaced.
    """
    target = path.resolve()
    temporary = target.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        with naming(path):
            if mode is None and target.exists():
                mode = stat.S_IMODE(target.stat().st_mode)
            # Nobody else can read the file before it has its mode.
            opener = partial(os.open, mode=0o666 if mode is None else 0o600)
            with open(temporary, "xb", opener=opener) as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def marked(text: str) -> str:
    """A text as a cell of a CSV file, with an apostrophe before a formula, or before a number that
    a spreadsheet would change. Some spreadsheets begin a cell at a semicolon or a tab."""
    text = _INNER_FORMULA.sub(r"\1'", text)
    return f"'{text}" if _CHANGED.match(text) else text


def unmarked(cell: str) -> str:
    """The text of a cell, without the apostrophes of `marked`."""
    text = cell[1:] if cell.startswith("'") and _CHANGED.match(cell, 1) else cell
    return _MARKED_FORMULA.sub(r"\1", text)
