"""Files: locks, modes, links, and writing completely or not at all."""

import os
import signal
import stat
from pathlib import Path
from threading import Thread

import pytest

from cometchat_desk.files import (
    FileRefusedError,
    check_link,
    lock,
    new_threads_without_signals,
    others_may,
    sync_folder,
    write_file,
)

posix = pytest.mark.skipif(os.name != "posix", reason="this branch needs POSIX")


def test_lock(tmp_path: Path) -> None:
    """A second writer of a file is refused, another file is free, and a reader sees the content."""
    paths = tmp_path / "one", tmp_path / "two"
    for path in paths:
        path.write_bytes(b"content")
    with (
        paths[0].open("a+b") as first,
        paths[0].open("a+b") as second,
        paths[1].open("a+b") as other,
    ):
        lock(first, paths[0])
        with pytest.raises(OSError, match="another program is writing to it"):
            lock(second, paths[0])
        lock(other, paths[1])
        assert paths[0].read_bytes() == b"content"


@posix
def test_blocked_signals() -> None:
    """A thread of the package gets neither Ctrl-C nor SIGTERM."""
    found: list[set[int]] = []

    def look() -> None:
        found.append({int(each) for each in signal.pthread_sigmask(signal.SIG_BLOCK, ())})

    thread = Thread(target=look)
    with new_threads_without_signals():
        thread.start()
    thread.join()
    assert {signal.SIGINT, signal.SIGTERM} <= found[0]


@posix
def test_modes_of_files(tmp_path: Path) -> None:
    """A file that others can read is found; a pipe is open to nobody else."""
    path = tmp_path / "key"
    path.touch()
    path.chmod(0o640)
    assert others_may(path, stat.S_IRGRP)
    assert not others_may(path, stat.S_IWGRP | stat.S_IRWXO)
    os.mkfifo(pipe := tmp_path / "pipe", 0o644)
    assert not others_may(pipe, stat.S_IRGRP)


@posix
def test_folder_that_is_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is found in a folder that is a symbolic link is refused, also if the link is
    above a relative path."""
    (tmp_path / "keys" / "inner").mkdir(parents=True)
    (tmp_path / "lists").symlink_to("keys")
    monkeypatch.chdir(tmp_path)
    check_link(Path("keys/inner/a.txt"))
    for path in (Path("lists/inner/a.txt"), tmp_path / "lists" / "a.txt"):
        with pytest.raises(
            FileRefusedError, match="lists, which is a symbolic link; name the folder itself"
        ):
            check_link(path)


def test_write_file(tmp_path: Path) -> None:
    """A file is replaced as it is, with the line ends of the content and the mode it had,
    through a symbolic link."""
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
