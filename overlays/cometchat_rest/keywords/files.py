"""Lists of terms as text, CSV and JSON: read with the place of every fault, written whole or not at all.

What is here knows texts and nothing of inputs; `keyword_input.load` and `keyword_input.dump` make the one of the other.
Text is UTF-8, with or without a byte order mark, and a line ends with LF or CRLF:

- `.txt`: one term to a line, as it stands; blank lines count for nothing. No term can hold a line break.
- `.csv`: one term to a row, in double quotes where it holds a comma, a line break or double quotes, which are then
  doubled; no header; blank rows count for nothing.
- `.json`: an object with `category` and `terms`, and perhaps `id`, `name` and `description`.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from json import JSONDecodeError, JSONDecoder, dumps
from pathlib import Path
from typing import Final

from attrs import frozen

from cometchat_openapi.models.keyword_category import KEYWORD_CATEGORY_VALUES
from cometchat_rest._support.files import FilePath, printable, sync_folder
from cometchat_rest.errors import InvalidRequestError

# Whatever str.splitlines() takes for the end of a line.
LINE_BREAK: Final = re.compile("[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
# What would make two terms of one on the wire.
SEPARATOR: Final = re.compile(f"{LINE_BREAK.pattern}|,")

_QUOTED: Final = re.compile(r'"((?:[^"]++|"")*+)"')
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BYTE_ORDER_MARK: Final = "\ufeff"
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_TEXTS: Final = ("id", "category", "name", "description")
# How much of a text an error shows, in characters.
_SHOWN: Final = 40


@frozen(kw_only=True)
class Content:
    """What a file holds; text and CSV hold `terms` only."""

    terms: tuple[str, ...]
    category: str | None = None
    id: str | None = None
    name: str | None = None
    description: str | None = None


class _FaultError(Exception):
    """Something wrong with a text, so many characters into it."""

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(what)
        self.offset = offset


def read(path: FilePath) -> Content:
    """What the file at `path` holds, read by its suffix.

    Raises:
        InvalidRequestError: there is no such file, its suffix is none of the three, or its content is not as it should
            be; the text then begins with the file, the line and the column, both from 1.
    """
    target, form = _format_for(path)
    try:
        # Opening a named pipe waits until somebody writes to it, which may be never.
        data = target.read_bytes() if stat.S_ISREG(target.stat().st_mode) else None
    except (OSError, ValueError) as error:
        raise _unusable(target, "read", error) from error
    if data is None:
        raise InvalidRequestError(f"{printable(target)}: is something other than a file")
    text = ""
    try:
        text = _decoded(data)
        return form.read(text)
    except _FaultError as fault:
        # What comes before bytes that are no text is text.
        before = (text or data.removeprefix(codecs.BOM_UTF8)[: fault.offset].decode("utf-8", "replace"))[: fault.offset]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise InvalidRequestError(f"{printable(target)}:{line}:{column}: {fault}") from None


def write(path: FilePath, content: Content) -> None:
    """Write `content` to `path`, in the form its suffix names; a file that is there is replaced.

    It is written beside and then renamed, so that whoever reads the file finds the old content or the new, whole.

    Raises:
        InvalidRequestError: the suffix is none of the three, the form cannot hold one of the terms, or the file cannot
            be written. What was there before is then as it was.
    """
    target, form = _format_for(path)
    try:
        data = form.write(content).encode()
    except UnicodeEncodeError:
        raise InvalidRequestError(f"{printable(target)}: a text holds a lone surrogate, which no file can") from None
    except _FaultError as fault:
        raise InvalidRequestError(f"{printable(target)}: {fault}") from None
    try:
        _replace(target, data)
    except (OSError, ValueError, RuntimeError) as error:
        raise _unusable(target, "written", error) from error


# CSV: what goes on the wire is written, and read, here as well.


def csv_text(terms: Iterable[str]) -> str:
    """One term to a row, quoted where it must be."""
    rows = []
    for term in terms:
        # A mark at the very beginning of a file would be taken for the file's own.
        plain = not ('"' in term or SEPARATOR.search(term) or term.startswith(_BYTE_ORDER_MARK))
        rows.append(term if plain else '"' + term.replace('"', '""') + '"')
    return "".join(f"{row}\n" for row in rows)


def unquoted(term: str) -> str:
    """A term without the quotes that a CSV row puts around it; any other as it is."""
    quoted = _QUOTED.fullmatch(term)
    return quoted[1].replace('""', '"') if quoted else term


def csv_terms(data: bytes) -> tuple[str, ...]:
    """The terms of a CSV file that may be anybody's: of each row that is not blank, one.

    How the service reads columns is not documented, so what is no row of one column counts as one term, as it stands.

    Raises:
        InvalidRequestError: the content is not UTF-8.
    """
    try:
        text = _decoded(data)
    except _FaultError as fault:
        raise InvalidRequestError(f"file {fault}") from None
    return tuple(term for _, term, _ in _rows(text) if term.strip())


def _rows(text: str) -> Iterator[tuple[int, str, bool]]:
    """Where each row begins, its term, and whether that was quoted; a row of no sense comes as it stands."""
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


def _read_csv(text: str) -> Content:
    terms = []
    for start, term, quoted in _rows(text):
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
            raise _FaultError(start, "opens double quotes that nothing closes")
        second = text.startswith(",", quoted.end())
        raise _FaultError(quoted.end(), _SECOND_COLUMN if second else "goes on after the closing double quotes")
    for mark, fault in ((",", _SECOND_COLUMN), ("\r", "holds a carriage return without a line feed")):
        if mark in row:
            raise _FaultError(start + row.index(mark), fault)


_SECOND_COLUMN: Final = "begins a second column; a term that holds a comma must stand in double quotes"


def _write_csv(content: Content) -> str:
    return csv_text(content.terms)


# Text: what stands in a line is the term.


def _read_txt(text: str) -> Content:
    terms = []
    start = 0
    for line in text.split("\n"):
        term = line.removesuffix("\r")
        if found := LINE_BREAK.search(term):
            raise _FaultError(start + found.start(), f"holds {found[0]!a}, which would break the term in two")
        if term.strip():
            terms.append(term)
        start += len(line) + 1
    return _listed(terms)


def _write_txt(content: Content) -> str:
    for term in content.terms:
        if LINE_BREAK.search(term):
            raise _FaultError(0, f"a text file cannot hold a term with a line break: {_shown(term)}; use .csv or .json")
    text = "".join(f"{term}\n" for term in content.terms)
    # A mark that begins the first term would be taken for the file's own, unless the file has one too.
    return _BYTE_ORDER_MARK + text if text.startswith(_BYTE_ORDER_MARK) else text


def _listed(terms: list[str]) -> Content:
    if not terms:
        raise _FaultError(0, "holds no terms")
    return Content(terms=tuple(terms))


# JSON: read a value at a time, because the parser tells where it is only then.


class _Json:
    """A JSON text and how far it was read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = JSONDecoder().raw_decode
        self.at = 0
        self._skip()

    def _skip(self) -> None:
        blanks = _BLANKS.match(self._text, self.at)
        self.at = blanks.end() if blanks else self.at

    def takes(self, mark: str) -> bool:
        """Whether `mark` comes next, which is then behind."""
        if not self._text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        self._skip()
        return True

    def expect(self, *marks: str) -> str:
        """The one of `marks` that comes next."""
        for mark in marks:
            if self.takes(mark):
                return mark
        raise _FaultError(self.at, f"must be {' or '.join(marks)} here")

    def string(self, what: str) -> tuple[int, str]:
        """The string that comes next, and where it begins."""
        place = self.at
        value: object = None
        if self._text.startswith('"', place):
            try:
                value, self.at = self._decode(self._text, place)
            except JSONDecodeError as error:
                raise _FaultError(error.pos, f"is no JSON: {error.msg}") from None
        if not isinstance(value, str):
            raise _FaultError(place, f"{what} must be a string here")
        if _LONE_SURROGATE.search(value):
            raise _FaultError(place, f"{what} holds a lone surrogate, which no request can carry")
        if not value.strip():
            raise _FaultError(place, f"{what} is blank")
        self._skip()
        return place, value

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self.at < len(self._text):
            raise _FaultError(self.at, "must end here")


