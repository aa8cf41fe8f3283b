"""A folder of Parquet files with reviewed messages, for programs that read such folders: Spark, BigQuery, polars.

Each export adds one file, `part-00000001.parquet` and so on. It is written under a hidden name first, which programs
ignore and the next export removes, so a killed export leaves no incomplete part.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cometchat_desk.files import lock, sync_folder
from cometchat_rest import InvalidRequestError

from .export import ReviewedExport
from .extra import needs
from .record import COLUMNS, Record

if TYPE_CHECKING:
    import duckdb

    from .record import Records

_PART = re.compile(r"part-([0-9]{8})\.parquet")
# Without the suffix, because some programs also read hidden files that match *.parquet.
_UNFINISHED = ".unfinished"
_LOCK = ".lock"
_ROWS = 10_000
# Without these settings, DuckDB writes texts of messages to a folder `.tmp` in the working directory when the memory is
# full, loads extensions from a network, and takes an unknown table for a variable of the program or for a file.
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "temp_directory": "",
}


def read_part(path: Path) -> Iterator[Record]:
    """The records of a Parquet file."""
    with _database(f"{path} cannot be read") as connection:
        yield from _records(connection, [path])


class ParquetFolder(AbstractContextManager["ParquetFolder"]):
    """A folder that holds each reviewed message once; a context manager. Only one at a time can have a folder open."""

    def __init__(self, path: Path) -> None:
        """Open or create a folder whose name ends with `.parquet`. Only its owner can read a new folder."""
        self.path = path
        if self.path.exists() and not self.path.is_dir():
            raise InvalidRequestError(f"{path}: is a file; Parquet is exported to a folder, so choose another name")
        if not self.path.exists():
            self.path.mkdir(mode=0o700)
            sync_folder(self.path.parent)
        names = sorted(path.name for path in self.path.iterdir())
        foreign = [name for name in names if name not in (_LOCK, _UNFINISHED) and not _PART.fullmatch(name)]
        if foreign:
            raise InvalidRequestError(f"{path}: contains other files, such as {foreign[0]!r}; choose another folder")
        self._lock_file = (self.path / _LOCK).open("a+b")
        lock(self._lock_file, self.path)
        # A killed writer may have left it.
        (self.path / _UNFINISHED).unlink(missing_ok=True)

    @property
    def parts(self) -> Sequence[Path]:
        """The files in the folder, in the order in which they were written."""
        return sorted(path for path in self.path.iterdir() if _PART.fullmatch(path.name))

    def append(self, records: Records) -> ReviewedExport:
        """Add the records that the folder does not have, in one new file: all, or after an error none."""
        unfinished = self.path / _UNFINISHED
        new: Sequence[Record] = ()
        try:
            with _database(f"{self.path} cannot be extended") as connection:
                known = {record.identity for record in _records(connection, self.parts)} if records else ()
                new = [record for record in records if record.identity not in known]
                if new:
                    # DuckDB would give the file another mode.
                    unfinished.touch(mode=0o600)
                    _write(connection, new, unfinished)
            if new:
                self._publish(unfinished)
        finally:
            unfinished.unlink(missing_ok=True)
        return ReviewedExport(path=self.path, written=len(new), skipped=len(records) + records.duplicates - len(new))

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


@contextlib.contextmanager
def _database(subject: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty database in memory, whose errors become errors of one line."""
    with needs("parquet", "Parquet"):
        import duckdb
    with contextlib.closing(duckdb.connect(":memory:", config=_SETTINGS)) as connection:
        try:
            # DuckDB may write its progress bar to stdout.
            connection.execute("set session enable_progress_bar=false")
            yield connection
        except duckdb.Error as error:
            # Its messages begin with the type of the error.
            reason = re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", str(error).strip().partition("\n")[0]).rstrip(".")
            # With an OSError as its cause, the command line ends with the exit code for files.
            cause = OSError(reason) if isinstance(error, duckdb.IOException) else None
            raise InvalidRequestError(f"{subject}: {reason}") from cause


def _records(connection: duckdb.DuckDBPyConnection, parts: Iterable[Path]) -> Iterator[Record]:
    texts = ", ".join(f"{name}::varchar" for name in COLUMNS)
    for part in parts:
        # By itself, DuckDB takes a folder such as rule_id=77 for a column.
        connection.execute(f"select {texts} from read_parquet({_quoted_path(part)}, hive_partitioning=false)")
        while rows := connection.fetchmany(_ROWS):
            yield from (Record.of_texts(dict(zip(COLUMNS, row, strict=True))) for row in rows)


def _write(connection: duckdb.DuckDBPyConnection, records: Sequence[Record], target: Path) -> None:
    values = [[_value(getattr(record, name)) for record in records] for name in COLUMNS]
    columns = ", ".join(f"unnest(${place}::{_sql_type(name)}[]) as {name}" for place, name in enumerate(COLUMNS, 1))
    connection.execute(f"create table new as select {columns}", values)
    connection.execute(f"copy new to {_quoted(str(target.absolute()))} (format parquet, compression zstd)")


def _sql_type(column: str) -> str:
    if column == "blocked_at":
        return "varchar"
    return "bigint" if column.endswith("_at") else "timestamp" if column.endswith("_utc") else "varchar"


def _value(value: object) -> object:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return ", ".join(value) or None if isinstance(value, tuple) else value


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quoted_path(path: Path) -> str:
    """A path as a literal of SQL. DuckDB gives `~` or a scheme at its start and characters of patterns a meaning."""
    return _quoted("".join(f"[{character}]" if character in "*?[" else character for character in str(path.absolute())))
