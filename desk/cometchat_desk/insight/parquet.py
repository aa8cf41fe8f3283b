"""A folder of Parquet files with reviewed messages, for programs that read such folders: Spark,
BigQuery, polars.

Each export adds one file, `part-00000001.parquet` and so on. It is written under a hidden name
first, which programs ignore and the next export removes, so a killed export leaves no incomplete
part.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from cometchat_desk.files import lock, sync_folder
from cometchat_rest import InvalidRequestError

from .collected import Records, open_records
from .database import ROWS, quoted, readable_database_errors, sql_type
from .export import ReviewedExport
from .reviewed import COLUMNS, NAMES

_PART = re.compile(r"part-([0-9]{8})\.parquet")
# Without the suffix, because some programs also read hidden files that match *.parquet.
_UNFINISHED = ".unfinished"
_LOCK = ".lock"
# The seconds that a timestamp of Python can hold.
_TIMES = "between -62135596800 and 253402300799"


class ParquetFolder(AbstractContextManager["ParquetFolder"]):
    """A folder that holds each reviewed message once; a context manager. Only one at a time can
    have a folder open."""

    def __init__(self, path: Path) -> None:
        """Open or create a folder whose name ends with `.parquet`. Only its owner can read a new
        folder."""
        self.path = path
        if not self.path.exists():
            self.path.mkdir(mode=0o700)
            sync_folder(self.path.parent)
        names = sorted(path.name for path in self.path.iterdir())
        foreign = [
            name for name in names if name not in (_LOCK, _UNFINISHED) and not _PART.fullmatch(name)
        ]
        if foreign:
            raise InvalidRequestError(
                f"{path}: contains other files, such as {foreign[0]!r}; choose another folder"
            )
        self._lock_file = (self.path / _LOCK).open("a+b")
        lock(self._lock_file, self.path)
        # A killed writer may have left it.
        (self.path / _UNFINISHED).unlink(missing_ok=True)

    @property
    def parts(self) -> Sequence[Path]:
        """The files in the folder, in the order in which they were written."""
        return sorted(path for path in self.path.iterdir() if _PART.fullmatch(path.name))

    def append(self, records: Records) -> ReviewedExport:
        """Add the records that the folder does not have, in one new file: all, or after an error
        none."""
        unfinished = self.path / _UNFINISHED
        count = len(records) + records.duplicates
        try:
            parts = self.parts
            if len(records) and parts:
                records.leave_out(open_records(*parts, names=()))
            new = len(records)
            if new:
                # DuckDB would give the file another mode.
                unfinished.touch(mode=0o600)
                _write(records, unfinished)
                self._publish(unfinished)
        finally:
            unfinished.unlink(missing_ok=True)
        return ReviewedExport(path=self.path, written=new, skipped=count - new)

    def __exit__(self, *_: object) -> None:
        self._lock_file.close()

    def _publish(self, unfinished: Path) -> None:
        parts = self.parts
        number = int(parts[-1].name[5:13]) + 1 if parts else 1
        # DuckDB may have replaced the file by another one with the usual mode.
        unfinished.chmod(0o600)
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.rename(self.path / f"part-{number:08}.parquet")
        sync_folder(self.path)


def _write(records: Records, target: Path) -> None:
    columns = ", ".join(f"{_value(name)} as {name}" for name in COLUMNS)
    with readable_database_errors(f"{target.parent} cannot be extended"):
        name = quoted(str(target.absolute()))
        # Small groups of rows need little memory.
        options = f"format parquet, compression zstd, row_group_size {ROWS}"
        records.ask(f"copy (select {columns} from reviewed) to {name} ({options})")


def _value(column: str) -> str:
    """The value of a column in SQL."""
    if sql_type(column) == "varchar[]":
        return f"nullif(array_to_string({column}, ', '), '')"
    if column in NAMES:
        return column
    seconds = column.replace("_utc", "_at")
    if column == "blocked_utc":
        seconds = (
            r"try_cast(nullif(regexp_extract(blocked_at, '^([0-9]{1,20})\.[0-9]+$', 1), '') as"
            r" bigint)"
        )
    return f"if({seconds} {_TIMES}, make_timestamp({seconds} * 1000000), null)"
