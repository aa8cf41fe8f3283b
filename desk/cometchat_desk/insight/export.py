"""Write reviewed messages: to a `.jsonl` file to which each is added once, and to new files for
spreadsheets.

Each record has the name of its app, because a file may hold several apps. A `.jsonl` file is read
once, to know which records it has. A crash can leave an incomplete last line, which is
removed before anything is added. When `append` returns, its lines are on the disk; when it fails,
it removes its lines again.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from cometchat_desk.files import lock, naming, sync_folder, write_file
from cometchat_desk.terminal.output import table_bytes
from cometchat_rest import InvalidRequestError
from cometchat_rest.reviewed_messages import record_id

from .reviewed import COLUMNS, Reviewed


@frozen(kw_only=True)
class ReviewedExport:
    """The result of adding records to a file."""

    path: Path  # the file
    written: int  # how many records were added
    skipped: int  # how many records were left out because the file already has them


class ReviewedFile(AbstractContextManager["ReviewedFile"]):
    """A `.jsonl` file that holds each reviewed message once, no matter how often it is added; a
    context manager.

    Only one `ReviewedFile` can have a file open.
    """

    def __init__(self, path: Path) -> None:
        """Open or create a file, read its records, and remove an incomplete last line."""
        self.path = path
        self._seen = set[bytes]()
        # Unbuffered: bytes that could not be written must not be written again on closing. The file
        # is private.
        private = partial(os.open, mode=0o600)
        self._file = open(self.path, "a+b", buffering=0, opener=private)  # noqa: SIM115 - `__exit__` closes it
        try:
            with naming(self.path):
                lock(self._file, self.path)
                self._end = self._file.seek(0, os.SEEK_END)
                self._check_content()
                if hasattr(os, "fchmod"):  # not on Windows
                    os.fchmod(self._file.fileno(), 0o600)
                self._read_records()
        except BaseException:
            self._file.close()
            raise

    def append(self, records: Iterable[Mapping[str, Any]]) -> ReviewedExport:
        """Add the raw records that the file does not have: all of them, or after an error none."""
        lines = [_json_line(record) for record in records]
        before = self._end
        try:
            with naming(self.path):
                by_key = {_key(line): line for line in lines}
                new = {key: line for key, line in by_key.items() if key not in self._seen}
                self._write(b"".join(new.values()))
                os.fsync(self._file.fileno())
                sync_folder(self.path.parent)
        except BaseException:
            self._truncate(before)
            raise
        self._seen.update(new)
        return ReviewedExport(path=self.path, written=len(new), skipped=len(lines) - len(new))

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _check_content(self) -> None:
        """Refuse a file that is not an export: it must not be changed."""
        self._file.seek(0)
        if self._file.read(1) not in (b"", b"{"):
            raise InvalidRequestError(
                f"{self.path}: contains something other than exported reviewed messages; choose"
                " another file"
            )

    def _read_records(self) -> None:
        """Read the identities of all records. Remove an incomplete last line; if only its line end
        is missing, add that instead."""
        self._file.seek(0)
        last = b"\n"
        with open(self._file.fileno(), "rb", closefd=False) as lines:
            for last in lines:
                self._seen.add(_key(last))
        if last.endswith(b"\n"):
            return
        if json_record(last) is None:
            self._truncate(self._end - len(last))
        else:
            self._write(b"\n")

    def _truncate(self, end: int) -> None:
        self._file.truncate(end)
        self._end = end

    def _write(self, lines: bytes) -> None:
        rest = memoryview(lines)
        while rest:
            # If the disk is nearly full, only a part may be written.
            done = os.write(self._file.fileno(), rest)
            self._end += done
            rest = rest[done:]


def _json_line(raw: Mapping[str, Any]) -> bytes:
    # A lone surrogate is the only text that UTF-8 cannot hold; its replacement is also its escape
    # sequence in JSON.
    line = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    return f"{line}\n".encode("utf-8", "backslashreplace")


def json_record(line: str | bytes) -> dict[str, Any] | None:
    """The object of JSON in a line; `None` if it holds something else."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) else None


def _key(line: bytes) -> bytes:
    """The identity of the record in a line."""
    raw = json_record(line)
    return line if raw is None else str(raw.get("app")).encode("utf-8", "replace") + record_id(raw)


def write_table(records: Iterable[Reviewed], path: Path) -> ReviewedExport:
    """Write all records, oldest first, to a new .csv or .xlsx file: completely or not at all."""
    if path.exists():
        raise InvalidRequestError(
            f"{path}: already exists; name a new file. To collect messages, use a .jsonl file"
        )
    rows = [COLUMNS, *([getattr(record, name) for name in COLUMNS] for record in records)]
    write_file(path, table_bytes(path, rows), mode=0o600)
    return ReviewedExport(path=path, written=len(rows) - 1, skipped=0)
