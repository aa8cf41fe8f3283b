"""Files of lists in UTF-8. Errors name line and column; a file is written completely or not at all.

- `.txt`: one entry per line, exactly as written. An entry cannot hold a line break.
- `.csv`: one column, one entry per row. A written file begins with a byte order mark for Excel.
- `.json`: an object with `category` and `terms`, and optionally `id`, `name` and `description`.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from json import JSONDecodeError, dumps, loads
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from attrs import evolve, field, frozen

from cometchat_desk.files import FileRefusedError, read_own, write_file
from cometchat_rest import InvalidRequestError, KeywordCategory, KeywordListInput, keyword_input

#: The size of a file in bytes, and its entries. No list is so large: the service takes files of up to 1 MB.
LARGEST, MOST_ENTRIES = 4 << 20, 250_000
#: The categories of a list, in alphabetical order.
CATEGORIES: Final[list[str]] = sorted(get_args(KeywordCategory))
_BYTE_ORDER_MARK: Final = "\ufeff"
_TEXTS: Final = ("id", "category", "name", "description")
_NAMES: Final = (*_TEXTS, "terms")
_LONGEST_LITERAL: Final = 40


class ListFileError(InvalidRequestError):
    """A file cannot be read, or is not a list."""

    def __init__(self, path: Path | str, reason: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(reason)
        self.path = path  # the file. A reader of standard input sets another name.
        self.reason = reason  # what is wrong and what to do, as the end of a sentence about the file
        self.line = line  # the line of the fault, counted from 1; `None` if the fault has no place
        self.column = column  # its column, in characters, counted from 1

    def __str__(self) -> str:
        """The error in one line: `file:line:column: reason`."""
        place = "".join(f":{number}" for number in (self.line, self.column) if number is not None)
        return f"{self.path}{place}: {self.reason}"


class UnreadableFileError(ListFileError):
    """The system cannot read or write the file, for example because it does not exist."""


class _FaultError(Exception):
    """An error in a text, and the number of characters before it."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


@frozen(kw_only=True)
class ListFile:
    """The content of a file."""

    entries: tuple[str, ...] = field(repr=False)  # the entries, in order
    # the line and the column of each entry, both counted from 1
    places: Sequence[tuple[int, int]] = field(default=(), repr=False)
    category: str | None = None  # the category that a JSON file names
    id: str | None = None  # the identifier that it names
    name: str | None = None  # the name of the list that it names
    description: str | None = None  # the description that it names
    title: str | None = None  # the first row of a CSV file, if it was skipped

    def for_plan(self, category: str | None = None) -> KeywordListInput | tuple[str, ...]:
        """The input of an update, or only the entries if no category is known: the live list has one."""
        return self.entries if category is None and self.category is None else self.to_input(category)

    def to_input(self, category: str | None = None) -> KeywordListInput:
        """The input of an update with this content. Entries with a comma or a line break become its `file`."""
        category = self.category if category is None else category
        if category is None:
            raise InvalidRequestError("category is required: only a JSON file names its category")
        if self.category not in (None, category):
            raise InvalidRequestError(f"category is {category!r}, but the category in the file is {self.category!r}")
        return keyword_input.from_terms(
            category, self.entries, id=self.id, name=self.name, description=self.description
        )


def read_bytes(path: Path) -> bytes:
    """Read a regular file that lies inside its folder; see `read_own`."""
    try:
        return read_own(path, LARGEST)
    except FileRefusedError as error:
        raise ListFileError(path, str(error)) from None
    except (OSError, ValueError) as error:
        raise _unusable(path, "read", error) from error


def parse(data: bytes, path: Path | str, *, suffix: str | None = None, header: bool = False) -> ListFile:
    """Read the content of a file; `suffix` names the format if `path` does not. Raises ListFileError: it is no list."""
    parse_text = _PARSERS.get((Path(path).suffix if suffix is None else suffix).lower())
    if parse_text is None:
        raise ListFileError(path, f"the suffix must be one of {', '.join(SUFFIXES)}, .xlsx; {_SAVE}")
    text = ""
    try:
        text = _decoded(data)
        content = parse_text(text, header)
        _check_text(text, content.file.entries)
        starts = [0, *(end.end() for end in re.finditer("\n", text))]
        return evolve(content.file, places=[_place(starts, offset) for offset in content.offsets])
    except _FaultError as fault:
        # If the bytes could not be decoded, those before the fault still can.
        before = (text or data.removeprefix(codecs.BOM_UTF8)[: fault.offset].decode("utf-8", "replace"))[: fault.offset]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ListFileError(path, str(fault), line=line, column=column) from None


def encoded(path: Path, new: KeywordListInput, title: Sequence[str] = ()) -> bytes:
    """The content of a file with a list; text and CSV hold only the entries. Raises ListFileError: none can hold it."""
    to_text = _WRITERS.get(path.suffix.lower())
    if to_text is None:
        raise ListFileError(path, f"the suffix must be one of {', '.join(SUFFIXES)}")
    try:
        return to_text(new, title).encode()
    except _FaultError as fault:
        raise ListFileError(path, str(fault)) from None


