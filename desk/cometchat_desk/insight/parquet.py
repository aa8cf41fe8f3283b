"""A folder of Parquet files with reviewed messages, for programs that read such folders: Spark, BigQuery, polars.

The name of the folder ends with `.parquet`. Each export adds one file, `part-00000001.parquet` and so on; an existing
file never changes. All files have the columns of `columns`.
A file is written under a hidden name first, and gets its name when all of its bytes are on the disk. So a killed export leaves no incomplete part: programs
ignore hidden files, and the next export removes them.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from cometchat_desk.files import SYSTEM, sync_folder
from cometchat_rest.errors import InvalidRequestError

from . import duck, view
from .export import ReviewedExport
from .records import check_since, load, write_source
from .sources import FilePath, Source, find_sources, shown

if TYPE_CHECKING:
    from cometchat_rest import ReviewedMessage

_PART = re.compile(r"part-([0-9]{8})\.parquet")
# Without the suffix, because some programs also read hidden files that match *.parquet.
_UNFINISHED = ".unfinished"
_LOCK = ".lock"


class ParquetFolder:
    """A folder that holds each reviewed message once; a context manager that closes it.

    New records are compared with all parts. Only one `ParquetFolder` at a time can have a folder open.

    ```python
    with Client() as chat, ParquetFolder("reviewed.parquet") as folder:
        folder.append(chat.reviewed_messages.list(limit=1000).data)
    ```
    """

    def __init__(self, path: FilePath, *, memory_limit: str = duck.MEMORY_LIMIT) -> None:
        """Open or create the folder.

        Args:
            path: the folder; its name ends with `.parquet`.
            memory_limit: how much memory DuckDB may use.

        Raises:
            InvalidRequestError: the path names another kind of file or folder, or DuckDB is not installed.
            OSError: the folder cannot be created or written, or another writer has it open.
        """
        duck.check_installed()
        self.path, self._memory_limit = Path(path), memory_limit
        #: After `append_files`: as in `Records`.
        self.begins: datetime | None = None
        if self.path.suffix.lower() != ".parquet":
            raise InvalidRequestError(f"{shown(self.path)}: the name of the folder must end with .parquet")
        if self.path.exists() and not self.path.is_dir():
            raise InvalidRequestError(
                f"{shown(self.path)}: is a file; Parquet is exported to a folder, so choose another name"
            )
        if not self.path.exists():
            self.path.mkdir()
            sync_folder(self.path.parent)
        foreign = [
            each
            for each in self.path.iterdir()
            if not (each.name in (_LOCK, _UNFINISHED) or _PART.fullmatch(each.name))
        ]
        if foreign:
            raise InvalidRequestError(
                f"{shown(self.path)}: contains other files, such as {foreign[0].name!r}; choose another folder"
            )
        self._lock_file = (self.path / _LOCK).open("a+b")
        try:
            self._lock()
            (self.path / _UNFINISHED).unlink(missing_ok=True)
        except BaseException:
            self._lock_file.close()
            raise

    @property
    def parts(self) -> Sequence[Path]:
        """The files in the folder, in the order in which they were written."""
        return sorted(each for each in self.path.iterdir() if _PART.fullmatch(each.name))

    @property
    def is_empty(self) -> bool:
        """Whether the folder has no records yet."""
        return not self.parts

    def append(self, records: Iterable[ReviewedMessage]) -> ReviewedExport:
        """Add the records that the folder does not have, in one new file: either all of them or none.

        Args:
            records: for example `reviewed_messages.list().data`.

        Returns:
            How many records were added. They are on the disk.

        Raises:
            OSError: the records could not be written; none of them is in the folder.
        """
        with _temporary_folder() as folder:
            return self._append([write_source(folder, records)], None, folder)

    def append_files(self, files: FilePath | Iterable[FilePath], *, since: datetime | None = None) -> ReviewedExport:
        """Add the records of exported files that the folder does not have, in one new file.

        Args:
            files: as in `open_records`.
            since: as in `open_records`.

        Raises:
            InvalidRequestError: as in `open_records`.
            OSError: the records could not be written; none of them is in the folder.
        """
        sources = find_sources(files)
        with _temporary_folder() as folder:
            return self._append(sources, check_since(since), folder)

    def close(self) -> None:
        """Close the folder, so that others can add records to it."""
        self._lock_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ParquetFolder({str(self.path)!r})"

    def _lock(self) -> None:
        try:
            SYSTEM.lock(self._lock_file)
        except (BlockingIOError, PermissionError) as error:
            reason = "another writer has the folder open, and only one is allowed at a time"
            raise OSError(error.errno, reason, str(self.path)) from None

    def _append(self, sources: Sequence[Source], since: datetime | None, folder: Path) -> ReviewedExport:
        database = folder / "records.duckdb"
        loaded = load(database, sources, since, self._memory_limit)
        unfinished = self.path / _UNFINISHED
        try:
            written = self._write_new(database, unfinished) if loaded.count else 0
            if written:
                self._publish(unfinished)
        finally:
            unfinished.unlink(missing_ok=True)
        self.begins = loaded.begins
        return ReviewedExport(path=self.path, written=written, skipped=loaded.count + loaded.duplicates - written)

    def _write_new(self, database: Path, unfinished: Path) -> int:
        """Write the records that no part has; return their number."""
        # Without this, DuckDB would report the error, and not say that the folder cannot be written.
        unfinished.touch()
        with (
            duck.connect(database, database.parent, self._memory_limit) as connection,
            duck.readable_errors(f"{shown(self.path)} cannot be extended"),
        ):
            connection.execute("create table known (record_key uhugeint)")
            if parts := ", ".join(duck.quoted(view.sql_path(part)) for part in self.parts):
                # The parts have statistics of `created_at`, so most of their rows need not be read.
                connection.execute(
                    f"insert into known select {view.key()} from read_parquet([{parts}], union_by_name=true) "
                    "where created_at between (select min(created_at) from records) "
                    "and (select max(created_at) from records) or created_at is null"
                )
            row = connection.execute(
                f"copy (select {view.NAMES} from records where record_key not in (select record_key from known)) "
                f"to {duck.quoted(str(unfinished))} (format parquet, compression zstd)"
            ).fetchone()
        return int(row[0]) if row else 0

    def _publish(self, unfinished: Path) -> None:
        """Give a complete file its name."""
        parts = self.parts
        number = int(parts[-1].name[5:13]) + 1 if parts else 1
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.rename(self.path / f"part-{number:08}.parquet")
        sync_folder(self.path)


@contextlib.contextmanager
def _temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cometchat-desk-") as folder:
        yield Path(folder)
