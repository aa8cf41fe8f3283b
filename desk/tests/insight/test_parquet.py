"""Parquet folders: complete parts only, each record once, readable by another engine."""

import os
import signal
import stat
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from cometchat_desk.insight.collected import records_of
from cometchat_desk.insight.export import ReviewedExport
from cometchat_desk.insight.parquet import ParquetFolder
from cometchat_desk.insight.reviewed import COLUMNS
from cometchat_rest import InvalidRequestError


def record(number: int, **fields: Any) -> dict[str, Any]:
    message = {"id": str(number), "data": {"text": f"text {number}"}}
    return {"ruleId": "r", "createdAt": number, "message": message, **fields}


def append(folder: ParquetFolder, *added: dict[str, Any]) -> ReviewedExport:
    records = records_of(added)
    return folder.append(records)


def test_each_record_is_in_one_part(tmp_path: Path) -> None:
    """Each export adds one file with the new records; a record that any part has is not added
    again."""
    path = tmp_path / "reviewed.parquet"
    with ParquetFolder(path) as folder:
        assert append(folder, *map(record, range(5))) == ReviewedExport(
            path=path, written=5, skipped=0
        )
        assert append(folder, *map(record, [7, 7, 1, 8])) == ReviewedExport(
            path=path, written=2, skipped=2
        )
        assert append(folder, record(0), record(8, ruleName="changed")).written == 0
    with ParquetFolder(path) as folder:
        assert append(folder, record(3), {"message": {"id": "a"}}).written == 1
        assert append(folder, {"message": {"id": "a"}}).written == 0
        assert [part.name for part in folder.parts] == [
            f"part-0000000{number}.parquet" for number in (1, 2, 3)
        ]


def test_another_engine_reads_the_folder(tmp_path: Path) -> None:
    """polars reads all parts as one table with the documented columns and types; the digits of a
    text stay."""
    polars = pytest.importorskip("polars", reason="not installed: run make docs")
    path = tmp_path / "reviewed.parquet"
    with ParquetFolder(path) as folder:
        for number in (1, 2):
            append(folder, record(number, blockedAt=f"1757955951.00000000000000{number}"))
    frame = polars.scan_parquet(path / "*.parquet").sort("created_at").collect()
    assert frame.columns == [*COLUMNS]
    assert frame.schema["created_at"] == polars.Int64
    assert frame.schema["created_utc"] == polars.Datetime("us")
    assert frame["blocked_at"].to_list() == [
        "1757955951.000000000000001",
        "1757955951.000000000000002",
    ]
    assert frame["created_utc"][0] == datetime(1970, 1, 1, 0, 0, 1)


KILLED = """
import os, signal, sys
from pathlib import Path
from cometchat_desk.insight.parquet import ParquetFolder
from cometchat_desk.insight.collected import records_of
Path.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
new = [{"message": {"id": "2"}, "createdAt": 2}]
with ParquetFolder(Path(sys.argv[1])) as folder:
    folder.append(records_of(new))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_killed_export_leaves_no_part(tmp_path: Path) -> None:
    """An export that is killed before its part is complete leaves the folder as it was; the next
    one goes on."""
    polars = pytest.importorskip("polars", reason="not installed: run make docs")
    path = tmp_path / "reviewed.parquet"
    with ParquetFolder(path) as folder:
        append(folder, record(1))
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [each.name for each in path.glob("[!.]*")] == ["part-00000001.parquet"]
    assert polars.read_parquet(path / "*.parquet")["message_id"].to_list() == ["1"]
    with ParquetFolder(path) as folder:
        assert append(folder, record(1), record(2)).written == 1
    assert sorted(each.name for each in path.iterdir()) == [
        ".lock",
        "part-00000001.parquet",
        "part-00000002.parquet",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """A new folder and its files are private, whatever the default mode is."""
    path = tmp_path / "reviewed.parquet"
    before = os.umask(0)
    try:
        with ParquetFolder(path) as folder:
            append(folder, record(1))
    finally:
        os.umask(before)
    assert {
        stat.S_IMODE(each.stat().st_mode) for each in (path, path / "part-00000001.parquet")
    } == {0o700, 0o600}


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """A second writer is refused while the folder is open."""
    path = tmp_path / "reviewed.parquet"
    with ParquetFolder(path), pytest.raises(OSError, match="another writer has it open"):
        ParquetFolder(path)
    with ParquetFolder(path):
        pass


def test_other_folders_are_refused(tmp_path: Path) -> None:
    """A folder with other files is refused, and stays unchanged."""
    (tmp_path / "other.parquet").mkdir()
    (tmp_path / "other.parquet" / "notes.txt").touch()
    with pytest.raises(InvalidRequestError, match=r"contains other files, such as 'notes\.txt'"):
        ParquetFolder(tmp_path / "other.parquet")
    with pytest.raises(FileNotFoundError):
        ParquetFolder(tmp_path / "gone" / "reviewed.parquet")
    assert [each.name for each in (tmp_path / "other.parquet").iterdir()] == ["notes.txt"]
