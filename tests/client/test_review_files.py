"""Reviewed messages kept in files: all of them, each once, whatever happens in between."""

from __future__ import annotations

import csv
import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cometchat_rest import (
    ApiError,
    Client,
    InvalidRequestError,
    ReviewedExport,
    ReviewedFile,
    ReviewedMessage,
)
from cometchat_rest.testing import Simulator

if TYPE_CHECKING:
    from conftest import AnyClient, Start

each_form = pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither fork nor resource limits")


def exported(any_client: AnyClient, path: Any, **options: Any) -> ReviewedExport:
    found = any_client.call(lambda chat: chat.reviewed_messages.export(path, **options))
    assert isinstance(found, ReviewedExport)
    return found


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def messages(path: Path) -> list[str]:
    """The messages of the records in a file, in order."""
    if path.suffix == ".csv":
        return [row["message_id"] for row in rows(path)]
    return [json.loads(line)["message"]["id"] for line in path.read_text("utf-8").splitlines()]


def ordered(raw: Any) -> str:
    return json.dumps(raw, sort_keys=True)


def listed(simulator: Simulator, count: int) -> list[str]:
    """The messages of the latest records, oldest first."""
    latest: list[Any] = simulator.reviewed_messages[:count]
    return [record["message"]["id"] for record in reversed(latest)]


def record(**fields: Any) -> ReviewedMessage:
    """A record with a text."""
    raw = {"ruleId": "r", "revisionId": "1", "createdAt": 1_757_955_951, "message": {"id": "1"}, **fields}
    return ReviewedMessage.from_dict(raw)


def saying(text: str) -> ReviewedMessage:
    return record(message={"id": "1", "data": {"text": text}})


@each_form
def test_export(any_client: AnyClient, simulator: Simulator, tmp_path: Path, suffix: str) -> None:
    """A first run writes what the service lists, oldest first, and each further run adds what is new, at the end."""
    path = tmp_path / f"reviewed{suffix}"
    assert exported(any_client, path, limit=20) == ReviewedExport(path=path, written=20, skipped=0)
    assert messages(path) == listed(simulator, 20)
    before = path.read_bytes()
    assert exported(any_client, str(path), limit=20) == ReviewedExport(path=path, written=0, skipped=20)
    assert path.read_bytes() == before
    simulator.review(7)
    assert exported(any_client, path, limit=20) == ReviewedExport(path=path, written=7, skipped=13)
    assert path.read_bytes().startswith(before)
    assert messages(path) == listed(simulator, 27)


@each_form
def test_export_that_comes_late(
    any_client: AnyClient, simulator: Simulator, tmp_path: Path, caplog: pytest.LogCaptureFixture, suffix: str
) -> None:
    """Where a file has none of a full answer, a warning says that there may have been more in between."""
    path = tmp_path / f"reviewed{suffix}"

    def warnings_of(count: int) -> list[str]:
        simulator.review(count)
        caplog.clear()
        exported(any_client, path, limit=20)
        return [record.levelname for record in caplog.records if getattr(record, "event", None) == "overrun"]

    assert warnings_of(0) == [], "nothing is missing from a first export"
    assert warnings_of(19) == []
    assert warnings_of(20) == ["WARNING"]


def test_export_of_whole_records(any_client: AnyClient, simulator: Simulator, tmp_path: Path) -> None:
    """A line of a .jsonl file is the record as the service sent it, whatever is in it."""
    odd: list[Any] = [
        {"ruleId": "\ud800 alone", "message": {"id": "a", "data": {"text": 'two\r\nlines, "quoted"\u2028'}}},
        {"message": {"id": "b"}, "createdAt": "soon", "new": {"field": [1, 1.5, None, True, 10**30]}},
        {"message": [], "action": {"of": "another kind"}},
        {},
    ]
    records: list[Any] = [*simulator.reviewed_messages[:30], *odd]
    simulator.fail("list_reviewed_messages", body={"data": records, "meta": {}}, times=2)
    path = tmp_path / "reviewed.jsonl"
    assert exported(any_client, path).written == 34
    found = [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]
    assert sorted(map(ordered, found)) == sorted(map(ordered, records))
    assert exported(any_client, path) == ReviewedExport(path=path, written=0, skipped=34)


