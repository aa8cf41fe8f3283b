"""A file to which each reviewed message is added once, `.jsonl` (as the service sent it) or `.csv` (`Reviewed.cell`).

Each record has the name of its app, because a file may hold several apps. The records at the end of a file show which
records it has. A crash can leave an incomplete last line, which is removed before anything is added. When `append`
returns, its lines are on the disk; when it fails, it removes its lines again.
"""

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import frozen

from cometchat_desk.files import lock, naming, sync_folder, write_file
from cometchat_desk.terminal.output import csv_row
from cometchat_rest import InvalidRequestError
from cometchat_rest.reviewed_messages import SeenRecords, record_id

from .reviewed import COLUMNS, IDENTITY, Reviewed
from .sources import rows_of

# How many bytes are read or written at a time.
_CHUNK = 2**20


@frozen(kw_only=True)
class ReviewedExport:
    """The result of adding records to a file."""

    path: Path  # the file
    written: int  # how many records were added
    skipped: int  # how many records were left out because the file already has them


class ReviewedFile(AbstractContextManager["ReviewedFile"]):
    """A file that holds each reviewed message once, no matter how often it is added; a context manager that closes it.

    New records are compared with its last 10,000 records or more. Only one `ReviewedFile` can have a file open.
    """

    def __init__(self, path: Path) -> None:
        """Open or create a file, and remove an incomplete last line."""
        self.path, self._format = path, FORMATS[path.suffix.lower()]
        self._seen, self._seen_lines = SeenRecords(), 0
        # Unbuffered: bytes that could not be written must not be written again on closing. The file is private.
        private = partial(os.open, mode=0o600)
        self._file = open(self.path, "a+b", buffering=0, opener=private)  # noqa: SIM115 - `__exit__` closes it
        try:
            with naming(self.path):
                lock(self._file, self.path)
                self._end = self._file.seek(0, os.SEEK_END)
            self._check_content()
            with naming(self.path):
                if hasattr(os, "fchmod"):  # not on Windows
                    os.fchmod(self._file.fileno(), 0o600)
                self._repair_tail()
        except BaseException:
            self._file.close()
            raise

    def append(self, records: Iterable[Mapping[str, Any]]) -> ReviewedExport:
        """Add the raw records that the file does not have: all of them, or after an error none."""
        given = list(records)
        before = self._end
        try:
            with naming(self.path):
                self._load_seen(SeenRecords.needed(len(given)))
                written = self._write_new(given)
        except BaseException:
            self._truncate(before)
            raise
        self._seen.forget(len(given))
        self._seen_lines = min(self._seen_lines, SeenRecords.needed(len(given)))
        return ReviewedExport(path=self.path, written=written, skipped=len(given) - written)

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _check_content(self) -> None:
        """Refuse a file that is not an export: it must not be changed."""
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise InvalidRequestError(f"{self.path}: is not a regular file")
        self._file.seek(0)
        start = self._file.read(len(self._format.prefix)) or b""
        # The file may be shorter than the prefix.
        if not self._format.prefix.startswith(start):
            raise InvalidRequestError(
                f"{self.path}: contains something other than exported reviewed messages; choose another file"
            )

    def _repair_tail(self) -> None:
        """Remove an incomplete last line; if only its line end is missing, add that instead."""
        rest = self._read_tail(1).rpartition(self._format.line_end)[2]
        if rest and self._format.is_complete(rest):
            self._write_all(bytearray(self._format.line_end))
        elif rest:
            self._truncate(self._end - len(rest))

    def _truncate(self, end: int) -> None:
        self._file.truncate(end)
        self._end = end
        # The removed records may be among these.
        self._seen, self._seen_lines = SeenRecords(), 0

    def _read_tail(self, lines: int) -> bytes:
        """Return the end of the file with at least `lines` line ends, or the whole file if it has fewer."""
        start, ends = self._end, 0
        chunks: list[bytes] = []
        while start > 0 and ends < lines:
            size = min(_CHUNK, start)
            start -= size
            self._file.seek(start)
            chunks.append(self._file.read(size) or b"")
            ends += chunks[-1].count(self._format.line_end)
        return b"".join(reversed(chunks))

    def _load_seen(self, count: int) -> None:
        """Read the identities of the last `count` records, unless at least that many are already known."""
        if count > self._seen_lines:
            self._seen, self._seen_lines = SeenRecords(), count
            # Read one line more, because the first line of the tail may be incomplete.
            for line in self._read_tail(count + 1).split(self._format.line_end)[:-1][-count:]:
                self._seen.add(self._format.key(line))

    def _write_new(self, records: Iterable[Mapping[str, Any]]) -> int:
        is_new = self._end == 0
        written = 0
        pending = bytearray(self._format.header if is_new else b"")
        for record in records:
            line = self._format.to_line(record)
            if self._seen.add(self._format.key(line)):
                pending += line + self._format.line_end
                written += 1
            if len(pending) >= _CHUNK:
                self._write_all(pending)
        self._write_all(pending)
        if written or is_new:
            os.fsync(self._file.fileno())
        if is_new:
            sync_folder(self.path.parent)
        return written

    def _write_all(self, pending: bytearray) -> None:
        while pending:
            # If the disk is nearly full, only a part may be written.
            done = os.write(self._file.fileno(), pending)
            self._end += done
            del pending[:done]


