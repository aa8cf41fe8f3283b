"""Read messages one after the other: from exports, or from plain lists of messages.

A plain list is a `.txt` with one message per line, or a `.csv` with a column `text` or with one
column and no header.
"""

import codecs
import contextlib
import csv
import io
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO

from attrs import frozen

from cometchat_desk.lists.files import check_encoding
from cometchat_desk.terminal.prompts import stdin_bytes
from cometchat_rest import InvalidRequestError

from .collected import Records, open_records
from .exports import LONGEST_LINE, check_regular, lines_of, readable_errors, values_of
from .reviewed import Reviewed

_STANDARD_INPUT = Path("-")
# In bytes. A file may be larger: it is not kept in memory.
_LARGEST_INPUT = 256 << 20
# The first bytes of a file, in which a picture or a document has a null byte, and text has none.
_START = 8192
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@frozen
class Messages:
    """Messages of several files. A message of a plain file is a `Reviewed` that has only a
    `text`."""

    records: (
        Records | None
    )  # the reviewed messages of the exported files; `None` if no file is an export
    plain: tuple[Path, ...]  # the files with other messages
    standard_input: bytes  # the content of standard input, if it is one of these files
    encoding: str | None = None  # the encoding of files with other messages that are not in UTF-8

    def __iter__(self) -> Iterator[Reviewed]:
        yield from self.records or ()
        for path in self.plain:
            with readable_errors(path), _opened(path, self.standard_input) as file:
                encoding = _encoding_of(file, path, self.encoding)
                yield from (Reviewed(text=text) for text in _texts(file, path, encoding) if text)


def open_messages(
    files: Iterable[str | Path], *, since: datetime | None = None, encoding: str | None = None
) -> Messages:
    """Find the messages of files, or of standard input (`-`), since a time with a time zone."""
    paths = [Path(file) for file in files]
    given = stdin_bytes(_LARGEST_INPUT) if _STANDARD_INPUT in paths else b""
    plain = tuple(path for path in paths if _is_plain(path, given))
    if since is not None and plain:
        raise InvalidRequestError(
            f"{plain[0]}: --since needs exported messages, because these messages have no times"
        )
    exports = [path for path in paths if path not in plain]
    records = (
        open_records(*exports, since=since, standard_input=io.BytesIO(given)) if exports else None
    )
    return Messages(records, plain, given, encoding)


def _is_plain(path: Path, given: bytes) -> bool:
    """Whether a file holds messages without records. All other files are exports, or are refused
    as such."""
    if path != _STANDARD_INPUT and path.suffix.lower() not in (".txt", ".csv"):
        return False
    with readable_errors(path), _opened(path, given) as file:
        start = file.read(_START)
    if b"\0" in start and not start.startswith(_WIDE):
        raise InvalidRequestError(f"{path}: is not text in UTF-8; give a file with messages")
    return (
        path != _STANDARD_INPUT
        or values_of(given.partition(b"\n")[0].decode("utf-8", "replace")) is None
    )


def _opened(path: Path, given: bytes) -> IO[bytes]:
    if path == _STANDARD_INPUT:
        return io.BytesIO(given)
    check_regular(path)
    return path.open("rb")


def _encoding_of(file: IO[bytes], path: Path, given: str | None) -> str:
    """The encoding of a file at its beginning: UTF-16 by its mark, UTF-8 if it is valid, else
    the given one."""
    is_wide = file.read(2) in _WIDE
    file.seek(0)
    if is_wide or given is None:
        return "utf-16" if is_wide else "utf-8-sig"
    check_encoding(given, path)
    with contextlib.suppress(UnicodeDecodeError):
        deque(codecs.iterdecode(iter(partial(file.read, 1 << 20), b""), "utf-8"), 0)
        given = "utf-8-sig"
    file.seek(0)
    return given


def _texts(file: IO[bytes], path: Path, encoding: str) -> Iterator[str]:
    lines = lines_of(
        file,
        path,
        encoding,
        advice="name its encoding, such as --encoding cp1252 for Western Europe",
    )
    if path.suffix.lower() != ".csv":
        yield from (line.rstrip("\r\n") for line in lines)
        return
    rows = _rows(lines)
    head = next(rows, [])
    names = _names(head)
    place = names.index("text") if "text" in names else 0
    if "text" not in names and len(head) > 1:
        raise InvalidRequestError(
            f"{path}: has several columns: name that of the messages text in the first row"
        )
    if "text" not in names:
        yield from head
    for row in rows:
        yield from row[place : place + 1]


def _rows(lines: Iterator[str]) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_LINE)
    first = list(islice(lines, 20))
    marks = (mark for mark in ";\t" if mark in "".join(first[:1]) and _separates(mark, first))
    return csv.reader(chain(first, lines), delimiter=next(marks, ","))


def _separates(mark: str, first: list[str]) -> bool:
    """Whether a mark separates columns: one of them is named text, or most rows are as wide as
    the first one."""
    head, *rows = [*filter(None, csv.reader(first, delimiter=mark))] or [[]]
    same = sum(len(row) == len(head) for row in rows)
    return len(head) > 1 and ("text" in _names(head) or 2 * same > len(rows))


def _names(head: Iterable[str]) -> list[str]:
    return [name.strip().lower() for name in head]