def write(path: Path, new: KeywordListInput, *, title: Sequence[str] = ()) -> None:
    """Write a list to a file, in a CSV file below the title; `parse` reads the same list again."""
    data = encoded(path, new, title)
    try:
        is_other = path.exists() and not path.is_file()
        if not is_other:
            write_file(path, data)
    except (OSError, ValueError, RuntimeError) as error:
        raise _unusable(path, "written", error) from error
    if is_other:
        raise UnreadableFileError(path, "cannot be written: it is not a regular file")


def _place(starts: Sequence[int], offset: int) -> tuple[int, int]:
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


def _unusable(path: Path, verb: str, error: Exception) -> UnreadableFileError:
    fault = error.strerror if isinstance(error, OSError) else None
    return UnreadableFileError(path, f"cannot be {verb}: {fault or error or type(error).__name__}")


class _Content(NamedTuple):
    """The content of a text, and the offset of each entry."""

    file: ListFile
    offsets: Sequence[int]


def _check_text(text: str, entries: Sequence[str]) -> None:
    if "\0" in text or any("\0" in entry for entry in entries):  # JSON holds them as escapes
        fault = f"holds NUL characters, as UTF-16 and files that are not text do; {_SAVE}"
        raise _FaultError(max(text.find("\0"), 0), fault)


def _listed(terms: Mapping[int, str], title: str | None = None) -> _Content:
    """The content of a text or CSV file: its terms by their offset."""
    if not terms:
        raise _FaultError(0, "holds no terms")
    return _Content(ListFile(entries=tuple(terms.values()), title=title), tuple(terms))


def _literal(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_LITERAL else f"{text[: _LONGEST_LITERAL - 3]}...")


_SAVE: Final = "save the list as CSV UTF-8"
# The first bytes of files that users confuse with lists, in lower case.
_OTHER_KINDS: Final = {
    b"pk\x03\x04": "a workbook or a zip archive; give an .xlsx workbook its suffix, or save the list as CSV UTF-8",
    b"\xd0\xcf\x11\xe0": "an Excel workbook (.xls); open it in the spreadsheet, save it as CSV UTF-8",
    b"\x89png": "a picture; choose another file",
    b"\xff\xd8\xff": "a picture; choose another file",
    b"\x1f\x8b": "a gzip archive; unpack it",
    b"%pdf-": f"a PDF document; {_SAVE}",
    b"{\\rtf": f"a rich text document; {_SAVE}",
    b"<!doctype": f"a web page; {_SAVE}",
    b"<html": f"a web page; {_SAVE}",
    b"begin:vcard": f"a contact; {_SAVE}",
}


def decoded(data: bytes, path: Path | str) -> str:
    """The text of a file. Raises ListFileError: the file is of another kind, or not in UTF-8."""
    try:
        return _decoded(data)
    except _FaultError as fault:
        raise ListFileError(path, str(fault)) from None


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _FaultError(0, "is in UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)")
    data = data.removeprefix(codecs.BOM_UTF8)
    start = data[:64].lstrip().lower()
    for mark, kind in _OTHER_KINDS.items():
        if start.startswith(mark):
            raise _FaultError(0, f"is {kind}")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        fault = f"is not UTF-8: byte 0x{data[error.start]:02x}; save it as UTF-8 (in Excel: CSV UTF-8)"
        raise _FaultError(error.start, fault) from None


_ORDINARY_LINE_ENDS: Final = "save it as UTF-8 with the line ends of Windows or Unix"
_EMPTY_COLUMNS: Final = (
    "begins empty columns; delete these columns in the spreadsheet, or remove the commas at the end of each row"
)
#: The advice about columns and sheets for commands that read a folder.
WITHOUT_OPTION: Final = "keywords sync has no such option: write a file for it with keywords lint --fix --output FILE"
_SECOND_COLUMN: Final = (
    f"begins a second column; name one with --column, or put a term with a comma in double quotes; {WITHOUT_OPTION}"
)
_AFTER_QUOTES: Final = (
    f"continues after the closing double quotes; if this is another column, name one with --column; {WITHOUT_OPTION}"
)
_QUOTED: Final = re.compile(r'"(?:[^"]++|"")*+"')


def _parse_csv(text: str, header: bool) -> _Content:
    terms: dict[int, str] = {}
    title: str | None = None
    for start, term, quoted in keyword_input.csv_rows(text):
        if header and term.strip():
            header, title = False, term
            continue
        if not quoted:
            _check_plain(text, start, term)
        elif not term.strip():
            raise _FaultError(start, "holds a blank term")
        if term.strip():
            terms[start] = term
    return _listed(terms, title)


