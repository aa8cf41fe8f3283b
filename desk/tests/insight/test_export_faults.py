"""Exports lose no record and double none, whatever happens between two of them."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cometchat_desk.insight.export import ReviewedExport, ReviewedFile
from cometchat_rest import Client, InvalidRequestError
from cometchat_testing import Simulator

from ..conftest import Start
from .exporting import export_latest, listed, message_ids, posix, record, record_with_text

KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from cometchat_desk.insight.export import ReviewedFile
from cometchat_desk.insight.latest import read_latest
from cometchat_rest import Client

base_url, api_key, base, path, size = sys.argv[1:]

def export():
    with Client(base_url=base_url, api_key=api_key) as chat, ReviewedFile(Path(path)) as file:
        file.append(read_latest(chat, 20, app="shop").records)

def until(moment):
    '''Export in another process that is killed at this moment; return whether the export ended before.'''
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    passed = 0
    def counting(call):
        def counted(*arguments):
            nonlocal passed
            for step in (lambda: None, lambda: call(*arguments)):
                result = step()
                passed += 1
                if passed == moment:
                    os.kill(os.getpid(), signal.SIGKILL)
            return result
        return counted
    write = os.write
    os.write = counting(lambda file, data: write(file, bytes(data[:int(size)])))
    os.fsync = counting(os.fsync)
    try:
        export()
    finally:
        os._exit(0 if passed else 1)

shutil.copy(base, path)
export()
with open(path, "rb") as file:
    expected = file.read()
moment, ended = 0, False
while not ended:
    moment += 1
    shutil.copy(base, path)
    ended = until(moment)
    for again in (1, moment):
        with open(path, "rb") as file:
            assert expected.startswith(file.read()), moment
        until(again)
    export()
    with open(path, "rb") as file:
        assert file.read() == expected, moment
print(moment)
"""


@posix
@pytest.mark.parametrize("size", ["2801", pytest.param("701", marks=pytest.mark.deep)])
def test_killed_export_loses_nothing(simulator: Simulator, tmp_path: Path, size: str) -> None:
    """A process killed at any moment of an export, and of the next export, loses no record and
    doubles none."""
    base, path = tmp_path / "base.jsonl", tmp_path / "reviewed.jsonl"
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        export_latest(chat, base, limit=5)
    simulator.review(10)
    command = [
        sys.executable,
        "-c",
        KILLED,
        simulator.base_url,
        simulator.api_key,
        str(base),
        str(path),
        size,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 10, "the process must be killed at many moments"
    # The first five records, and all later records within the limit of twenty.
    assert sorted(message_ids(path), key=int) == listed(simulator, 20)


@pytest.mark.parametrize("kept", [1, 3, 50, -1, -2, -40, -2000])
def test_incomplete_last_line_is_removed(
    chat: Client, simulator: Simulator, tmp_path: Path, kept: int
) -> None:
    """An incomplete last line is removed and written again, even if nearly the whole file was
    lost."""
    path = tmp_path / "reviewed.jsonl"
    export_latest(chat, path, limit=5)
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    export_latest(chat, path, limit=5)
    assert path.read_bytes() == whole
    simulator.review(1)
    assert export_latest(chat, path, limit=5).written == 1


def test_missing_line_end_is_added(tmp_path: Path) -> None:
    """If only the line end of the last JSON record is missing, the record is kept and the line
    end is added."""
    path = tmp_path / "reviewed.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":2}')
    with ReviewedFile(path) as file:
        file.append([record()])
    lines = path.read_bytes().splitlines()
    assert lines[:2] == [b'{"a":1}', b'{"b":2}']
    assert json.loads(lines[2]) == record()


@pytest.mark.parametrize("reopened", [False, True])
def test_each_record_once(tmp_path: Path, *, reopened: bool) -> None:
    """A record is recognised however many records of other apps were added after it."""
    path = tmp_path / "reviewed.jsonl"
    shop = [record(app="shop", message={"id": str(number)}) for number in range(5)]
    forum = [record(app="forum", message={"id": str(number)}) for number in range(11_000)]
    with ReviewedFile(path) as file:
        assert [file.append(records).written for records in (shop, forum)] == [5, 11_000]
        again = file
        if reopened:
            file.__exit__()
            again = ReviewedFile(path)
        with again:
            assert [again.append(records).written for records in (shop, forum)] == [0, 0]


