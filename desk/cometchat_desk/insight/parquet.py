"""A folder of Parquet files with reviewed messages, for programs that read such folders: Spark, BigQuery, polars.

The name of the folder ends with `.parquet`. Each export adds one file, `part-00000001.parquet` and so on; an existing
file never changes. All files have the columns of `columns.COLUMNS`. A file is written under a hidden name first, and
gets its name when all of its bytes are on the disk. So a killed export leaves no incomplete part: programs ignore
hidden files, and the next export removes them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from cometchat_desk.files import SYSTEM, FilePath, printable, sync_folder
from cometchat_rest import InvalidRequestError

from . import duck, view
from .export import ReviewedExport
from .records import Records

_PART = re.compile(r"part-([0-9]{8})\.parquet")
# Without the suffix, because some programs also read hidden files that match *.parquet.
_UNFINISHED = ".unfinished"
_LOCK = ".lock"


class ParquetFolder(AbstractContextManager["ParquetFolder"]):
    """A folder that holds each reviewed message once; a context manager. Only one at a time can have a folder open."""

    def __init__(self, path: FilePath) -> None:
        """Open or create a folder whose name ends with `.parquet`. Only its owner can read a new folder."""
        self.path = Path(path)
        if self.path.suffix.lower() != ".parquet":
            raise InvalidRequestError(f"{printable(self.path)}: the name of the folder must end with .parquet")
        if self.path.exists() and not self.path.is_dir():
            raise InvalidRequestError(
                f"{printable(self.path)}: is a file; Parquet is exported to a folder, so choose another name"
            )
        if not self.path.exists():
            self.path.mkdir(mode=0o700)
            sync_folder(self.path.parent)
        names = sorted(path.name for path in self.path.iterdir())
        foreign = [name for name in names if name not in (_LOCK, _UNFINISHED) and not _PART.fullmatch(name)]
        if foreign:
            raise InvalidRequestError(
                f"{printable(self.path)}: contains other files, such as {foreign[0]!r}; choose another folder"
            )
        self._lock()

    def _lock(self) -> None:
        """Let no other writer open the folder, and remove what a killed one left."""
        self._lock_file = (self.path / _LOCK).open("a+b")
        try:
            SYSTEM.lock(self._lock_file)
            (self.path / _UNFINISHED).unlink(missing_ok=True)
        except (BlockingIOError, PermissionError) as error:
            self._lock_file.close()
            reason = "another writer has the folder open, and only one is allowed at a time"
            raise OSError(error.errno, reason, str(self.path)) from None

    @property
    def parts(self) -> Sequence[Path]:
        """The files in the folder, in the order in which they were written."""
        return sorted(path for path in self.path.iterdir() if _PART.fullmatch(path.name))

    def append(self, records: Records) -> ReviewedExport:
        """Add the records that the folder does not have, in one new file: all, or after an error none."""
        unfinished = self.path / _UNFINISHED
        try:
            # DuckDB would give the file another mode.
            unfinished.touch(mode=0o600)
            written = self._write_new(records, unfinished) if records.count else 0
            if written:
                self._publish(unfinished)
        finally:
            unfinished.unlink(missing_ok=True)
        return ReviewedExport(path=self.path, written=written, skipped=records.count + records.duplicates - written)

    def close(self) -> None:
        """Close the folder, so that others can add records to it."""
        self._lock_file.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write_new(self, records: Records, unfinished: Path) -> int:
        """Write the records that no part has; return their number."""
        subject = f"{printable(self.path)} cannot be extended"
        new = f"select {view.NAMES} from reviewed"
        if parts := ", ".join(map(duck.quoted_path, self.parts)):
            # The parts have statistics of `created_at`, so most of their rows need not be read.
            new += (
                f" where {view.KEY} not in (select {view.KEY} from read_parquet([{parts}], hive_partitioning=false) "
                "where created_at between (select min(created_at) from reviewed) "
                "and (select max(created_at) from reviewed) or created_at is null)"
            )
        target = duck.quoted(str(unfinished.absolute()))
        ((written,),) = duck.run(
            records.connection, f"copy ({new}) to {target} (format parquet, compression zstd)", subject=subject
        )
        return int(written)

    def _publish(self, unfinished: Path) -> None:
        """Give a complete file its name."""
        parts = self.parts
        number = int(parts[-1].name[5:13]) + 1 if parts else 1
        # DuckDB may have replaced the file by another one with the usual mode.
        unfinished.chmod(0o600)
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
        unfinished.rename(self.path / f"part-{number:08}.parquet")
        sync_folder(self.path)
