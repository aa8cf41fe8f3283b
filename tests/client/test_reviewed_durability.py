"""Exports are on the disk when they return.

Only a loss of power shows whether a file is on the disk, so the tests here look at the one system call that puts it
there.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cometchat_rest.testing import Simulator

if TYPE_CHECKING:
    from .support import AnyClient


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
