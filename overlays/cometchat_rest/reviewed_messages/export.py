"""Reviewed messages in a file that only grows, each of them once.

The file is its own checkpoint: what it holds at its end tells which records are there. A record is a line with an end
that nothing within it can be taken for, so that a last line that a kill cut off is known, and goes before anything is
added. Lines are on the disk before `append` returns, and those of an `append` that fails are taken back.

- `.jsonl`: a record to a line, as the service sent it, in UTF-8.
- `.csv`: the columns of `COLUMNS` and no more of a record, for spreadsheets, in UTF-8 with a byte order mark, rows
  ending with CRLF. A text that a spreadsheet would take for a formula, or that begins with an apostrophe, gets an
  apostrophe in front; a carriage return within a text becomes a line feed, and a lone surrogate its escape.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from attrs import frozen

from cometchat_rest._support.files import FilePath, no_formula, printable, sync_folder
from cometchat_rest._support.files import format_for as find_format
from cometchat_rest.errors import InvalidRequestError
from cometchat_rest.review_times import utc

from .seen import SeenRecords, digest, memory_size, oldest_first, record_id

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from cometchat_openapi.models import ReviewedMessage

#: The columns of a CSV file, and where a record has what stands in them. The first four tell a record from others.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "message_id": ("message", "id"),
    "rule_id": ("ruleId",),
    "revision_id": ("revisionId",),
    "created_at": ("createdAt",),
    "created_utc": ("createdAt",),
    "updated_at": ("updatedAt",),
    "blocked_at": ("blockedAt",),
    "rule_name": ("ruleName",),
    "action": ("action",),
    "status": ("message", "data", "moderation", "status"),
    "condition_category": ("condition", "category"),
    "condition_message": ("condition", "message"),
    "sender": ("message", "sender"),
    "receiver_type": ("message", "receiverType"),
    "receiver": ("message", "receiver"),
    "conversation_id": ("message", "conversationId"),
    "message_type": ("message", "type"),
    "sent_at": ("message", "sentAt"),
    "text": ("message", "data", "text"),
    "app_id": ("appId",),
}

# How much is read or written at a time, in bytes.
_PIECE = 2**20
_MUST_BE_QUOTED = re.compile('[",\n]|^ | $')
_IDENTITY = re.compile(rb'(?:(?:"(?:[^"]|"")*+"|[^",\r\n]*+),){4}')


@frozen(kw_only=True)
class ReviewedExport:
    """What came of adding records to a file.

    Attributes:
        path: the file.
        written: how many records were added.
        skipped: how many were not, because the file has them.
    """

    path: Path
    written: int
    skipped: int


class ReviewedFile:
    """A file that takes each reviewed message once, whoever adds it and how often; a context manager that closes it.

    The end of the file tells which records it has: ten thousand of them, or twice as many as are added at a time.
    While it is open, nobody else can open it so.

    ```python
    with Client() as chat, ReviewedFile("reviewed.jsonl") as file:
        for record in chat.reviewed_messages.watch():
            file.append([record])
    ```
    """

    def __init__(self, path: FilePath) -> None:
        """Open the file, or make it; drop what is cut off at its end.

        Args:
            path: the file; its suffix, `.jsonl` or `.csv`, says what is written.

        Raises:
            InvalidRequestError: the suffix is neither, or the file holds something else.
            OSError: it cannot be opened or written, or somebody else is adding to it.
        """
        self.path, self._format = format_for(path)
        self._seen, self._reach = SeenRecords(), 0
        try:
            # Unbuffered: what could not be written must not be tried again when it is closed.
            self._file = self.path.open("a+b", buffering=0)
        except ValueError as error:
            raise InvalidRequestError(f"{printable(self.path)}: {error}") from None
        try:
            with self._with_path():
                self._lock()
                self._end = self._file.seek(0, os.SEEK_END)
            self._check()
            with self._with_path():
                self._repair_tail()
        except BaseException:
            self._file.close()
            raise

    @property
    def is_empty(self) -> bool:
        """Whether it holds no record yet."""
        return self._end <= len(self._format.begins)

    def append(self, records: Iterable[ReviewedMessage]) -> ReviewedExport:
        """Add those records that the file does not have, oldest first; all of them, or none.

        Args:
            records: such as `reviewed_messages.list().data`.

        Returns:
            How many were added. They are on the disk.

        Raises:
            OSError: they could not be written; the file is as it was.
        """
        given = oldest_first(records)
        before = self._end
        try:
            with self._with_path():
                self._remember(memory_size(len(given)))
                written = self._write(given)
        except BaseException:
            self._truncate(before)
            raise
        self._seen.forget(len(given))
        self._reach = min(self._reach, memory_size(len(given)))
        return ReviewedExport(path=self.path, written=written, skipped=len(given) - written)

    def close(self) -> None:
        """Let others add to the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"ReviewedFile({str(self.path)!r})"

    @contextlib.contextmanager
    def _with_path(self) -> Iterator[None]:
        """An error of the system, with the file it is about."""
        try:
            yield
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def _lock(self) -> None:
        # The lock is the open file's, so that it ends with the process, however that ends.
        try:
            if sys.platform == "win32":
                # A place that no file reaches: Windows keeps others from reading what is locked.
                self._file.seek(2**62)
                msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            raise OSError(error.errno, "somebody else is adding to it") from None

    def _check(self) -> None:
        """Leave a file alone that is none of ours."""
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise InvalidRequestError(f"{printable(self.path)}: is something other than a file")
        self._file.seek(0)
        begins = self._file.read(len(self._format.begins)) or b""
        if not self._format.begins.startswith(begins):
            raise InvalidRequestError(f"{printable(self.path)}: holds something other than exported reviewed messages")

    def _repair_tail(self) -> None:
        """Drop a last line that was cut off; or end it, where that is all it lacks."""
        tail = self._tail(1)
        cut = tail.rfind(self._format.ends)
        torn = len(tail) - cut - len(self._format.ends) if cut >= 0 else len(tail)
        if torn and self._format.is_whole(tail[-torn:]):
            self._put(bytearray(self._format.ends))
        elif torn:
            self._truncate(self._end - torn)

    def _truncate(self, end: int) -> None:
        self._file.truncate(end)
        self._end = end
        # It may have learned of records that are not there.
        self._seen, self._reach = SeenRecords(), 0

    def _tail(self, lines: int) -> bytes:
        """The end of the file, with the ends of at least so many lines, or all of it."""
        start, found = self._end, 0
        pieces: list[bytes] = []
        while start > 0 and found < lines:
            size = min(_PIECE, start)
            start -= size
            self._file.seek(start)
            pieces.append(self._file.read(size) or b"")
            found += pieces[-1].count(self._format.ends)
        return b"".join(reversed(pieces))

    def _remember(self, count: int) -> None:
        """Learn which records the last lines hold, unless that many were looked at before."""
        if count > self._reach:
            self._seen, self._reach = SeenRecords(), count
            # One more, because the first may be a part of a line.
            for line in self._tail(count + 1).split(self._format.ends)[:-1][-count:]:
                self._seen.add(self._format.key(line))

    def _write(self, records: Iterable[ReviewedMessage]) -> int:
        new = self._end == 0
        written = 0
        pending = bytearray(self._format.begins if new and self._format.ends in self._format.begins else b"")
        for record in records:
            line = self._format.line(record.to_dict())
            if self._seen.add(self._format.key(line)):
                pending += line + self._format.ends
                written += 1
            if len(pending) >= _PIECE:
                self._put(pending)
        self._put(pending)
        if written or new:
            os.fsync(self._file.fileno())
        if new:
            sync_folder(self.path.parent)
        return written

    def _put(self, pending: bytearray) -> None:
        while pending:
            # A disk that is nearly full may take a part.
            done = os.write(self._file.fileno(), pending)
            self._end += done
            del pending[:done]