def _read_json(text: str) -> Content:
    json = _Json(text)
    texts: dict[str, str] = {}
    terms: list[str] | None = None
    json.expect("{")
    while True:
        place, name = json.string("a field's name")
        if name in texts or (name == "terms" and terms is not None):
            raise _FaultError(place, f"gives {name} a second time")
        json.expect(":")
        if name == "terms":
            terms = _json_terms(json)
        elif name in _TEXTS:
            place, texts[name] = json.string(name)
            if name == "category" and texts[name] not in KEYWORD_CATEGORY_VALUES:
                known = ", ".join(sorted(KEYWORD_CATEGORY_VALUES))
                raise _FaultError(place, f"category must be one of {known}, not {_shown(texts[name])}")
        else:
            raise _FaultError(
                place, f"{_shown(name)} is no field of a list; these are: {', '.join((*_TEXTS, 'terms'))}"
            )
        if json.expect(",", "}") == "}":
            break
    json.end()
    if not terms or "category" not in texts:
        raise _FaultError(0, "holds no terms" if not terms else "does not say its category")
    return Content(terms=tuple(terms), **texts)


def _json_terms(json: _Json) -> list[str]:
    terms: list[str] = []
    json.expect("[")
    while terms or not json.takes("]"):
        terms.append(json.string("a term")[1])
        if json.expect(",", "]") == "]":
            break
    return terms


