"""Read messages one after the other: from exports, or from plain lists of messages.

A plain list is a `.txt` with one message per line, a `.csv` with a column `text` or with one column
and no header, or a `.jsonl` whose objects have a `text`. The column or the member may have another
name.
"""

import codecs
import contextlib
import io
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO

from attrs import frozen

from cometchat_desk.lists.files import check_encoding
from cometchat_desk.terminal.prompts import stdin_bytes
from cometchat_rest import InvalidRequestError

from .collected import Records, open_records
from .export import json_record
from .exports import (
    LONGEST_LINE,
    check_regular,
    csv_rows,
    expanded,
    is_export,
    lines_of,
    names_of,
    readable_errors,
    values_of,
)
from .reviewed import Reviewed

_STANDARD_INPUT = Path("-")
# In bytes. A file may be larger: it is not kept in memory.
_LARGEST_INPUT = 256 << 20
# The first bytes of a file, in which a picture or a document has a null byte, and text has none.
_START = 8192
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# The usual name of the column or the member with the text of a message.
_TEXT = "text"


@frozen(kw_only=True)
class Messages:
    """Messages of several files. A message of a plain file is a `Reviewed` that has only a
    `text`."""

    #: The reviewed messages of the exported files; `None` if no file is an export
    records: Records | None
    plain: tuple[Path, ...]  # the files with other messages
    standard_input: bytes  # the content of standard input, if it is one of these files
    encoding: str | None = None  # the encoding of files with other messages that are not in UTF-8
    column: str | None = None  # the name or the number of the column with their texts

    def __iter__(self) -> Iterator[Reviewed]:
        yield from self.records or ()
        for path in self.plain:
            with readable_errors(path), _opened(path, self.standard_input) as file:
                encoding = _encoding_of(file, path, self.encoding)
                texts = _texts(file, path, encoding, self.column)
                yield from (Reviewed(text=text) for text in texts if text)


def open_messages(
    files: Iterable[str | Path],
    *,
    since: datetime | None = None,
    encoding: str | None = None,
    column: str | None = None,
) -> Messages:
    """Find the messages of files, or of standard input (`-`), since a time with a time zone."""
    paths = expanded(files)
    standard_input = stdin_bytes(_LARGEST_INPUT) if _STANDARD_INPUT in paths else b""
    plain = tuple(path for path in paths if _is_plain(path, standard_input, column))
    if since is not None and plain:
        raise InvalidRequestError(
            f"{plain[0]}: --since needs exported messages, because these messages have no times"
        )
    exports = [path for path in paths if path not in plain]
    records = None
    if exports:
        records = open_records(*exports, since=since, standard_input=io.BytesIO(standard_input))
    return Messages(
        records=records,
        plain=plain,
        standard_input=standard_input,
        encoding=encoding,
        column=column,
    )


def _is_plain(path: Path, standard_input: bytes, column: str | None) -> bool:
    """Whether a file holds messages without records. All other files are exports, or are refused
    as such."""
    suffix = path.suffix.lower()
    if path != _STANDARD_INPUT and suffix not in (".txt", ".csv", ".jsonl"):
        return False
    with readable_errors(path), _opened(path, standard_input) as file:
        start = file.read(_START)
        file.seek(0)
        first = file.readline(LONGEST_LINE)
        if suffix == ".jsonl":
            return _is_message(first, column)
        if b"\0" in start and not start.startswith(_WIDE):
            raise InvalidRequestError(f"{path}: is not text in UTF-8; give a file with messages")
        line = first.decode("utf-8-sig", "replace")
        if suffix == ".csv":
            return not is_export(next(csv_rows(iter([line])), []))
    return path != _STANDARD_INPUT or values_of(line) is None


def _is_message(line: str | bytes, column: str | None) -> bool:
    """Whether a line of JSON is a message, and not a record."""
    text = line.decode("utf-8-sig", "replace") if isinstance(line, bytes) else line
    raw = json_record(text)
    return raw is not None and values_of(text) is None and (column or _TEXT) in raw


def _opened(path: Path, standard_input: bytes) -> IO[bytes]:
    if path == _STANDARD_INPUT:
        return io.BytesIO(standard_input)
    check_regular(path)
    return path.open("rb")


def _encoding_of(file: IO[bytes], path: Path, encoding: str | None) -> str:
    """The encoding of a file at its beginning: UTF-16 by its mark, UTF-8 if it is valid, else
    that of the option."""
    is_wide = file.read(2) in _WIDE
    file.seek(0)
    if is_wide or encoding is None:
        return "utf-16" if is_wide else "utf-8-sig"
    check_encoding(encoding, path)
    with contextlib.suppress(UnicodeDecodeError):
        deque(codecs.iterdecode(iter(partial(file.read, 1 << 20), b""), "utf-8"), 0)
        encoding = "utf-8-sig"
    file.seek(0)
    return encoding


def _texts(file: IO[bytes], path: Path, encoding: str, column: str | None) -> Iterator[str]:
    advice = "name its encoding, such as --encoding cp1252 for Western Europe"
    lines = lines_of(file, path, encoding, advice=advice)
    if path.suffix.lower() == ".csv":
        return _cells(csv_rows(lines), path, column)
    first = next(lines, "")
    all_lines = chain([first], lines)
    if path.suffix.lower() != ".txt" and _is_message(first, column):
        return _members(all_lines, column)
    return (line.rstrip("\r\n") for line in all_lines)


def _members(lines: Iterable[str], column: str | None) -> Iterator[str]:
    """The texts in lines of JSON. A line of another kind has none."""
    for line in lines:
        text = (json_record(line) or {}).get(column or _TEXT)
        if isinstance(text, str):
            yield text


def _cells(rows: Iterator[list[str]], path: Path, column: str | None) -> Iterator[str]:
    """The cells of the column with the texts."""
    head = next(rows, [])
    names = names_of(head)
    place = 0
    if column is not None and column.strip().lower() in names:
        place = names.index(column.strip().lower())
    elif _TEXT in names:
        place = names.index(_TEXT)
    elif column is not None and column.isdecimal() and 1 <= int(column) <= len(head):
        # Nobody knows whether the first row is a title.
        place = int(column) - 1
        yield head[place]
    elif len(head) < 2:
        yield from head
    else:
        raise InvalidRequestError(
            f"{path}: has several columns: name the column with the messages with --column, or"
            f" call it text in the first row, which is: {', '.join(head[:8])}"
        )
    for row in rows:
        yield from row[place : place + 1]