def test_long_lines(tmp_path: Path) -> None:
    """Records of any length are recognised, and removed if they are incomplete."""
    path = tmp_path / "reviewed.jsonl"
    long = [
        record(message={"id": str(number), "data": {"text": "x" * 1_500_000}})
        for number in range(3)
    ]
    with ReviewedFile(path) as file:
        file.append(long[:2])
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"torn":"' + b"y" * 2_500_000)
    with ReviewedFile(path) as file:
        assert file.append(long) == ReviewedExport(path=path, written=1, skipped=2)
    assert path.read_bytes().startswith(whole)
    assert len(path.read_bytes().splitlines()) == 3


@posix
def test_second_process_is_refused(start: Start, tmp_path: Path) -> None:
    """A second writer gets an error of one line that names the file; a killed process does not
    keep the file locked."""
    path = tmp_path / "reviewed.jsonl"
    code = (
        "import pathlib, sys; from cometchat_desk.insight.export import ReviewedFile; "
        "f = ReviewedFile(pathlib.Path(sys.argv[1])); print(flush=True); sys.stdin.read()"
    )
    holder = start(sys.executable, "-c", code, str(path), stdin=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline()
    with pytest.raises(OSError, match="another program is writing to it") as caught:
        ReviewedFile(path)
    assert (caught.value.filename, len(str(caught.value).splitlines())) == (str(path), 1)
    holder.kill()
    holder.wait(60)
    with ReviewedFile(path) as file:
        assert file.append([record_with_text("a")]).written == 1


@pytest.mark.parametrize("content", [b"[1, 2]\n", b"notes without an end", b"\n"])
def test_other_file_is_refused(chat: Client, tmp_path: Path, content: bytes) -> None:
    """A file that is not an export is refused and stays unchanged."""
    path = tmp_path / "notes.jsonl"
    path.write_bytes(content)
    with pytest.raises(
        InvalidRequestError, match="contains something other than exported reviewed messages"
    ):
        export_latest(chat, path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("no/such/folder.jsonl", errno.ENOENT),
        ("folder.jsonl", errno.EISDIR),
        ("file/below.jsonl", errno.ENOTDIR),
    ],
)
@posix
def test_unwritable_path(chat: Client, tmp_path: Path, path: str, fault: int) -> None:
    """A path that cannot be written gives an OSError of one line that names the path."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=path) as caught:
        export_latest(chat, tmp_path / path)
    assert (caught.value.errno, len(str(caught.value).splitlines())) == (fault, 1)


FULL = """
import resource, sys
from pathlib import Path
from cometchat_desk.insight.export import ReviewedFile
path = Path(sys.argv[1])
def record(number):
    return {"createdAt": number, "message": {"id": str(number), "t": "x" * 999}}
def records(first, last):
    return [record(number) for number in range(first, last)]
with ReviewedFile(path) as file:
    file.append(records(0, 3))
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, resource.RLIM_INFINITY))
    try:
        file.append(records(0, 9))
    except OSError as error:
        print(error)
    file.append(records(3, 5))
    print(file.append(records(0, 5)).skipped)
"""


@posix
def test_full_disk(tmp_path: Path) -> None:
    """If the disk is full, none of the new records stays in the file; fewer records can be added
    afterwards."""
    path = tmp_path / "reviewed.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"[Errno {errno.EFBIG}] File too large: {str(path)!r}", "5"]
    assert message_ids(path) == ["0", "1", "2", "3", "4"]


def test_export_without_records(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """An app without reviewed messages gives a file without records; later exports can add
    records to it."""
    simulator.reviewed_messages = []
    path = tmp_path / "reviewed.jsonl"
    assert export_latest(chat, path).written == 0
    assert path.read_bytes() == b""
    simulator.review(2)
    assert export_latest(chat, path).written == 2


# Only a loss of power shows whether a file is on the disk, so these tests look at the system call
# that puts it there.


def test_export_is_on_the_disk(
    chat: Client, simulator: Simulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """When an export returns, all lines that it added are on the disk, and so is the name of a
    new file."""
    assert simulator.reviewed_messages
    path = tmp_path / "reviewed.jsonl"
    synced: list[tuple[int, int]] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        status = os.fstat(fd)
        synced.append((status.st_ino, status.st_size))

    monkeypatch.setattr("os.fsync", fsync)
    done = export_latest(chat, path)
    assert done.written > 0
    status = path.stat()
    # After its last line was written.
    assert (status.st_ino, status.st_size) in synced
    if os.name == "posix":
        assert tmp_path.stat().st_ino in [inode for inode, _ in synced]
