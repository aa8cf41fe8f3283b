"""Exports are on the disk when they return.

Only a loss of power shows whether a file is on the disk, so the tests here look at the one system call that puts it
there.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cometchat_rest.testing import Simulator

if TYPE_CHECKING:
    from tests.support import AnyClient


@pytest.mark.parametrize("name", ["reviewed.jsonl", "reviewed.csv"])
def test_export_is_on_the_disk(
    any_client: AnyClient, simulator: Simulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """When an export returns, all lines that it added are on the disk, and so is the name of a new file."""
    assert simulator.reviewed_messages
    path = tmp_path / name
    synced: list[tuple[int, int]] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        status = os.fstat(fd)
        synced.append((status.st_ino, status.st_size))

    monkeypatch.setattr("os.fsync", fsync)
    done = any_client.call(lambda chat: chat.reviewed_messages.export(path))
    assert done.written > 0
    status = path.stat()
    # After its last line was written.
    assert (status.st_ino, status.st_size) in synced
    if os.name == "posix":
        assert tmp_path.stat().st_ino in [inode for inode, _ in synced]


def test_export_leaves_no_file_open(any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After an export, neither its file nor the folder of the file is still open."""
    synced: list[tuple[int, int]] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        synced.append((fd, os.fstat(fd).st_ino))

    monkeypatch.setattr("os.fsync", fsync)
    any_client.call(lambda chat: chat.reviewed_messages.export(tmp_path / "reviewed.jsonl"))
    assert synced
    for fd, inode in synced:
        try:
            # The system may have given the number to another file meanwhile.
            assert os.fstat(fd).st_ino != inode
        except OSError as error:
            assert error.errno == errno.EBADF  # noqa: PT017 - a closed file is the expected case
