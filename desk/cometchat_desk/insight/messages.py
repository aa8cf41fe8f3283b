"""Read messages one after the other: from exported reviewed messages, or from plain lists of messages.

- Exports: all files that `records` reads. A record that occurs several times is read once.
- `.txt`: one message per line. Blank lines are ignored.
- `.csv` that is no export: a table with a column `text`, or one column without a header.
- `-`: standard input, an export as JSON Lines or one message per line.

Text and CSV are UTF-8, and may be compressed with gzip (`.txt.gz`). Invalid bytes become U+FFFD.
"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO

from cometchat_desk.files import FilePath, printable
from cometchat_rest import InvalidRequestError

from .records import Record, open_records
from .sources import is_head, is_record, opened, readable_errors

_STANDARD_INPUT = Path("-")
# The first bytes of a file, in which a picture or a document has a null byte, and text has none.
_START = 8192


class Messages(AbstractContextManager["Messages"]):
    """Messages of several files, read while you iterate; a context manager that closes the records.

    A message of a text file is a `Record` that has only a `text`.
    """

    def __init__(self, files: Iterable[FilePath], *, since: datetime | None = None) -> None:
        """Find the messages of files, or of standard input (`-`), since a time with a time zone."""
        # Standard input is kept in memory: no message may stay on the disk.
        self._input = b""
        self._plain: list[Path] = []
        exports: list[Path] = []
        lines: list[bytes] = []
        for path in map(Path, files):
            if path == _STANDARD_INPUT:
                stream: IO[bytes] = getattr(sys.stdin, "buffer", None) or io.BytesIO()
                self._input = stream.read()
            if path == _STANDARD_INPUT and is_record(self._input.partition(b"\n")[0]):
                lines = self._input.splitlines()
            else:
                (self._plain if self._is_plain(path) else exports).append(path)
        if since is not None and self._plain:
            raise InvalidRequestError(
                f"{printable(self._plain[0])}: since needs exported messages, because these messages have no times"
            )
        # the exported reviewed messages, which a rule has found already; `None` if there are none
        self.records = open_records(exports, lines=lines, since=since) if exports or lines else None

    def __iter__(self) -> Iterator[Record]:
        if self.records is not None:
            yield from self.records
        for path in self._plain:
            # A carriage return inside a cell of a CSV file stays, and ends no line.
            decoded = partial(io.TextIOWrapper, encoding="utf-8-sig", errors="replace", newline="\n")
            with readable_errors(path), decoded(self._open(path)) as lines:
                texts = _cells(lines, path) if _suffix(path) == ".csv" else (line.rstrip("\r\n") for line in lines)
                for text in texts:
                    if text:
                        yield Record(text=text)

    def close(self) -> None:
        """Remove the records."""
        if self.records is not None:
            self.records.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _is_plain(self, path: Path) -> bool:
        """Whether a file holds messages without records. All other files are exports, or are refused as such."""
        if path != _STANDARD_INPUT and _suffix(path) not in (".txt", ".csv"):
            return False
        with readable_errors(path), self._open(path) as file:
            start = file.read(_START)
        if b"\0" in start:
            raise InvalidRequestError(f"{printable(path)}: is not text in UTF-8; give a file with messages")
        return _suffix(path) != ".csv" or not is_head(start.partition(b"\n")[0])

    def _open(self, path: Path) -> IO[bytes]:
        return io.BytesIO(self._input) if path == _STANDARD_INPUT else opened(path)


def _suffix(path: Path) -> str:
    return Path(os.fspath(path).lower().removesuffix(".gz")).suffix


def _cells(lines: Iterable[str], path: Path) -> Iterator[str]:
    """The messages of a CSV file: the column `text`, or the only column."""
    rows = csv.reader(lines)
    head = next(rows, [])
    names = [name.strip().lower() for name in head]
    place = names.index("text") if "text" in names else 0
    if "text" not in names and len(head) > 1:
        raise InvalidRequestError(
            f"{printable(path)}: has several columns and none of them is named text; name the column text"
        )
    if "text" not in names:
        yield from head
    for row in rows:
        yield from row[place : place + 1]
