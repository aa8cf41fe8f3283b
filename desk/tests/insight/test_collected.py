"""Reading exported records: all formats, each record once, bad input, nothing on the disk, Ctrl-C."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cometchat_desk.insight.collected import open_records, records_of
from cometchat_desk.insight.export import ReviewedFile
from cometchat_desk.insight.parquet import ParquetFolder
from cometchat_desk.insight.reviewed import COLUMNS, Reviewed
from cometchat_rest import InvalidRequestError
from cometchat_rest.testing import Simulator

SENT = 1_757_955_951


def raw(number: int = 1, **fields: Any) -> dict[str, Any]:
    message = {"id": str(number), "sender": "alice", "data": {"text": f"text {number}"}}
    return {"ruleId": "r", "revisionId": "1", "createdAt": SENT + number, "message": message, **fields}


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path


@pytest.fixture
def exports(exported: Path, tmp_path: Path) -> Path:
    """A folder with the same records in each format."""
    return shutil.copytree(exported, tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The original of `exports`, made once."""
    listed, tmp_path = Simulator().reviewed_messages, tmp_path_factory.mktemp("exported")
    for suffix in (".jsonl", ".csv"):
        path = tmp_path / f"reviewed{suffix}"
        with ReviewedFile(path) as file:
            file.append(listed)
        (tmp_path / f"packed{suffix}.gz").write_bytes(gzip.compress(path.read_bytes()))
    with ParquetFolder(tmp_path / "reviewed.parquet") as folder:
        folder.append(records_of(listed))
    return tmp_path


@pytest.mark.parametrize("name", ["reviewed.csv", "packed.jsonl.gz", "packed.csv.gz", "reviewed.parquet", "*.parquet"])
def test_every_format_gives_the_same_records(exports: Path, name: str) -> None:
    """A `.csv` file, a Parquet folder and compressed files give exactly the records of the `.jsonl` file."""
    expected, records = open_records(exports / "reviewed.jsonl"), open_records(exports / name)
    assert list(records) == list(expected)
    assert (len(records), records.duplicates, records.skipped, records.notes) == (300, 0, 0, ())


def test_a_record_in_several_files_counts_once(exports: Path) -> None:
    """A record that several files hold, in any format, is there once."""
    records = open_records(exports / "*.jsonl", exports / "*.gz", exports / "reviewed.parquet", exports / "*.csv")
    assert (len(records), records.duplicates) == (300, 1200)
    assert all(record.sender_name for record in records)


def test_the_latest_change_is_kept(tmp_path: Path) -> None:
    """If a record changed between two exports, the one that was changed last is kept, whatever the order of files."""
    old = write_lines(tmp_path / "old.jsonl", [raw(updatedAt=SENT, ruleName="old")])
    new = write_lines(tmp_path / "new.jsonl", [raw(updatedAt=SENT + 1, ruleName="new")])
    found = [[each.rule_name for each in open_records(*files)] for files in ([old, new], [new, old])]
    assert found == [["new"], ["new"]]


@pytest.mark.parametrize(
    ("suffix", "rest"), [(".jsonl", b'{"ruleId": "r", "mess'), (".csv", b'1,2,3,4,2025-09-15 17:05:51,,,"tru')]
)
def test_a_truncated_last_line_is_skipped_and_counted(exports: Path, suffix: str, rest: bytes) -> None:
    """The incomplete last line of a file that is still being written is skipped, and a note says so."""
    path = exports / f"reviewed{suffix}"
    path.write_bytes(path.read_bytes() + rest)
    records = open_records(path)
    assert (len(records), records.skipped) == (300, 1)
    assert records.notes == ("1 line is not a complete record; skipped",)


def test_lines_of_other_kinds_are_skipped_and_counted(tmp_path: Path) -> None:
    """Lines that are not records are skipped and counted; the records around them are read."""
    path = tmp_path / "mixed.jsonl"
    lines = [json.dumps(raw(1)), "", "5", "[]", '{"a": 1}', "not JSON", json.dumps(raw(2))]
    path.write_text("\r\n".join(lines) + "\n", "utf-8")
    records = open_records(path)
    assert ([each.message_id for each in records], records.skipped) == (["1", "2"], 4)
    assert records.notes == ("4 lines are not complete records; skipped",)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv.gz"])