def _write_json(content: Content) -> str:
    fields = {name: value for name in _TEXTS if (value := getattr(content, name)) is not None}
    return dumps({**fields, "terms": content.terms}, ensure_ascii=False, indent=2) + "\n"


# Files.


@frozen
class FileFormat:
    """How one kind of file is read and written."""

    read: Callable[[str], Content]
    write: Callable[[Content], str]


_FORMATS: Mapping[str, FileFormat] = {
    ".txt": FileFormat(_read_txt, _write_txt),
    ".csv": FileFormat(_read_csv, _write_csv),
    ".json": FileFormat(_read_json, _write_json),
}


def _format_for(path: FilePath) -> tuple[Path, FileFormat]:
    try:
        target = Path(path)
    except TypeError:
        raise InvalidRequestError(f"path must be a str or a Path, not {type(path).__name__}") from None
    form = _FORMATS.get(target.suffix.lower())
    if form is None:
        raise InvalidRequestError(f"{printable(target)}: the suffix must be one of {', '.join(_FORMATS)}")
    return target, form


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _FaultError(0, "is in UTF-16; it must be in UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _FaultError(error.start, f"is not UTF-8: byte 0x{data[error.start]:02x}") from None


def _replace(target: Path, data: bytes) -> None:
    # A link stays one: what it leads to is replaced.
    target = target.resolve()
    mode = None
    with contextlib.suppress(FileNotFoundError):
        mode = target.stat().st_mode
    if mode is not None and not stat.S_ISREG(mode):
        raise OSError(None, "it is something other than a file")
    beside = target.with_name(f".{os.urandom(8).hex()}.tmp")
    try:
        with beside.open("xb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def _unusable(path: Path, verb: str, error: Exception) -> InvalidRequestError:
    fault = error.strerror if isinstance(error, OSError) else None
    return InvalidRequestError(f"{printable(path)}: cannot be {verb}: {fault or error or type(error).__name__}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")
