"""Files: locks, writing a file completely or not at all, and the differences between Linux, macOS and Windows."""

import contextlib
import os
import re
import signal
import stat
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Final

# Characters that begin a formula in a spreadsheet, in all widths; and the apostrophe that `no_formula` adds.
_FORMULA = "=+@\uff1d\uff0b\uff0d\uff20'-"
#: Where a cell can begin within a text, if a spreadsheet separates at another character than the comma.
INNER_CELL = r"[,;|\t\r\n][,;|\t\r\n \"]*"
_INNER_FORMULA = re.compile(f"({INNER_CELL}+)([{_FORMULA}]?)")


class Linux:
    """Linux, and each system that is like it."""

    def block_signals(self) -> None:
        """Let our own thread receive neither SIGINT nor SIGTERM: the main thread, which acts on them, would wait on."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})

    def lock(self, file: IO[bytes]) -> None:
        """Lock a file until it is closed or the process ends, even if the process is killed."""
        fcntl = import_module("fcntl")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    @contextlib.contextmanager
    def locked_folder(self, folder: Path) -> Iterator[None]:
        """Wait for other processes in the same block with the same folder."""
        fcntl = import_module("fcntl")
        opened = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX)
            yield
        finally:
            os.close(opened)

    def others_may(self, path: Path, bits: int) -> bool:
        """Whether the mode of a file has any of these bits. Other users cannot open a pipe such as /dev/stdin."""
        mode = path.stat().st_mode
        return stat.S_ISREG(mode) and bool(mode & bits)

    def replace(self, source: Path, target: Path) -> None:
        """Give a file the name of another file, which it replaces."""
        source.replace(target)


class Windows(Linux):
    """Windows: no signals of threads, no modes of files, and locks on bytes."""

    def __init__(self, pause: float = 0.05) -> None:
        self._pause = pause

    def block_signals(self) -> None:
        """Do nothing: Ctrl-C does not reach a thread."""

    def lock(self, file: IO[bytes]) -> None:
        """Lock a file as above."""
        msvcrt = import_module("msvcrt")
        # Nobody else can read locked bytes, so this is a byte far beyond the end of any file: 8 TiB.
        file.seek(2**43)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    @contextlib.contextmanager
    def locked_folder(self, folder: Path) -> Iterator[None]:
        """Do not wait: a folder cannot be locked."""
        del folder
        yield

    def others_may(self, path: Path, bits: int) -> bool:
        """Files have no modes; the folder of the user is private."""
        del path, bits
        return False

    def replace(self, source: Path, target: Path) -> None:
        """Try for half a second: a file cannot be replaced while somebody has it open, such as a virus scanner."""
        for _ in range(10):
            with contextlib.suppress(PermissionError):
                source.replace(target)
                return
            time.sleep(self._pause)
        source.replace(target)


SYSTEM: Final = Windows() if sys.platform == "win32" else Linux()


def lock(file: IO[bytes], path: Path) -> None:
    """Let nobody else write to a path until this file is closed. An OSError says that another writer has the path."""
    try:
        SYSTEM.lock(file)
    except (BlockingIOError, PermissionError) as error:
        file.close()
        reason = "another writer has it open, and only one is allowed at a time"
        raise OSError(error.errno, reason, str(path)) from None


class FileRefusedError(Exception):
    """A file that is not read; the text is the reason, as the end of a sentence about the file."""


def read_own(path: Path, largest: int) -> bytes:
    """Read a file of a folder that others may change: a symbolic link in it could lead to a key, and is refused."""
    real = path.resolve(strict=True)
    # Folders above an absolute path belong to the user, such as /tmp on macOS, which is a link.
    for folder in [path.parent] if path.is_absolute() else path.parents:
        if folder.is_symlink():
            raise FileRefusedError(f"is in {folder}, which is a symbolic link; name the folder itself")
    if not real.is_relative_to(path.parent.resolve()):
        raise FileRefusedError("is a symbolic link to a file outside its folder; put the file itself there")
    # A named pipe blocks until another process writes to it, perhaps for ever.
    if not stat.S_ISREG(real.stat().st_mode):
        raise FileRefusedError("is not a regular file")
    with real.open("rb") as opened:
        data = opened.read(largest + 1)
    if len(data) > largest:
        raise FileRefusedError(f"is larger than {largest >> 20} MiB")
    return data


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
    """Write a file completely or not at all, also at a power failure; without a `mode`, another file keeps its mode.

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
            SYSTEM.replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def no_formula(text: str) -> str:
    """A text with an apostrophe before each formula or apostrophe with which a cell of a spreadsheet can begin."""
    inner = _INNER_FORMULA.sub(lambda match: f"{match[1]}'{match[2]}" if match[2] else match[1], text)
    return f"'{inner}" if text.startswith((*_FORMULA, "\t", "\r", "\n")) else inner
