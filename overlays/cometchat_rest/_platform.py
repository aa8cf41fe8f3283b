"""The differences between Windows and other systems, one class for each; writing a file completely or not at all.

Every module may import this one, except those of the simulator, which import nothing of the package.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Final


class Linux:
    """Linux, and each system that is like it."""

    def block_signals(self) -> None:
        """Let this thread receive neither SIGINT nor SIGTERM. Call it only in our own threads.

        The system may deliver a signal to any thread, but Python acts on it in the main thread only. If another thread
        received it, the main thread would continue to wait, perhaps until the deadline.
        """
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})

    def lock(self, file: IO[bytes]) -> None:
        """Lock a file until it is closed or the process ends, even if the process is killed.

        Raises:
            OSError: another process, or another open file of this process, has the lock.
        """
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
    """Windows: no signals of threads, no modes of files, and locks on bytes.

    Args:
        pause: seconds between two attempts to replace a file.
    """

    def __init__(self, pause: float = 0.05) -> None:
        self._pause = pause

    def block_signals(self) -> None:
        """Do nothing: Ctrl-C does not reach a thread."""

    def lock(self, file: IO[bytes]) -> None:
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
    """Write a file completely or not at all; it survives a power failure.

    Args:
        path: the file. A symbolic link stays: the file it leads to is replaced.
        data: the new content.
        mode: the mode of the file; by default a new file has the usual mode, and another file keeps its mode.

    Raises:
        OSError: the file cannot be written, and is unchanged.
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
