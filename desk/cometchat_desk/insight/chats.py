"""Read messages one after the other: from exports, or from plain lists of messages.

A plain list is a `.txt` with one message per line, a `.csv` with a column `text` or with one column
and no header, or a `.jsonl` whose objects have a `text`. The column or the member may have another
name.
"""

import codecs
import contextlib
import io
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO

from attrs import frozen

from cometchat_desk.lists.encodings import marked_encoding, possible_encodings
from cometchat_desk.lists.files import check_encoding
from cometchat_desk.lists.workbooks import column_number
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
# The first bytes of a file, which may name its encoding.
_LONGEST_MARK = 3
# The usual name of the column or the member with the text of a message.
_TEXT = "text"
# The columns that an error names.
_MOST_NAMED = 20


@frozen(kw_only=True)
class Messages:
    """Messages of several files. A message of a plain file is a `Reviewed` that has only a
    `text`."""

    #: The reviewed messages of the exported files; `None` if no file is an export
    records: Records | None
    plain: tuple[Path, ...]  # the files with other messages
    standard_input: bytes  # the content of standard input, if it is one of these files
    encoding: str | None = None  # the encoding of files with other messages that are not in UTF-8
    column: str | None = None  # the name, number or letters of the column with their texts

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
    _check_options(plain, since, column)
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


def _check_options(plain: Sequence[Path], since: datetime | None, column: str | None) -> None:
    """Refuse options that do not fit the files with messages that are not exports."""
    if column is not None and all(path.suffix.lower() == ".txt" for path in plain):
        raise InvalidRequestError(
            f"no file has a column {column!r}: only .csv and .jsonl files have columns, and in"
            " exported messages, the column is always text; leave the option out"
        )
    if since is not None and plain:
        raise InvalidRequestError(
            f"{plain[0]}: --since needs exported messages, because these messages have no times"
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
            return _is_message(first, path, column)
        if b"\0" in start and marked_encoding(start) is None:
            raise InvalidRequestError(f"{path}: is not text in UTF-8; give a file with messages")
        line = first.decode("utf-8-sig", "replace")
        if suffix == ".csv":
            return not is_export(next(csv_rows(iter([line])), []))
    return path != _STANDARD_INPUT or values_of(line) is None


def _is_message(line: str | bytes, path: Path, column: str | None) -> bool:
    """Whether a line of JSON is a message, and not a record."""
    text = line.decode("utf-8-sig", "replace") if isinstance(line, bytes) else line
    raw = json_record(text)
    if raw is None or values_of(text) is not None:
        return False
    if column is not None and column not in raw:
        raise _no_column(path, column, raw)
    return (column or _TEXT) in raw


def _no_column(path: Path, column: str | None, names: Iterable[str]) -> InvalidRequestError:
    fault = "has several columns" if column is None else f"has no column {column!r}"
    shown = ", ".join(list(names)[:_MOST_NAMED])
    return InvalidRequestError(
        f"{path}: {fault}; name the column of the messages with --messages-column: {shown}"
    )


def _opened(path: Path, standard_input: bytes) -> IO[bytes]:
    if path == _STANDARD_INPUT:
        return io.BytesIO(standard_input)
    check_regular(path)
    return path.open("rb")


def _encoding_of(file: IO[bytes], path: Path, named: str | None) -> str:
    """The encoding of a file at its beginning."""
    if named is not None:
        check_encoding(named, path)
    *before, last = possible_encodings(file.read(_LONGEST_MARK), named)
    for name in before:
        file.seek(0)
        with contextlib.suppress(UnicodeDecodeError):
            deque(codecs.iterdecode(iter(partial(file.read, 1 << 20), b""), name), 0)
            last = name
    file.seek(0)
    return last


def _texts(file: IO[bytes], path: Path, encoding: str, column: str | None) -> Iterator[str]:
    advice = "name its encoding, such as --encoding cp1252 for Western Europe"
    lines = lines_of(file, path, encoding, advice=advice)
    if path.suffix.lower() == ".csv":
        return _cells(csv_rows(lines, named=column is not None), path, column)
    first = next(lines, "")
    all_lines = chain([first], lines)
    if path.suffix.lower() != ".txt":
        if _is_message(first, path, column):
            return _members(all_lines, column)
        if column is not None:
            raise InvalidRequestError(
                f"standard input: holds lines of text, which have no column {column!r}; leave the"
                " option out, or name a .csv or .jsonl file"
            )
    return (line.rstrip("\r\n") for line in all_lines)


def _members(lines: Iterable[str], column: str | None) -> Iterator[str]:
    """The texts in lines of JSON. A line of another kind has none."""
    for line in lines:
        text = (json_record(line) or {}).get(column or _TEXT)
        if isinstance(text, str):
            yield text


def _cells(rows: Iterator[list[str]], path: Path, column: str | None) -> Iterator[str]:
    """The cells of the column with the texts."""
    head = next(filter(None, rows), [""])
    names = names_of(head)
    title = (column or _TEXT).strip().lower()
    place = _place(names, column, title)
    if place is None:
        raise _no_column(path, column, head)
    # Nobody knows whether another first row holds titles, so it is a message.
    if not {title, _TEXT} & {*names}:
        yield head[place]
    for row in rows:
        yield from row[place : place + 1]


def _place(names: Sequence[str], column: str | None, title: str) -> int | None:
    """The place of a column, counted from 0: by its number, its title or its letters; without a
    name, the only one."""
    if column is None and len(names) == 1:
        return 0
    number = column_number(column or "") or 0
    exists = 1 <= number <= len(names)
    # A title may be a number too, such as a year.
    if title in names and not (exists and title.isdecimal()):
        return names.index(title)
    return number - 1 if exists else None
