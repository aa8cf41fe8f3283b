"""Exporting reviewed messages to files: all of them, each once, whatever happens between two exports."""

import csv
import errno
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.insight.collected import open_records
from cometchat_desk.insight.export import ReviewedExport, ReviewedFile, write_csv
from cometchat_desk.insight.latest import raw_of, read_latest
from cometchat_rest import ApiError, Client, InvalidRequestError
from cometchat_rest.testing import Simulator

from ..conftest import Start

each_format = pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor resource limits")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def message_ids(path: Path) -> list[str]:
    """Return the message identifiers of the records in a file, in order."""
    if path.suffix == ".csv":
        return [row["message_id"] for row in rows(path)]
    return [json.loads(line)["message"]["id"] for line in path.read_text("utf-8").splitlines()]


def ordered(raw: Any) -> str:
    return json.dumps(raw, sort_keys=True)


def listed(simulator: Simulator, count: int) -> list[str]:
    """Return the message identifiers of the latest records, oldest first."""
    latest: list[Any] = simulator.reviewed_messages[:count]
    return [record["message"]["id"] for record in reversed(latest)]


def export_latest(chat: Client, path: Path, *, limit: int | None = None) -> ReviewedExport:
    records = read_latest(chat, limit, app="shop").records
    with ReviewedFile(path) as file:
        return file.append(records)


def record(**fields: Any) -> dict[str, Any]:
    """Return a minimal record with these fields."""
    return {"ruleId": "r", "revisionId": "1", "createdAt": 1_757_955_951, "message": {"id": "1"}, **fields}


def record_with_text(text: str) -> dict[str, Any]:
    return record(message={"id": "1", "data": {"text": text}})


@each_format
def test_export(chat: Client, simulator: Simulator, tmp_path: Path, suffix: str) -> None:
    """The first export writes the listed records, oldest first; each further export adds the new records at the end."""
    path = tmp_path / f"reviewed{suffix}"
    assert export_latest(chat, path, limit=20) == ReviewedExport(path=path, written=20, skipped=0)
    assert message_ids(path) == listed(simulator, 20)
    before = path.read_bytes()
    assert export_latest(chat, path, limit=20) == ReviewedExport(path=path, written=0, skipped=20)
    assert path.read_bytes() == before
    simulator.review(7)
    assert export_latest(chat, path, limit=20) == ReviewedExport(path=path, written=7, skipped=13)
    assert path.read_bytes().startswith(before)
    assert message_ids(path) == listed(simulator, 27)