@pytest.mark.parametrize("line", [b"\n", b"5\n"])
def test_a_small_file_with_very_many_lines_is_refused(tmp_path: Path, name: str, line: bytes) -> None:
    """A compressed file of 2 MB can hold 2 GB of lines that are no records: reading ends after some of them."""
    start = json.dumps(raw()) if ".jsonl" in name else f"{','.join(COLUMNS)}\n1{',' * (len(COLUMNS) - 1)}"
    with gzip.open(tmp_path / name, "wb", compresslevel=1) as file:
        file.write(f"{start}\n".encode())
        for _ in range(4):
            file.write(line * (2**20 // len(line)))
    # The end of the file is damaged: a program that read all lines would find that.
    packed = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(packed[:-8] + b"12345678")
    with pytest.raises(InvalidRequestError, match=r"100,000 blank lines; remove them|contains no reviewed messages"):
        open_records(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.jsonl", b"notes\n", "contains no reviewed messages"),
        ("a.jsonl", b'{"name": "profanity-list"}\n', "contains no reviewed messages"),
        ("a.jsonl", b"[1, 2]\n", "contains no reviewed messages"),
        ("a.csv", b"name,phone\r\n1,2\r\n", "contains no reviewed messages"),
        ("a.csv", b"app;message_id;rule_id;revision_id;created_at\r\n", "contains no reviewed messages"),
        ("a.csv", b"\xff\xfe\x00", "contains no reviewed messages"),
        ("a.csv", b"\xef\xbb\xbftext,sender\r\nhello,alice\r\n", "holds only chosen columns"),
    ],
)
def test_foreign_file_is_refused(tmp_path: Path, name: str, content: bytes, fault: str) -> None:
    """A file of other data, or an export of chosen columns, gives one line that names it."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InvalidRequestError, match=f"^.*{name}: {fault}; give a file .* without --columns"):
        open_records(tmp_path / name)


@pytest.mark.parametrize("name", ["packed.jsonl.gz", "cut.parquet", "text.parquet", "other.parquet"])
def test_damaged_files_are_refused(exports: Path, name: str) -> None:
    """An incomplete gzip file or Parquet file, and a Parquet file of other data, give one line each."""
    packed = exports / "packed.jsonl.gz"
    packed.write_bytes(packed.read_bytes()[:-100])
    (part,) = exports.glob("reviewed.parquet/*.parquet")
    (exports / "cut.parquet").write_bytes(part.read_bytes()[:-10])
    (exports / "text.parquet").write_text("text")
    duckdb.execute(f"copy (select 1 as a) to '{exports / 'other.parquet'}' (format parquet)")
    with pytest.raises(InvalidRequestError) as caught:
        open_records(exports / name)
    assert str(exports / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_empty_export(tmp_path: Path) -> None:
    """An export without records is valid, and has no records."""
    for suffix in (".jsonl", ".csv"):
        with ReviewedFile(tmp_path / f"reviewed{suffix}"):
            pass
    with ReviewedFile(tmp_path / "header.csv") as file:
        file.append([])
    (tmp_path / "empty.parquet").mkdir()
    records = open_records(tmp_path / "*.jsonl", tmp_path / "*.csv", tmp_path / "empty.parquet")
    assert (list(records), records.skipped) == ([], 0)


def test_values_of_other_kinds(tmp_path: Path) -> None:
    """Missing texts, values of other kinds and hostile texts are read without an error."""
    hostile = "\x00\x1b[2J\u202e\u2028'\"; drop table records; --\r\n=1"
    records = [
        {"message": {"id": "1"}},
        {"message": {"id": "2", "data": {"text": hostile}}, "createdAt": "soon", "action": "one", "blockedAt": "x.1"},
        {"message": {"id": "3", "data": []}, "createdAt": 10**30, "action": [], "condition": 5},
        {"message": {"id": "4", "data": {"text": ""}}, "createdAt": True, "blockedAt": 5, "action": [1, {"a": 2}]},
        {"message": [], "ruleId": "5", "updatedAt": -(10**17)},
        {"message": {"id": "6", "data": {"text": "half \ud800 of a character"}}},
    ]
    found = open_records(write_lines(tmp_path / "odd.jsonl", records))
    by_id = {each.message_id: each for each in found}
    assert (len(found), found.skipped) == (6, 0)
    assert by_id["1"] == Reviewed(message_id="1")
    assert (by_id["2"].text, by_id["2"].action, by_id["2"].blocked_utc) == (hostile, ("one",), None)
    assert by_id["3"] == Reviewed(message_id="3")
    assert by_id["4"].text == ""
    assert by_id[None] == Reviewed(rule_id="5")
    assert by_id["6"].text == "half \\ud800 of a character"


def test_records_without_a_message_stay_apart(tmp_path: Path) -> None:
    """Records that name no message are the same only if everything is the same."""
    lines = [{"ruleId": "r", "ruleName": name} for name in ("a", "b", "a")]
    records = open_records(write_lines(tmp_path / "a.jsonl", lines))
    assert (len(records), records.duplicates) == (2, 1)


@pytest.mark.parametrize("name", ["reviewed.jsonl", "reviewed.csv", "reviewed.parquet"])
def test_since(exports: Path, name: str) -> None:
    """Only records that were created at or after a time are read, in each format."""
    records = open_records(exports / name, since=datetime(2025, 9, 15, 17, 5, 14, tzinfo=UTC))
    assert [each.message_id for each in records] == ["390078", "390079"]


OPENED = """
import os, signal, sys
from cometchat_desk.insight.collected import open_records
records = open_records(sys.argv[1])
assert sum(1 for record in records) == 300
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_no_message_stays_on_the_disk(exports: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A process that is killed while it has records open leaves no file in its folder and in the temporary folder."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-c", OPENED, str(exports / "reviewed.jsonl")]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, check=False)  # noqa: S603
    assert (done.returncode, list(folder.iterdir())) == (-signal.SIGKILL, [])


@pytest.mark.parametrize(
    "folder", ["rule_id=77", "year=2025/message_id=1", "a[b]c", "x*y?z", "~", "s3:", "it's", "back\\slash"]
)
def test_names_of_folders_have_no_meaning(exports: Path, folder: str) -> None:
    """The name of a folder above a file adds no column and is no pattern, in each format."""
    records = open_records(exports / "reviewed.jsonl")
    expected = list(records)
    (exports / folder).mkdir(parents=True)
    names = ("reviewed.jsonl", "reviewed.csv", "packed.jsonl.gz", "reviewed.parquet")
    *_, moved = files = [(exports / name).rename(exports / folder / name) for name in names]
    assert [list(open_records(each)) for each in files] == [expected] * len(files)
    with ParquetFolder(moved) as parts:
        assert parts.append(open_records(exports / folder / "reviewed.jsonl")).written == 0
