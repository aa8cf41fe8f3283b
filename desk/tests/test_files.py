"""The branches for Linux, macOS and Windows, all on the system of the tests."""

import os
import signal
import stat
import sys
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Self

import pytest

from cometchat_desk.files import SYSTEM, FileRefusedError, Linux, Windows, read_own, sync_folder, write_file

posix = pytest.mark.skipif(os.name != "posix", reason="this branch needs POSIX")
EACH = [pytest.param(Linux(), marks=posix), Windows(pause=0.0)]
each_system = pytest.mark.parametrize("system", EACH, ids=lambda system: type(system).__name__)


class LocksOfWindows(ModuleType):
    """Stands in for `msvcrt`: a lock is on a byte at the position of a file, and ends with its descriptor."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self._holders: dict[tuple[int, int], int] = {}

    def locking(self, descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (self.LK_NBLCK, 1)
        position = os.lseek(descriptor, 0, os.SEEK_CUR)
        assert position > os.fstat(descriptor).st_size, "other programs could not read the content"
        if self._holders.setdefault((os.fstat(descriptor).st_ino, position), descriptor) != descriptor:
            raise PermissionError(13, "Permission denied")


@pytest.fixture(autouse=True)
def locks_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "win32":
        monkeypatch.setitem(sys.modules, "msvcrt", LocksOfWindows())


def test_system_of_this_machine() -> None:
    """The package uses the branch of the system that it runs on."""
    assert type(SYSTEM) is (Windows if sys.platform == "win32" else Linux)


@each_system
def test_lock(system: Linux, tmp_path: Path) -> None:
    """A second writer of a file is refused, another file is free, and a reader sees the content."""
    paths = tmp_path / "one", tmp_path / "two"
    for path in paths:
        path.write_bytes(b"content")
    with paths[0].open("a+b") as first, paths[0].open("a+b") as second, paths[1].open("a+b") as other:
        system.lock(first)
        with pytest.raises((BlockingIOError, PermissionError)):
            system.lock(second)
        system.lock(other)
        assert paths[0].read_bytes() == b"content"


@each_system
def test_locked_folder(system: Linux, tmp_path: Path) -> None:
    """A block that locks a folder can change its files, and the next block can lock it again."""
    for text in ("first", "second"):
        with system.locked_folder(tmp_path):
            (tmp_path / "file").write_text(text)
    assert (tmp_path / "file").read_text() == "second"


@posix
def test_blocked_signals() -> None:
    """On POSIX, a thread of the package gets neither Ctrl-C nor SIGTERM; on Windows, nothing is necessary."""
    found: list[set[int]] = []

    def look(system: Linux) -> None:
        system.block_signals()
        found.append({int(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, ())})

    for system in (Linux(), Windows()):
        thread = Thread(target=look, args=(system,))
        thread.start()
        thread.join()
    assert [{signal.SIGINT, signal.SIGTERM} <= each for each in found] == [True, False]


@posix
def test_modes_of_files(tmp_path: Path) -> None:
    """A file that others can read is found on POSIX. Windows has no modes, so no file is refused there."""
    path = tmp_path / "key"
    path.touch()
    path.chmod(0o640)
    assert Linux().others_may(path, stat.S_IRGRP)
    assert not Linux().others_may(path, stat.S_IWGRP | stat.S_IRWXO)
    assert not Windows().others_may(path, stat.S_IRGRP)
    os.mkfifo(pipe := tmp_path / "pipe", 0o644)
    assert not Linux().others_may(pipe, stat.S_IRGRP)


class BusyPath(type(Path())):  # type: ignore[misc]  # the class of paths depends on the system
    """A path of a file that cannot replace another file until somebody closes that one."""

    refusals = 0

    def replace(self, target: str | os.PathLike[str]) -> Self:
        BusyPath.refusals -= 1
        if BusyPath.refusals >= 0:
            raise PermissionError(13, "The process cannot access the file")
        os.replace(self, target)  # noqa: PTH105 - this class replaces the method of Path
        return self


def test_replace_a_busy_file(tmp_path: Path) -> None:
    """On Windows, a file that another program has open for a moment is replaced; later, the error is raised."""
    source, target = BusyPath(tmp_path / "new"), tmp_path / "old"
    source.write_text("new")
    target.write_text("old")
    BusyPath.refusals = 99
    with pytest.raises(PermissionError):
        Windows(pause=0.0).replace(source, target)
    assert target.read_text() == "old"
    BusyPath.refusals = 9
    Windows(pause=0.0).replace(source, target)
    assert target.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege on Windows")
def test_folder_that_is_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in a folder that is a symbolic link is not read, also if the link is above a relative path."""
    (tmp_path / "keys" / "inner").mkdir(parents=True)
    (tmp_path / "keys" / "inner" / "a.txt").write_text("secret")
    (tmp_path / "lists").symlink_to("keys")
    monkeypatch.chdir(tmp_path)
    assert read_own(Path("keys/inner/a.txt"), 10) == b"secret"
    for path in (Path("lists/inner/a.txt"), tmp_path / "lists" / "a.txt"):
        (tmp_path / "keys" / "a.txt").write_text("secret")
        with pytest.raises(FileRefusedError, match="lists, which is a symbolic link; name the folder itself"):
            read_own(path, 10)


def test_write_file(tmp_path: Path) -> None:
    """A file is replaced as it is, with the line ends of the content and the mode it had, through a symbolic link."""
    file, link = tmp_path / "file", tmp_path / "link"
    write_file(file, b"one\ntwo\r\n")
    assert file.read_bytes() == b"one\ntwo\r\n"
    if os.name == "posix":
        link.symlink_to(file)
        file.chmod(0o640)
        write_file(link, b"new")
        assert link.is_symlink()
        assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o640)
        write_file(file, b"private", mode=0o600)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        link.unlink()
    assert list(tmp_path.iterdir()) == [file]


def test_failed_write(tmp_path: Path) -> None:
    """If a file cannot be written, the error names it, and nothing is left behind."""
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    with pytest.raises(OSError, match=r"folder") as raised:
        write_file(folder, b"new")
    assert raised.value.filename == str(folder)
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_sync_folder(tmp_path: Path) -> None:
    """A folder is synchronised; a folder that cannot be opened, as on Windows, is ignored."""
    sync_folder(tmp_path)
    sync_folder(tmp_path / "missing")
