"""Lists of terms as text, CSV and JSON files.

An error in a file is reported with its line and column. A file is written completely or not at all. This module works
with texts only; `entries.load` and `entries.dump` convert between files and inputs.

All files are UTF-8, with or without a byte order mark. A line ends with LF or CRLF:

- `.txt`: one term per line, exactly as written. Blank lines are ignored. A term cannot hold a line break.
- `.csv`: one column, one term per row, no header unless the caller says so. Blank rows are ignored. A term that holds a
  comma, a line break or double quotes is put in double quotes; double quotes inside it are doubled. A written file
  begins with a byte order mark, because Excel reads a file without it in an old encoding.
- `.json`: an object with `category` and `terms`, and optionally `id`, `name` and `description`.
"""

from __future__ import annotations

import codecs
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from json import JSONDecodeError, dumps, loads
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from cometchat_openapi.models.keyword_category import KEYWORD_CATEGORY_VALUES
from cometchat_rest._platform import write_file
from cometchat_rest._support.files import FilePath, format_for, printable
from cometchat_rest.errors import InvalidRequestError

# Every character at which str.splitlines() ends a line.
LINE_BREAK: Final = re.compile("[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
# Characters that would split a term in two on the wire.
SEPARATOR: Final = re.compile(f"{LINE_BREAK.pattern}|,")

_QUOTED: Final = re.compile(r'"((?:[^"]++|"")*+)"')
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BYTE_ORDER_MARK: Final = "\ufeff"
_TEXTS: Final = ("id", "category", "name", "description")


@frozen(kw_only=True)
class Content:
    """The content of a file; text and CSV files hold `terms` only."""

    terms: tuple[str, ...]
    category: str | None = None
    id: str | None = None
    name: str | None = None
    description: str | None = None


class _FaultError(Exception):
    """An error in a text, and the number of characters before it."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def short_literal(text: str) -> str:
    """A text as a literal for an error message, cut after 40 characters."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def fault_in_text(value: object) -> str | None:
    """The reason why a form cannot carry this value as a term or another text; `None` if it can."""
    if not isinstance(value, str):
        return f"must be a string, not {type(value).__name__}"
    if not value.strip():
        return "is blank"
    if _LONE_SURROGATE.search(value):
        return f"holds a lone surrogate, which no request can carry: {short_literal(value)}"
    return None


def read(path: FilePath, *, header: bool = False) -> Content:
    """Read the file at `path` in the format that its suffix names; with `header`, the first row of CSV is ignored.

    Raises:
        InvalidRequestError: the file cannot be read, its suffix is not one of the three, or its content is invalid. For
            invalid content, the text begins with the file, the line and the column, both counted from 1.
    """
    target, _ = format_for(path, _FORMATS)
    try:
        # A named pipe blocks until another process writes to it, perhaps for ever: read regular files only.
        data = target.read_bytes() if stat.S_ISREG(target.stat().st_mode) else None
    except (OSError, ValueError) as error:
        raise _unusable(target, "read", error) from error
    if data is None:
        raise InvalidRequestError(f"{printable(target)}: is not a regular file")
    return parse_bytes(data, target, header=header)


def parse_bytes(data: bytes, path: FilePath, *, header: bool = False) -> Content:
    """Read the content of a file that was already read; see `read`."""
    target, (read_text, _) = format_for(path, _FORMATS)
    text = ""
    try:
        text = _decoded(data)
        return _read_csv(text, header=header) if read_text is _read_csv else read_text(text)
    except _FaultError as fault:
        # If the bytes could not be decoded, those before the fault still can.
        before = (text or data.removeprefix(codecs.BOM_UTF8)[: fault.offset].decode("utf-8", "replace"))[: fault.offset]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise InvalidRequestError(f"{printable(target)}:{line}:{column}: {fault}") from None


def write(path: FilePath, content: Content) -> None:
    """Write `content` to `path` in the format that its suffix names; an existing file is replaced.

    The content goes to a temporary file first, which is then renamed: a reader sees the old content or the new content.

    Raises:
        InvalidRequestError: the suffix is not one of the three, the format cannot hold one of the terms, or the file
            cannot be written. An existing file is then unchanged.
    """
    target, (_, to_text) = format_for(path, _FORMATS)
    try:
        text = to_text(content)
    except _FaultError as fault:
        raise InvalidRequestError(f"{printable(target)}: {fault}") from None
    try:
        _replace(target, text.encode())
    except (OSError, ValueError, RuntimeError) as error:
        raise _unusable(target, "written", error) from error


# CSV: also used for the files of an update form.


def csv_text(terms: Iterable[str]) -> str:
    """Terms as CSV: one term per row, in double quotes only if necessary (service.md, section 2.2).

    Args:
        terms: the terms, in order.

    Returns:
        Text that ends with a line feed, or an empty text if there are no terms.
    """
    rows = []
    for term in terms:
        # At the very beginning of a file, a term's own mark would be read as the byte order mark of the file.
        plain = not ('"' in term or SEPARATOR.search(term) or term.startswith(_BYTE_ORDER_MARK))
        rows.append(term if plain else '"' + term.replace('"', '""') + '"')
    return "".join(f"{row}\n" for row in rows)


def unquoted(term: str) -> str:
    """A term without the double quotes of a CSV row; a term without such quotes is unchanged."""
    quoted = _QUOTED.fullmatch(term)
    return quoted[1].replace('""', '"') if quoted else term


def csv_terms(data: bytes) -> tuple[str, ...]:
    """The terms of a CSV file of any origin: one term for each row that is not blank.

    The service does not document how it reads columns, so a row that is not valid CSV of one column is one term,
    exactly as written.

    Raises:
        InvalidRequestError: the content is not UTF-8.
    """
    try:
        text = _decoded(data)
    except _FaultError as fault:
        raise InvalidRequestError(f"file {fault}") from None
    return tuple(term for _, term, _ in _rows(text) if term.strip())


def _rows(text: str) -> Iterator[tuple[int, str, bool]]:
    """For each row: its offset, its term, and whether the term was quoted. An invalid row comes exactly as written."""
    start, end = 0, len(text)
    while start < end:
        quoted = _QUOTED.match(text, start) if text[start] == '"' else None
        stop = quoted.end() if quoted else -1
        if quoted and (stop == end or text.startswith(("\n", "\r\n"), stop)):
            yield start, quoted[1].replace('""', '"'), True
        else:
            stop = text.find("\n", start)
            stop = end if stop < 0 else stop
            yield start, text[start:stop].removesuffix("\r"), False
        start = text.find("\n", stop) + 1 or end


def _read_csv(text: str, *, header: bool = False) -> Content:
    terms = []
    for start, term, quoted in _rows(text):
        if header and term.strip():
            header = False
            continue
        if not quoted:
            _check_plain(text, start, term)
        elif not term.strip():
            raise _FaultError(start, "holds a blank term")
        if term.strip():
            terms.append(term)
    return _listed(terms)


def _check_plain(text: str, start: int, row: str) -> None:
    if row.startswith('"'):
        quoted = _QUOTED.match(text, start)
        if quoted is None:
            raise _FaultError(start, "opens double quotes and never closes them")
        rest = text[quoted.end() :].partition("\n")[0]
        raise _FaultError(
            quoted.end(), _further_columns(rest) if rest[:1] == "," else "continues after the closing double quotes"
        )
    if "," in row:
        raise _FaultError(start + row.index(","), _further_columns(row[row.index(",") :]))
    if "\r" in row:
        raise _FaultError(
            start + row.index("\r"), f"holds a carriage return without a line feed; {_ORDINARY_LINE_ENDS}"
        )


def _further_columns(rest: str) -> str:
    return _SECOND_COLUMN if rest.strip(', \t"') else _EMPTY_COLUMNS


_ORDINARY_LINE_ENDS: Final = "save it as UTF-8 with the line ends of Windows or Unix"
_EMPTY_COLUMNS: Final = (
    "begins empty columns; delete these columns in the spreadsheet, or remove the commas at the end of each row"
)
_SECOND_COLUMN: Final = (
    "begins a second column; remove each further column, or put a term that holds a comma in double quotes"
)


# Text: each line is one term.


def _read_txt(text: str) -> Content:
    terms = []
    start = 0
    for line in text.split("\n"):
        term = line.removesuffix("\r")
        if found := LINE_BREAK.search(term):
            advice = f"; {_ORDINARY_LINE_ENDS}" if found[0] == "\r" else ""
            raise _FaultError(start + found.start(), f"holds {found[0]!a}, which would split the term in two{advice}")
        if term.strip():
            terms.append(term)
        start += len(line) + 1
    return _listed(terms)


def _write_txt(content: Content) -> str:
    for term in content.terms:
        if LINE_BREAK.search(term):
            raise _FaultError(
                0, f"a text file cannot hold a term with a line break: {short_literal(term)}; use .csv or .json"
            )
    text = "".join(f"{term}\n" for term in content.terms)
    # If the first term begins with a mark, the file needs a byte order mark as well, or the term would lose its mark.
    return _BYTE_ORDER_MARK + text if text.startswith(_BYTE_ORDER_MARK) else text


def _listed(terms: list[str]) -> Content:
    if not terms:
        raise _FaultError(0, "holds no terms")
    return Content(terms=tuple(terms))


# JSON.


def _read_json(text: str) -> Content:
    try:
        # Objects become tuples of pairs: that keeps names that occur twice, and tells objects from arrays.
        pairs = loads(text, object_pairs_hook=tuple)
    except JSONDecodeError as error:
        # Some messages end in "at": the position follows.
        place = f" line {error.lineno}, column {error.colno}" if error.msg.endswith(" at") else ""
        raise _FaultError(error.pos, f"is not valid JSON: {error.msg}{place}") from None
    except (ValueError, RecursionError):
        raise _FaultError(0, "is nested too deeply, or holds a number that is too long") from None
    if not isinstance(pairs, tuple):
        raise _FaultError(0, "must be a JSON object with category and terms")
    for path, fault in _json_faults(pairs):
        raise _FaultError(_json_offset(text, path), fault)
    record = dict(pairs)
    if not record.get("terms") or "category" not in record:
        raise _FaultError(0, "has no category" if record.get("terms") else "holds no terms")
    return Content(**{**record, "terms": tuple(record["terms"])})


def _json_faults(pairs: tuple[tuple[str, Any], ...]) -> Iterator[tuple[list[int], str]]:
    """The errors in an object, each with its path; see `_json_offset`."""
    seen = set()
    for index, (name, value) in enumerate(pairs):
        place = [2 * index + 1]
        if name in seen:
            yield [2 * index], f"has {name} twice"
        elif name not in (*_TEXTS, "terms"):
            known = ", ".join((*_TEXTS, "terms"))
            yield [2 * index], f"{short_literal(name)} is not a field of a list; the fields are: {known}"
        elif name == "terms" and isinstance(value, list):
            for number, term in enumerate(value):
                if fault := fault_in_text(term):
                    yield [*place, number], f"a term {fault}"
        elif name == "terms":
            yield place, "terms must be an array of strings"
        elif fault := fault_in_text(value):
            yield place, f"{name} {fault}"
        elif name == "category" and value not in KEYWORD_CATEGORY_VALUES:
            known = ", ".join(sorted(KEYWORD_CATEGORY_VALUES))
            yield place, f"category must be one of {known}, not {short_literal(value)}"
        seen.add(name)


_JSON_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|\S')


def _json_offset(text: str, path: list[int]) -> int:
    """The number of characters before a value in valid JSON. The parser does not report it, so the text is read again.

    `path` is the index of the value in each object or array around it, from the outside to the inside. The names of an
    object are counted like its values: name, value, name, value.
    """
    place: list[int] = []
    for token in _JSON_TOKEN.finditer(text):
        if place == path:
            return token.start()
        if token[0] in "[{":
            place.append(0)
        elif token[0] in "]}":
            place.pop()
        elif token[0] in ",:":
            place[-1] += 1
    return 0


def _write_json(content: Content) -> str:
    fields = {name: value for name in _TEXTS if (value := getattr(content, name)) is not None}
    return dumps({**fields, "terms": content.terms}, ensure_ascii=False, indent=2) + "\n"


# Files.


# How to read and to write each kind of file.
_FORMATS: Mapping[str, tuple[Callable[[str], Content], Callable[[Content], str]]] = {
    ".txt": (_read_txt, _write_txt),
    ".csv": (_read_csv, lambda content: _BYTE_ORDER_MARK + csv_text(content.terms)),
    ".json": (_read_json, _write_json),
}


# The first bytes of files that users confuse with lists. None of these files is UTF-8.
_OTHER_KINDS: Final = {
    b"PK\x03\x04": "a workbook (.xlsx, .ods) or a zip archive; open it in the spreadsheet, save it as CSV UTF-8",
    b"\xd0\xcf\x11\xe0": "an Excel workbook (.xls); open it in the spreadsheet, save it as CSV UTF-8",
    b"\x89PNG": "a picture; choose another file",
    b"\xff\xd8\xff": "a picture; choose another file",
    b"%PDF-": "a PDF document; choose another file",
    b"\x1f\x8b": "a gzip archive; unpack it",
}


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _FaultError(0, "is in UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)")
    kind = next((kind for start, kind in _OTHER_KINDS.items() if data.startswith(start)), None)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if kind is not None:
            raise _FaultError(0, f"is {kind}") from None
        fault = f"is not UTF-8: byte 0x{data[error.start]:02x}; save it as UTF-8 (in Excel: CSV UTF-8)"
        raise _FaultError(error.start, fault) from None


def _replace(target: Path, data: bytes) -> None:
    if target.exists() and not target.is_file():
        raise OSError(None, "it is not a regular file")
    write_file(target, data)


def _unusable(path: Path, verb: str, error: Exception) -> InvalidRequestError:
    fault = error.strerror if isinstance(error, OSError) else None
    return InvalidRequestError(f"{printable(path)}: cannot be {verb}: {fault or error or type(error).__name__}")