def test_export_for_spreadsheets(any_client: AnyClient, simulator: Simulator, tmp_path: Path) -> None:
    """A row of a .csv file has the record's fields under their names, and the time it was made for people to read."""
    path = tmp_path / "reviewed.csv"
    exported(any_client, path, limit=300)
    assert path.read_bytes().startswith("\ufeffmessage_id,rule_id,revision_id,created_at,created_utc,".encode())
    for row, raw in zip(rows(path), reversed(simulator.reviewed_messages), strict=True):
        told: Any = raw
        assert row["message_id"] == told["message"]["id"]
        assert row["text"] == told["message"]["data"].get("text", "")
        assert row["status"] == told["message"]["data"]["moderation"]["status"]
        assert row["action"] == ", ".join(told["action"])
        assert row["blocked_at"] == told.get("blockedAt", "")
        assert row["created_at"] == str(told["createdAt"])
    assert rows(path)[-1]["created_utc"] == "2025-09-15 17:05:51"


@pytest.mark.parametrize(
    "text",
    [
        *(f"{mark}cmd|' /C calc'!A0" for mark in "=+-@\t\n\uff1d\uff0b\uff0d\uff20"),
        "'quoted'",
        '"',
        'a "b", c\nd',
        " blanks ",
        "バカ, приве́т",
        "x" * 3_000_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_cell_is_no_formula(tmp_path: Path, text: str) -> None:
    """No text of a user's is a formula to a spreadsheet, and without one apostrophe in front it is what it was."""
    path = tmp_path / "reviewed.csv"
    with ReviewedFile(path) as file:
        assert file.append([saying(text)]).written == 1
        assert file.append([saying("another")]).written == 0
    csv.field_size_limit(10**7)
    ((cell,),) = ([row["text"]] for row in rows(path))
    assert not cell.startswith(tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"))
    assert cell.removeprefix("'") == text
    with ReviewedFile(path) as file:
        assert file.append([saying(text)]).written == 0


def test_what_a_cell_cannot_hold(tmp_path: Path) -> None:
    """A row ends where a line ends with CRLF and nowhere else, so a carriage return within a text is a line feed."""
    path = tmp_path / "reviewed.csv"
    odd = record(ruleId="a\r\nb", message={"id": "1\r2", "data": {"text": "\ud800\r\n=1"}}, action=["a", 1])
    for expected in (1, 0):
        with ReviewedFile(path) as file:
            assert file.append([odd]).written == expected
    assert path.read_bytes().count(b"\r") == 2
    (row,) = rows(path)
    assert (row["message_id"], row["rule_id"], row["text"], row["action"]) == (
        "1\n2",
        "a\nb",
        "\\ud800\n=1",
        '["a", 1]',
    )


@each_form
def test_records_that_name_no_message(tmp_path: Path, suffix: str) -> None:
    """Records that name no message are told from each other by all that is written of them."""
    path = tmp_path / f"reviewed{suffix}"
    odd = [record(message={}, ruleName="a"), record(message={}, ruleName="b"), ReviewedMessage.from_dict({})]
    for expected in (3, 0):
        with ReviewedFile(path) as file:
            assert file.append(odd) == ReviewedExport(path=path, written=expected, skipped=3 - expected)


@each_form
def test_a_watch_into_a_file(any_client: AnyClient, simulator: Simulator, tmp_path: Path, suffix: str) -> None:
    """What is watched goes into a file as it comes, and an export goes on where the watch has ended."""
    path = tmp_path / f"reviewed{suffix}"

    def blocking(chat: Any) -> None:
        with ReviewedFile(path) as file:
            for number, record in enumerate(chat.reviewed_messages.watch(interval=0.001, limit=5), 1):
                file.append([record])
                if number == 9:
                    return
                if number == 5:
                    simulator.review(4)

    async def awaited(chat: Any) -> None:
        with ReviewedFile(path) as file:
            number = 0
            async for record in chat.reviewed_messages.watch(interval=0.001, limit=5):
                file.append([record])
                number += 1
                if number == 9:
                    return
                if number == 5:
                    simulator.review(4)

    any_client.call(blocking if any_client.kind == "sync" else awaited)
    assert messages(path) == listed(simulator, 9)
    simulator.review(1)
    assert exported(any_client, path, limit=5) == ReviewedExport(path=path, written=1, skipped=4)


KILLED = """
import os, shutil, signal, sys
from cometchat_rest import Client

base_url, api_key, base, path = sys.argv[1:]

def export():
    with Client(base_url=base_url, api_key=api_key) as chat:
        chat.reviewed_messages.export(path, limit=20)

def until(moment):
    '''Export in another process that is killed when it has come so far; whether it came to an end before.'''
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    passed = 0
    def at_moments(call):
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
    os.write = at_moments(lambda file, data: write(file, bytes(data[:701])))
    os.fsync = at_moments(os.fsync)
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
@each_form
def test_export_that_is_killed(simulator: Simulator, tmp_path: Path, suffix: str) -> None:
    """A process that is killed at any moment of an export, and at any moment of the next, loses and doubles nothing."""
    base, path = tmp_path / f"base{suffix}", tmp_path / f"reviewed{suffix}"
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        chat.reviewed_messages.export(base, limit=5)
    simulator.review(10)
    command = [sys.executable, "-c", KILLED, simulator.base_url, simulator.api_key, str(base), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 10, "there were to be many moments"
    # The first five, those of the next ten that twenty did not reach, and the ten that came last.
    assert sorted(messages(path), key=int) == listed(simulator, 20)


@each_form
@pytest.mark.parametrize("kept", [1, 3, 50, -1, -2, -40, -2000])
def test_a_last_line_that_is_cut_off(
    any_client: AnyClient, simulator: Simulator, tmp_path: Path, suffix: str, kept: int
) -> None:
    """What was cut off at the end of a file, be it nearly all of it, is dropped, and written again."""
    path = tmp_path / f"reviewed{suffix}"
    exported(any_client, path, limit=5)
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    exported(any_client, path, limit=5)
    assert path.read_bytes() == whole
    simulator.review(1)
    assert exported(any_client, path, limit=5).written == 1


def test_a_last_line_without_its_end(tmp_path: Path) -> None:
    """A last line of JSON that is whole is a record like the others, though whoever wrote it did not end it."""
    path = tmp_path / "reviewed.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":2}')
    with ReviewedFile(path) as file:
        file.append([record()])
    lines = path.read_bytes().splitlines()
    assert lines[:2] == [b'{"a":1}', b'{"b":2}']
    assert json.loads(lines[2]) == record().to_dict()


@each_form
def test_a_small_answer_after_a_large_one(tmp_path: Path, suffix: str) -> None:
    """Records of an answer are known again however large it was, and however small the one after it."""
    many = [record(message={"id": str(number)}) for number in range(15_000)]
    path = tmp_path / f"reviewed{suffix}"
    with ReviewedFile(path) as file:
        assert file.append(many).written == 15_000
        assert file.append([record(message={"id": "another"})]).written == 1
        assert file.append(many).written == 0


def test_lines_that_are_longer_than_what_is_read_at_a_time(tmp_path: Path) -> None:
    """Records of any length are found again, and dropped if they are cut off."""
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


@each_form
def test_one_at_a_time(any_client: AnyClient, simulator: Simulator, tmp_path: Path, suffix: str) -> None:
    """While one is adding to a file, whoever else tries is refused in one line, and adds nothing."""
    path = tmp_path / f"reviewed{suffix}"
    exported(any_client, path, limit=5)
    before = path.read_bytes()
    simulator.review(1)
    with ReviewedFile(path):
        with pytest.raises(OSError, match="somebody else is adding to it") as caught:
            exported(any_client, path, limit=5)
        assert (caught.value.filename, len(str(caught.value).splitlines())) == (str(path), 1)
        assert path.read_bytes() == before
    assert exported(any_client, path, limit=5).written == 1


@posix
def test_one_process_at_a_time(start: Start, tmp_path: Path) -> None:
    """The same holds between processes, and a process that was killed holds nobody up."""
    path = tmp_path / "reviewed.jsonl"
    code = "import sys, cometchat_rest as c; f = c.ReviewedFile(sys.argv[1]); print(flush=True); sys.stdin.read()"
    holder = start(sys.executable, "-c", code, str(path), stdin=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline()
    with pytest.raises(OSError, match="somebody else is adding to it"):
        ReviewedFile(path)
    holder.kill()
    holder.wait(20)
    with ReviewedFile(path) as file:
        assert file.append([saying("a")]).written == 1


@pytest.mark.parametrize("name", ["reviewed", "reviewed.txt", "reviewed.json", ".csv", "jsonl"])
def test_a_file_of_another_kind(any_client: AnyClient, simulator: Simulator, tmp_path: Path, name: str) -> None:
    """A suffix that is none of the two is refused before anything is asked for or written."""
    with pytest.raises(InvalidRequestError, match=r"the suffix must be one of \.jsonl, \.csv"):
        exported(any_client, tmp_path / name)
    assert (simulator.requests, list(tmp_path.iterdir())) == ([], [])


@pytest.mark.parametrize("path", [None, 5, b"reviewed.csv"], ids=repr)
def test_a_path_that_is_none(any_client: AnyClient, simulator: Simulator, path: Any) -> None:
    """What is no path is refused by name before anything is asked for."""
    with pytest.raises(InvalidRequestError, match="path must be"):
        exported(any_client, path)
    assert simulator.requests == []


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
def test_a_file_that_holds_something_else(any_client: AnyClient, tmp_path: Path, suffix: str, content: bytes) -> None:
    """A file of somebody else's is neither added to nor cut."""
    path = tmp_path / f"notes{suffix}"
    path.write_bytes(content)
    with pytest.raises(InvalidRequestError, match="holds something other than exported reviewed messages"):
        exported(any_client, path)
    assert path.read_bytes() == content


def test_a_call_that_fails_makes_no_file(any_client: AnyClient, simulator: Simulator, tmp_path: Path) -> None:
    """Where the service gives no records, there is no file."""
    simulator.fail("list_reviewed_messages", status=401)
    with pytest.raises(ApiError):
        exported(any_client, tmp_path / "reviewed.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "fault"),
    [("no/such/folder.jsonl", errno.ENOENT), ("folder.jsonl", errno.EISDIR), ("file/below.jsonl", errno.ENOTDIR)],
)
@posix
def test_a_path_that_cannot_be_written(any_client: AnyClient, tmp_path: Path, path: str, fault: int) -> None:
    """A path that cannot be written is an OSError of one line that names it."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=path) as caught:
        exported(any_client, tmp_path / path)
    assert (caught.value.errno, len(str(caught.value).splitlines())) == (fault, 1)


@posix
def test_a_path_that_is_no_file(any_client: AnyClient, tmp_path: Path) -> None:
    """A named pipe, which would never end, is refused."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises((OSError, InvalidRequestError), match="pipe"):
        exported(any_client, tmp_path / "pipe.jsonl")


FULL = """
import resource, sys
from cometchat_rest import ReviewedFile, ReviewedMessage
path = sys.argv[1]
def record(number):
    return ReviewedMessage.from_dict({"createdAt": number, "message": {"id": str(number), "t": "x" * 999}})
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
@each_form
def test_a_full_disk(tmp_path: Path, suffix: str) -> None:
    """Where there is no more room, nothing of what was to be added stays, and what fits can be added afterwards."""
    path = tmp_path / f"reviewed{suffix}"
    code = FULL.replace("6000", "6000" if suffix == ".jsonl" else "500")
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"[Errno {errno.EFBIG}] File too large: {str(path)!r}", "5"]
    assert messages(path) == ["0", "1", "2", "3", "4"]


def test_nothing_to_write(any_client: AnyClient, simulator: Simulator, tmp_path: Path) -> None:
    """An app without reviewed messages gives a file without records, which can be added to."""
    simulator.reviewed_messages = []
    for name, begins in (("reviewed.jsonl", b""), ("reviewed.csv", b"\xef\xbb\xbfmessage_id,")):
        path = tmp_path / name
        assert exported(any_client, path).written == 0
        assert path.read_bytes().startswith(begins)
        assert messages(path) == []
    simulator.review(2)
    assert exported(any_client, path).written == 2


def test_only_who_keeps_records_loads_files(simulator: Simulator) -> None:
    """A program that lists reviewed messages loads nothing of what follows or keeps them."""
    code = f"""
import sys
from cometchat_rest import Client
with Client(base_url={simulator.base_url!r}, api_key={simulator.api_key!r}) as chat:
    chat.reviewed_messages.list(limit=1)
assert not [name for name in sys.modules if name.startswith("cometchat_rest.review_")]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