@frozen
class FileFormat:
    """One kind of file.

    Attributes:
        begins: what each file begins with.
        ends: what ends a line, and stands nowhere within one.
        line: a record as a line, without its end.
        key: what tells the record of a line from others.
        is_whole: whether nothing is cut off a line that has no end, as far as that can be told.
    """

    begins: bytes
    ends: bytes
    line: Callable[[Mapping[str, Any]], bytes]
    key: Callable[[bytes], bytes]
    is_whole: Callable[[bytes], bool] = lambda _: False


def _json_line(raw: Mapping[str, Any]) -> bytes:
    # Escaped as JSON would escape it: a lone surrogate is all that UTF-8 cannot hold.
    return json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def _json_record(line: bytes) -> dict[str, Any] | None:
    try:
        raw = json.loads(line)
    except ValueError:
        return None
    return raw if isinstance(raw, dict) else None


def _json_key(line: bytes) -> bytes:
    raw = _json_record(line)
    return digest(line) if raw is None else record_id(raw)


def _csv_line(raw: Mapping[str, Any]) -> bytes:
    return ",".join(_cell(name, _found(raw, place)) for name, place in COLUMNS.items()).encode(
        "utf-8", "backslashreplace"
    )


def _csv_key(line: bytes) -> bytes:
    """The cells that tell a record from others, as they stand; the whole row where it names no message."""
    cells = _IDENTITY.match(line)
    return digest(cells[0] if cells and not line.startswith(b",") else line)


def _found(raw: Any, place: tuple[str, ...]) -> Any:
    for name in place:
        raw = raw.get(name) if isinstance(raw, Mapping) else None
    return raw


def _cell(name: str, value: Any) -> str:
    if name == "created_utc":
        time = utc(value)
        return "" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, list) and {str}.issuperset(map(type, value)):
        value = ", ".join(value)
    if not isinstance(value, str):
        text = "" if value is None else json.dumps(value, ensure_ascii=False)
    else:
        text = no_formula(value)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return '"' + text.replace('"', '""') + '"' if _MUST_BE_QUOTED.search(text) else text


_FORMATS: Mapping[str, FileFormat] = {
    ".jsonl": FileFormat(b"{", b"\n", _json_line, _json_key, lambda line: _json_record(line) is not None),
    ".csv": FileFormat(("\ufeff" + ",".join(COLUMNS) + "\r\n").encode(), b"\r\n", _csv_line, _csv_key),
}


def format_for(path: FilePath) -> tuple[Path, FileFormat]:
    """The path, and the format that its suffix names; see `_support.files.format_for`."""
    return find_format(path, _FORMATS)