@frozen
class FileFormat:
    """A file format."""

    prefix: bytes  # the bytes that every file begins with
    header: bytes  # the lines to write before the first record
    line_end: bytes  # the bytes that end a line; they never occur within a line
    to_line: Callable[[Mapping[str, Any]], bytes]  # converts a raw record to a line without its end
    key: Callable[[bytes], bytes]  # returns the identity of the record in a line
    # whether a line without its end certainly has all its other bytes
    is_complete: Callable[[bytes], bool] = lambda _: False


def _json_line(raw: Mapping[str, Any]) -> bytes:
    # A lone surrogate is the only text that UTF-8 cannot hold; its replacement is also its escape sequence in JSON.
    return json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def _json_record(line: bytes) -> dict[str, Any] | None:
    try:
        raw = json.loads(line)
    except ValueError:
        return None
    return raw if isinstance(raw, dict) else None


def _json_key(line: bytes) -> bytes:
    raw = _json_record(line)
    return _digest(line) if raw is None else _digest(str(raw.get("app")).encode("utf-8", "replace") + record_id(raw))


def _csv_line(cells: Iterable[str]) -> bytes:
    # A carriage return ends a line of the file.
    texts = (cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells)
    return csv_row(texts).encode("utf-8", "backslashreplace")


def _csv_key(line: bytes) -> bytes:
    """Return a hash of the cells that identify a record; of the whole row if it names no message."""
    cells = next(rows_of([line.decode("utf-8", "replace")]))
    identity = dict(zip(IDENTITY, cells, strict=False))
    return _digest(repr(identity).encode() if identity.get("message_id") else line)


def _digest(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()


def _csv_head(columns: Iterable[str]) -> bytes:
    return ("\ufeff" + ",".join(columns) + "\r\n").encode()


_CSV_HEAD = _csv_head(COLUMNS)
#: The formats by the suffix of their files.
FORMATS: Mapping[str, FileFormat] = {
    ".jsonl": FileFormat(b"{", b"", b"\n", _json_line, _json_key, lambda line: _json_record(line) is not None),
    ".csv": FileFormat(
        _CSV_HEAD, _CSV_HEAD, b"\r\n", lambda raw: _csv_line(map(Reviewed.of(raw).cell, COLUMNS)), _csv_key
    ),
}


def write_csv(records: Iterable[Reviewed], path: Path, columns: Sequence[str]) -> ReviewedExport:
    """Write all records, oldest first, to a new CSV file: completely or not at all."""
    if path.exists():
        raise InvalidRequestError(f"{path}: already exists; name a new file")
    lines = [_csv_line(map(record.cell, columns)) + b"\r\n" for record in records]
    write_file(path, b"".join((_csv_head(columns), *lines)), mode=0o600)
    return ReviewedExport(path=path, written=len(lines), skipped=0)