def _check_plain(text: str, start: int, row: str) -> None:
    """Make sure that a row that is not one quoted term is one term without quotes."""
    if row.startswith('"'):
        quoted = _QUOTED.match(text, start)
        if quoted is None:
            raise _FaultError(start, "opens double quotes and never closes them")
        rest = text[quoted.end() :].partition("\n")[0]
        raise _FaultError(quoted.end(), _further_columns(rest) if rest[:1] == "," else _AFTER_QUOTES)
    if "," in row:
        raise _FaultError(start + row.index(","), _further_columns(row[row.index(",") :]))
    if "\r" in row:
        fault = f"holds a carriage return without a line feed; {_ORDINARY_LINE_ENDS}"
        raise _FaultError(start + row.index("\r"), fault)


def _further_columns(rest: str) -> str:
    return _SECOND_COLUMN if rest.strip(', \t"') else _EMPTY_COLUMNS


def _parse_txt(text: str, _header: bool) -> _Content:
    terms: dict[int, str] = {}
    start = 0
    for line in text.split("\n"):
        term = line.removesuffix("\r")
        if broken := keyword_input.LINE_BREAK.search(term):
            advice = f"; {_ORDINARY_LINE_ENDS}" if broken[0] == "\r" else ""
            raise _FaultError(start + broken.start(), f"holds {broken[0]!a}, which would split the term in two{advice}")
        if term.strip():
            terms[start] = term
        start += len(line) + 1
    return _listed(terms)


def _to_txt(new: KeywordListInput, _title: Sequence[str]) -> str:
    terms = keyword_input.entries_of(new)
    for term in terms:
        if keyword_input.LINE_BREAK.search(term):
            fault = f"a text file cannot hold a term with a line break: {_literal(term)}; use .csv or .json"
            raise _FaultError(0, fault)
    text = "".join(f"{term}\n" for term in terms)
    # If the first term begins with a mark, the file needs a byte order mark as well, or the term would lose its mark.
    return _BYTE_ORDER_MARK + text if text.startswith(_BYTE_ORDER_MARK) else text


def _json_pairs(text: str) -> tuple[tuple[str, Any], ...]:
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
    return pairs


def _parse_json(text: str, _header: bool) -> _Content:
    pairs = _json_pairs(text)
    for path, fault in _json_faults(pairs):
        raise _FaultError(next(offset for place, offset in _json_values(text) if place == path), fault)
    record = dict(pairs)
    if not record.get("terms") or "category" not in record:
        raise _FaultError(0, "has no category" if record.get("terms") else "holds no terms")
    content = ListFile(entries=tuple(record.pop("terms")), **record)
    terms = [2 * [name for name, _ in pairs].index("terms") + 1]
    return _Content(content, [offset for place, offset in _json_values(text) if place[:-1] == terms])


def _json_faults(pairs: tuple[tuple[str, Any], ...]) -> Iterator[tuple[list[int], str]]:
    """The errors in an object, each with its place; see `_json_values`."""
    names = [name for name, _ in pairs]
    for index, (name, value) in enumerate(pairs):
        if name in names[:index]:
            yield [2 * index], f"has {name} twice"
        elif name not in _NAMES:
            yield [2 * index], f"{_literal(name)} is not a field of a list; the fields are: {', '.join(_NAMES)}"
        else:
            yield from (([2 * index + 1, *place], fault) for place, fault in _field_faults(name, value))


def _field_faults(name: str, value: object) -> Iterator[tuple[list[int], str]]:
    if name == "terms" and isinstance(value, list):
        faults = ((number, keyword_input.fault_in_text(term)) for number, term in enumerate(value))
        yield from (([number], f"a term {fault}") for number, fault in faults if fault)
    elif name == "terms":
        yield [], "terms must be an array of strings"
    elif fault := keyword_input.fault_in_text(value):
        yield [], f"{name} {fault}"
    elif name == "category" and value not in CATEGORIES:
        yield [], f"category must be one of {', '.join(CATEGORIES)}, not {_literal(str(value))}"


_JSON_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[^\s"]')


def _json_values(text: str) -> Iterator[tuple[list[int], int]]:
    """The place and the offset of each value in valid JSON: its index in each object (names count too) or array."""
    place: list[int] = []
    for token in _JSON_TOKEN.finditer(text):
        mark = token[0]
        if mark in "]}":
            place.pop()
        elif mark in ",:":
            place[-1] += 1
        else:
            yield place.copy(), token.start()
            if mark in "[{":
                place.append(0)


def _to_json(new: KeywordListInput, _title: Sequence[str]) -> str:
    fields = {name: value for name in _TEXTS if (value := getattr(new, name)) is not None}
    return dumps({**fields, "terms": keyword_input.entries_of(new)}, ensure_ascii=False, indent=2) + "\n"


_PARSERS: Final[Mapping[str, Callable[[str, bool], _Content]]] = {
    ".txt": _parse_txt,
    ".csv": _parse_csv,
    ".json": _parse_json,
}
_WRITERS: Final[Mapping[str, Callable[[KeywordListInput, Sequence[str]], str]]] = {
    ".txt": _to_txt,
    ".csv": lambda new, title: _BYTE_ORDER_MARK + keyword_input.csv_text([*title, *keyword_input.entries_of(new)]),
    ".json": _to_json,
}
#: The suffixes of files with lists.
SUFFIXES: Final = tuple(_PARSERS)
