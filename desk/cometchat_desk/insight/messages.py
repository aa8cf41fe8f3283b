"""Read messages one after the other: from exported reviewed messages, or from plain lists of messages.

- Exports: all files that `records` reads. A record that occurs several times is read once.
- `.txt`: one message per line. Blank lines are ignored.
- `.csv` that is no export: a table with a column `text`, or one column without a header.
- `-`: standard input, an export as JSON Lines or one message per line.

Text and CSV are UTF-8, and may be compressed with gzip (`.txt.gz`). Invalid bytes become U+FFFD.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Self

from cometchat_rest.errors import InvalidRequestError

from .records import Record, Records, open_records
from .sources import FilePath, is_record, shown

_STANDARD_INPUT = "-"
# A CSV file with these columns is an export.
_EXPORT_COLUMNS = frozenset(("message_id", "rule_id"))


class Messages:
    """Messages of several files, read while you iterate; a context manager that removes temporary files.

    A message of a text file is a `Record` that has only a `text`.

    Attributes:
        skipped: how many lines were skipped, because they are not complete records.
        begins: as in `Records`.
        has_exports: whether some of the messages are exported reviewed messages, which a rule has found already.
    """

    def __init__(self, paths: FilePath | Iterable[FilePath], *, since: datetime | None = None) -> None:
        """
        Args:
            paths: the files, or `-` for standard input.
            since: the earliest time of a review, with a time zone.

        Raises:
            InvalidRequestError: a file cannot be read or has no messages, or `since` was given for messages without
                times.
        """
        given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        self._closing = contextlib.ExitStack()
        self._plain: list[FilePath] = []
        exports: list[FilePath] = []
        with contextlib.ExitStack() as failing:
            failing.callback(self._closing.close)
            for path in given:
                if os.fspath(path) == _STANDARD_INPUT:
                    path = self._spooled()
                (self._plain if _is_plain(path) else exports).append(path)
            if since is not None and self._plain:
                raise InvalidRequestError(
                    f"{_shown(self._plain[0])}: since needs exported messages, because these messages have no times"
                )
            self._records: Records | None = None
            if exports:
                self._records = self._closing.enter_context(open_records(exports, since=since))
            failing.pop_all()
        self.has_exports = self._records is not None
        self.skipped = 0 if self._records is None else self._records.skipped
        self.begins = None if self._records is None else self._records.begins

    def __iter__(self) -> Iterator[Record]:
        if self._records is not None:
            yield from self._records
        for path in self._plain:
            with _readable_errors(path), _open(path) as lines:
                texts = _cells(lines, path) if _suffix(path) == ".csv" else (line.rstrip("\r\n") for line in lines)
                for text in texts:
                    if text:
                        yield Record(text=text)

    def close(self) -> None:
        """Remove the temporary files."""
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _spooled(self) -> Path:
        """A temporary file with the bytes of standard input: an export, or text."""
        folder = Path(self._closing.enter_context(tempfile.TemporaryDirectory(prefix="cometchat-desk-")))
        stream: IO[bytes] = getattr(sys.stdin, "buffer", None) or io.BytesIO()
        start = stream.readline()
        path = folder / ("stdin.jsonl" if is_record(start) else "stdin.txt")
        with path.open("wb") as file:
            file.write(start)
            shutil.copyfileobj(stream, file)
        return path


def _suffix(path: FilePath) -> str:
    return Path(os.fspath(path).lower().removesuffix(".gz")).suffix


def _is_plain(path: FilePath) -> bool:
    """Whether a file holds messages without records. All other files are exports, or are refused as such."""
    if _suffix(path) == ".txt":
        with _readable_errors(path), _open(path):
            return True
    if _suffix(path) == ".csv" and Path(path).is_file():
        with _readable_errors(path), _open(path) as lines:
            return not _EXPORT_COLUMNS.issubset(next(csv.reader(lines), []))
    return False


def _open(path: FilePath) -> io.TextIOWrapper:
    file = gzip.open(path) if os.fspath(path).lower().endswith(".gz") else Path(path).open("rb")  # noqa: SIM115
    # A carriage return inside a cell of a CSV file stays, and ends no line.
    return io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="\n")


def _cells(lines: Iterable[str], path: FilePath) -> Iterator[str]:
    """The messages of a CSV file: the column `text`, or the only column."""
    rows = csv.reader(lines)
    head = next(rows, [])
    names = [each.strip().lower() for each in head]
    place = names.index("text") if "text" in names else 0
    if "text" not in names and len(head) > 1:
        raise InvalidRequestError(
            f"{_shown(path)}: has several columns and none of them is named text; name the column text"
        )
    if "text" not in names:
        yield from head
    for row in rows:
        yield from row[place : place + 1]


@contextlib.contextmanager
def _readable_errors(path: FilePath) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidRequestError(f"{_shown(path)}: {error.strerror or error}") from error
    except (EOFError, zlib.error):
        raise InvalidRequestError(f"{_shown(path)}: the gzip file is incomplete or damaged") from None
    except (csv.Error, ValueError) as error:
        if isinstance(error, InvalidRequestError):
            raise
        raise InvalidRequestError(f"{_shown(path)}: cannot be read: {error}") from None


def _shown(path: FilePath) -> str:
    return shown(Path(path))
