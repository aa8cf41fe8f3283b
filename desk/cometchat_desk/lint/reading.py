"""Reads the file of a list for the linter: its entries, and the line and column of each entry."""

from __future__ import annotations

import codecs
import json
import re
import stat
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from cometchat_rest.errors import InvalidRequestError
from cometchat_rest.keyword_input import parse_terms

from .findings import printable

#: The suffixes of files with lists.
SUFFIXES = (".txt", ".csv", ".json")

# No list is so large: the service takes files of up to 1 MB.
_LARGEST = 64 << 20
_SAVE_AS = "save the list as CSV UTF-8"
# Files that are text, and still no lists. The parser finds the other kinds, because they are not UTF-8.
_NO_LISTS = (
    (b"{\\rtf", "a rich text document"),
    (b"<!doctype", "a web page"),
    (b"<html", "a web page"),
    (b"%pdf-", "a PDF document"),
    (b"begin:vcard", "a contact"),
)


@frozen(kw_only=True)
class ListFile:
    """The content of a file.

    Attributes:
        entries: the entries, in order.
        category: the category that a JSON file names.
        text: the text of the file.
        suffix: the suffix, which names the format.
        header: whether the first row of a CSV file was ignored.
    """

    entries: tuple[str, ...]
    category: str | None
    text: str
    suffix: str
    header: bool

    @property
    def title(self) -> str | None:
        """The first row of a CSV file, if it was ignored."""
        if not self.header or self.suffix != ".csv":
            return None
        start = next(_rows(self.text))
        if quoted := _QUOTED.match(self.text, start):
            return quoted[0][1:-1].replace('""', '"')
        return self.text[start:].partition("\n")[0].removesuffix("\r")

    def places(self) -> Sequence[tuple[int, int]]:
        """The line and the column of each entry, both counted from 1."""
        if self.suffix == ".txt":
            return [(line, 1) for line, text in enumerate(self.text.split("\n"), 1) if text.strip()]
        offsets = list(_rows(self.text) if self.suffix == ".csv" else _strings(self.text))
        starts = [0, *(found.end() for found in re.finditer("\n", self.text))]
        lines = [bisect_right(starts, offset) for offset in offsets]
        places = [(line, offset - starts[line - 1] + 1) for line, offset in zip(lines, offsets, strict=True)]
        return places[1:] if self.header and self.suffix == ".csv" else places


class ContentError(Exception):
    """The file is not a list. The message says what to do."""

    def __init__(self, message: str, line: int | None = None, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises:
        InvalidRequestError: the file cannot be read.
        ContentError: it is not a regular file, or too large.
    """
    try:
        # A named pipe blocks until another process writes to it, perhaps for ever: read regular files only.
        if not stat.S_ISREG(path.stat().st_mode):
            raise ContentError("is not a regular file")
        with path.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        fault = error.strerror if isinstance(error, OSError) else None
        raise InvalidRequestError(f"{printable(str(path))}: cannot be read: {fault or error}") from error
    if len(data) > _LARGEST:
        raise ContentError(f"is larger than {_LARGEST >> 20} MiB, so it is not a list")
    return data


def read(path: Path, *, header: bool = False) -> ListFile:
    """Read the file of a list for an update: exactly the files that the rule invalid-file reports are refused.

    Args:
        path: the file; its suffix names the format.
        header: whether to ignore the first row of a CSV file.

    Raises:
        InvalidRequestError: the file cannot be read, or is not a list; the text names the file, and if known the line.
    """
    try:
        return parse(read_bytes(path), path.suffix, header=header)
    except ContentError as error:
        place = "" if error.line is None else f":{error.line}:{error.column}"
        raise InvalidRequestError(f"{printable(str(path))}{place}: {error}") from None


def parse(data: bytes, suffix: str, *, header: bool = False) -> ListFile:
    """Read the content of a file.

    Args:
        data: the content.
        suffix: the suffix of the file, which names the format.
        header: whether to ignore the first row of a CSV file.

    Raises:
        ContentError: the content is not a list.
    """
    suffix = suffix.lower()
    if suffix not in SUFFIXES:
        raise ContentError(f"the suffix must be one of {', '.join(SUFFIXES)}; {_SAVE_AS}")
    start = data[:64].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    for mark, kind in _NO_LISTS:
        if start.startswith(mark):
            raise ContentError(f"is {kind}; {_SAVE_AS}")
    name = f"list{suffix}"
    try:
        entries = parse_terms(data, name, header=header)
    except InvalidRequestError as error:
        place = re.fullmatch(rf"{re.escape(name)}:(\d+):(\d+): (.*)", str(error), re.DOTALL)
        if place is None:
            raise ContentError(printable(str(error).removeprefix(f"{name}: "))) from None
        raise ContentError(printable(place[3]), int(place[1]), int(place[2])) from None
    # A JSON file holds them as escapes.
    if 0 in data or any("\0" in entry for entry in entries):
        line = data.count(b"\n", 0, max(data.find(b"\0"), 0)) + 1
        raise ContentError(f"holds NUL characters, as UTF-16 and files that are not text do; {_SAVE_AS}", line)
    text = data.decode("utf-8-sig")
    return ListFile(
        entries=entries,
        category=json.loads(text)["category"] if suffix == ".json" else None,
        text=text,
        suffix=suffix,
        header=header,
    )


_QUOTED = re.compile(r'"(?:[^"]++|"")*+"')


def _rows(text: str) -> Iterator[int]:
    """The offset of each row of a valid CSV file that is not blank."""
    start, end = 0, len(text)
    while start < end:
        quoted = _QUOTED.match(text, start)
        stop = text.find("\n", quoted.end() if quoted else start)
        stop = end if stop < 0 else stop
        if text[start:stop].strip():
            yield start
        start = stop + 1


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]')


def _strings(text: str) -> Iterator[int]:
    """The offset of each string in the array `terms` of a valid JSON file."""
    depth, name, is_name = 0, "", True
    for token in _TOKEN.finditer(text):
        each = token[0]
        if each in ("{", "["):
            depth += 1
        elif each in ("}", "]"):
            depth -= 1
        elif each in (":", ","):
            is_name = each == ","
        elif depth == 1 and is_name:
            name = json.loads(each)
        elif depth == 2 and name == "terms":
            yield token.start()