@posix
@each_format
def test_only_the_owner_can_read_it(chat: Client, tmp_path: Path, suffix: str) -> None:
    """An export is private, whatever the default mode or the mode of an older export is."""
    before = os.umask(0)
    try:
        (tmp_path / f"reviewed{suffix}").touch(0o644)
        export_latest(chat, tmp_path / f"reviewed{suffix}")
        records = open_records(tmp_path / f"reviewed{suffix}")
        write_csv(records, tmp_path / "copy.csv", ["text"])
    finally:
        os.umask(before)
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_jsonl_holds_complete_records(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """A line of a .jsonl file is the record as the service sent it, with the name of its app, whatever it contains."""
    malformed: list[Any] = [
        {"ruleId": "\ud800 alone", "message": {"id": "a", "data": {"text": 'two\r\nlines, "quoted"\u2028'}}},
        {"message": {"id": "b"}, "createdAt": "soon", "new": {"field": [1, 1.5, None, True, 10**30]}},
        {"message": [], "action": {"of": "another kind"}},
        {},
    ]
    records: list[Any] = [*simulator.reviewed_messages[:30], *malformed]
    simulator.fail("list_reviewed_messages", body={"data": records, "meta": {}}, times=2)
    path = tmp_path / "reviewed.jsonl"
    assert export_latest(chat, path).written == 34
    found = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    assert sorted(map(ordered, found)) == sorted(ordered({"app": "shop", **raw}) for raw in records)
    assert export_latest(chat, path) == ReviewedExport(path=path, written=0, skipped=34)


def test_csv_holds_columns(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """A row of a .csv file has the fields of a record under their names, and its creation time in readable form."""
    path = tmp_path / "reviewed.csv"
    export_latest(chat, path, limit=300)
    assert path.read_bytes().startswith("\ufeffapp,message_id,rule_id,revision_id,created_at,created_utc,".encode())
    for row, raw in zip(rows(path), reversed(simulator.reviewed_messages), strict=True):
        sent: Any = raw
        assert row["message_id"] == sent["message"]["id"]
        assert row["text"] == sent["message"]["data"].get("text", "")
        assert row["status"] == sent["message"]["data"]["moderation"]["status"]
        assert row["action"] == ", ".join(sent["action"])
        assert row["blocked_at"] == (f"'{sent['blockedAt']}" if "blockedAt" in sent else "")
        assert row["created_at"] == str(sent["createdAt"])
    assert rows(path)[-1]["created_utc"] == "2025-09-15 17:05:51"


@pytest.mark.parametrize(
    "text",
    [
        *(f"{mark}cmd|' /C calc'!A0" for mark in "=+-@\t\n\uff1d\uff0b\uff0d\uff20"),
        "'quoted'",
        "a; 'b', ''c",
        *(f"hello{mark}=1+1" for mark in (",", ";", "\t", "|", "\n", ", ", ';"', "\t\t")),
        "\t'=1",
        '"',
        'a "b", c\nd',
        " blanks ",
        "バカ, приве́т",
        "x" * 3_000_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_csv_cell_is_not_a_formula(tmp_path: Path, text: str) -> None:
    """No text of a user is a formula for a spreadsheet, whichever separator it knows; reading gives the exact text."""
    path = tmp_path / "reviewed.csv"
    with ReviewedFile(path) as file:
        assert file.append([record_with_text(text)]).written == 1
        assert file.append([record_with_text("another")]).written == 0
    # The limit belongs to the process, so other tests would have it as well.
    limit = csv.field_size_limit(10**7)
    try:
        ((cell,),) = ([row["text"]] for row in rows(path))
    finally:
        csv.field_size_limit(limit)
    assert not cell.startswith(("\t", "\n"))
    for part in re.split(r"[,;\t|\n]", cell):
        assert not part.lstrip(' "').startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))
    records = open_records(path)
    assert [each.text for each in records if each.text != "another"] == [text]
    with ReviewedFile(path) as file:
        assert file.append([record_with_text(text)]).written == 0


@pytest.mark.parametrize(
    "number", ["1757955951.000000000390079", "1234567890123456", "007", "1e5", "12.50", ".5", "1,000"]
)
def test_csv_cell_keeps_the_digits_of_a_text(tmp_path: Path, number: str) -> None:
    """A text that a spreadsheet would read as a number with other digits gets an apostrophe, so that it stays text."""
    polars = pytest.importorskip("polars", reason="not installed: run make docs")
    path = tmp_path / "reviewed.csv"
    with ReviewedFile(path) as file:
        file.append([record(blockedAt=number, appId="123456789012345")])
    ((blocked_at, app_id),) = ((row["blocked_at"], row["app_id"]) for row in rows(path))
    assert (blocked_at, app_id) == (f"'{number}", "123456789012345")
    frame = polars.read_csv(path)
    assert frame["blocked_at"].to_list() == [f"'{number}"]


def test_csv_replaces_carriage_returns_and_surrogates(tmp_path: Path) -> None:
    """Only the end of a row is CRLF; a carriage return within a text becomes a line feed."""
    path = tmp_path / "reviewed.csv"
    unusual = record(ruleId="a\r\nb", message={"id": "1\r2", "data": {"text": "\ud800\r\n=1"}}, action=["a", 1])
    for expected in (1, 0):
        with ReviewedFile(path) as file:
            assert file.append([unusual]).written == expected
    assert path.read_bytes().count(b"\r") == 2
    (row,) = rows(path)
    assert (row["message_id"], row["rule_id"], row["text"], row["action"]) == ("1\n2", "a\nb", "\\ud800\n'=1", "a, 1")


@each_format
def test_records_without_a_message(tmp_path: Path, suffix: str) -> None:
    """Everything that is written identifies a record without a message."""
    path = tmp_path / f"reviewed{suffix}"
    unnamed = [record(message={}, ruleName="a"), record(message={}, ruleName="b"), {}]
    for expected in (3, 0):
        with ReviewedFile(path) as file:
            assert file.append(unnamed) == ReviewedExport(path=path, written=expected, skipped=3 - expected)


def test_row_with_too_few_cells_does_not_stop_an_export(tmp_path: Path) -> None:
    """A row that somebody added to a CSV file by hand stays in it, and records can still be added after it."""
    path = tmp_path / "reviewed.csv"
    with ReviewedFile(path) as file:
        file.append([record()])
    with path.open("ab") as opened:
        opened.write(b",checked on Monday\r\n")
    with ReviewedFile(path) as file:
        assert file.append([record(), record(message={"id": "2"})]).written == 1
    assert message_ids(path) == ["1", "checked on Monday", "2"]


@each_format
def test_export_after_a_watch(chat: Client, simulator: Simulator, tmp_path: Path, suffix: str) -> None:
    """A file can take the records of a watch; a later export adds only the records after them."""
    path = tmp_path / f"reviewed{suffix}"

    with ReviewedFile(path) as file:
        for number, seen in enumerate(chat.reviewed_messages.watch(interval=0.001, limit=5), 1):
            file.append([raw_of(seen, "shop")])
            if number == 5:
                simulator.review(4)
            elif number == 9:
                break
    assert message_ids(path) == listed(simulator, 9)
    simulator.review(1)
    assert export_latest(chat, path, limit=5) == ReviewedExport(path=path, written=1, skipped=4)


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
@pytest.mark.parametrize("size", ["1401", pytest.param("701", marks=pytest.mark.deep)])
@each_format
def test_killed_export_loses_nothing(simulator: Simulator, tmp_path: Path, suffix: str, size: str) -> None:
    """A process killed at any moment of an export, and of the next export, loses no record and doubles none."""
    base, path = tmp_path / f"base{suffix}", tmp_path / f"reviewed{suffix}"
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        export_latest(chat, base, limit=5)
    simulator.review(10)
    command = [sys.executable, "-c", KILLED, simulator.base_url, simulator.api_key, str(base), str(path), size]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 10, "the process must be killed at many moments"
    # The first five records, and all later records within the limit of twenty.
    assert sorted(message_ids(path), key=int) == listed(simulator, 20)


@each_format
@pytest.mark.parametrize("kept", [1, 3, 50, -1, -2, -40, -2000])
def test_incomplete_last_line_is_removed(
    chat: Client, simulator: Simulator, tmp_path: Path, suffix: str, kept: int
) -> None:
    """An incomplete last line is removed and written again, even if nearly the whole file was lost."""
    path = tmp_path / f"reviewed{suffix}"
    export_latest(chat, path, limit=5)
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    export_latest(chat, path, limit=5)
    assert path.read_bytes() == whole
    simulator.review(1)
    assert export_latest(chat, path, limit=5).written == 1


def test_missing_line_end_is_added(tmp_path: Path) -> None:
    """If only the line end of the last JSON record is missing, the record is kept and the line end is added."""
    path = tmp_path / "reviewed.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":2}')
    with ReviewedFile(path) as file:
        file.append([record()])
    lines = path.read_bytes().splitlines()
    assert lines[:2] == [b'{"a":1}', b'{"b":2}']
    assert json.loads(lines[2]) == record()


@each_format
def test_small_append_after_a_large_one(tmp_path: Path, suffix: str) -> None:
    """The records of a large `append` are still recognised after a small `append`."""
    many = [record(message={"id": str(number)}) for number in range(11_000)]
    path = tmp_path / f"reviewed{suffix}"
    with ReviewedFile(path) as file:
        assert file.append(many).written == 11_000
        assert file.append([record(message={"id": "another"})]).written == 1
        assert file.append(many).written == 0


def test_lines_longer_than_a_chunk(tmp_path: Path) -> None:
    """Records of any length are recognised, and removed if they are incomplete."""
    path = tmp_path / "reviewed.jsonl"
    long = [record(message={"id": str(number), "data": {"text": "x" * 1_500_000}}) for number in range(3)]
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
    """A second writer gets an error of one line that names the file; a killed process does not keep the file locked."""
    path = tmp_path / "reviewed.jsonl"
    code = (
        "import pathlib, sys; from cometchat_desk.insight.export import ReviewedFile; "
        "f = ReviewedFile(pathlib.Path(sys.argv[1])); print(flush=True); sys.stdin.read()"
    )
    holder = start(sys.executable, "-c", code, str(path), stdin=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline()
    with pytest.raises(OSError, match="another writer has it open") as caught:
        ReviewedFile(path)
    assert (caught.value.filename, len(str(caught.value).splitlines())) == (str(path), 1)
    holder.kill()
    holder.wait(20)
    with ReviewedFile(path) as file:
        assert file.append([record_with_text("a")]).written == 1


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".csv", b"message_id,rule_id\r\n1,2\r\n"),
        (".csv", b"notes without an end"),
        (".csv", b"\xef\xbb\xbfmessage_id,rule_id,x"),
        (".jsonl", b"[1, 2]\n"),
        (".jsonl", b"notes without an end"),
        (".jsonl", b"\n"),
    ],
)
def test_other_file_is_refused(chat: Client, tmp_path: Path, suffix: str, content: bytes) -> None:
    """A file that is not an export is refused and stays unchanged."""
    path = tmp_path / f"notes{suffix}"
    path.write_bytes(content)
    with pytest.raises(InvalidRequestError, match="contains something other than exported reviewed messages"):
        export_latest(chat, path)
    assert path.read_bytes() == content


def test_failed_call_creates_no_file(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """If the call fails, no file is created."""
    simulator.fail("list_reviewed_messages", status=401)
    with pytest.raises(ApiError):
        export_latest(chat, tmp_path / "reviewed.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "fault"),
    [("no/such/folder.jsonl", errno.ENOENT), ("folder.jsonl", errno.EISDIR), ("file/below.jsonl", errno.ENOTDIR)],
)
@posix
def test_unwritable_path(chat: Client, tmp_path: Path, path: str, fault: int) -> None:
    """A path that cannot be written gives an OSError of one line that names the path."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=path) as caught:
        export_latest(chat, tmp_path / path)
    assert (caught.value.errno, len(str(caught.value).splitlines())) == (fault, 1)


@posix
def test_named_pipe_is_refused(chat: Client, tmp_path: Path) -> None:
    """A named pipe is refused, because reading it would never end."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises((OSError, InvalidRequestError), match="pipe"):
        export_latest(chat, tmp_path / "pipe.jsonl")


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
@each_format
def test_full_disk(tmp_path: Path, suffix: str) -> None:
    """If the disk is full, none of the new records stays in the file; fewer records can be added afterwards."""
    path = tmp_path / f"reviewed{suffix}"
    code = FULL.replace("6000", "6000" if suffix == ".jsonl" else "650")
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"[Errno {errno.EFBIG}] File too large: {str(path)!r}", "5"]
    assert message_ids(path) == ["0", "1", "2", "3", "4"]


def test_export_without_records(chat: Client, simulator: Simulator, tmp_path: Path) -> None:
    """An app without reviewed messages gives a file without records; later exports can add records to it."""
    simulator.reviewed_messages = []
    for name, begins in (("reviewed.jsonl", b""), ("reviewed.csv", b"\xef\xbb\xbfapp,message_id,")):
        path = tmp_path / name
        assert export_latest(chat, path).written == 0
        assert path.read_bytes().startswith(begins)
        assert message_ids(path) == []
    simulator.review(2)
    assert export_latest(chat, path).written == 2


# Only a loss of power shows whether a file is on the disk, so these tests look at the system call that puts it there.


@pytest.mark.parametrize("name", ["reviewed.jsonl", "reviewed.csv"])
def test_export_is_on_the_disk(
    chat: Client, simulator: Simulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
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
    done = export_latest(chat, path)
    assert done.written > 0
    status = path.stat()
    # After its last line was written.
    assert (status.st_ino, status.st_size) in synced
    if os.name == "posix":
        assert tmp_path.stat().st_ino in [inode for inode, _ in synced]
