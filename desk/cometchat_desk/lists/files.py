"""Files of lists: what they hold, which kinds there are, and what is said about a file that is
not a list."""

import codecs
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from attrs import field, frozen

from cometchat_desk.files import FileRefusedError, check_link, read_regular
from cometchat_rest import InvalidRequestError, KeywordCategory, KeywordListInput, keyword_input

from .encodings import NAMES, likely_encoding, marked_encoding, possible_encodings, with_place

#: The size of a file in bytes. No list is so large: the service takes files of up to 1 MB.
LARGEST = 4 << 20
#: The number of its entries.
MOST_ENTRIES = 250_000
# A workbook names the place of each entry.
_LARGEST_WORKBOOK = 8 << 20
#: The categories of a list, in alphabetical order.
CATEGORIES: Final[list[str]] = sorted(get_args(KeywordCategory))
#: The suffix of workbooks, the suffixes of files that are read, and of those that are written.
WORKBOOK: Final = ".xlsx"
SUFFIXES: Final = (".txt", ".csv", ".tsv", ".json", WORKBOOK)
WRITTEN: Final = (".txt", ".csv", ".json", WORKBOOK)


class ListFileError(InvalidRequestError):
    """A file cannot be read, or is not a list."""

    def __init__(self, path: Path | str, reason: str, *, line: int | None = None) -> None:
        super().__init__(reason)
        self.path = path  # the file. A reader of standard input sets another name.
        self.reason = (
            reason  # what is wrong and what to do, as the end of a sentence about the file
        )
        self.line = line  # the line of the fault, counted from 1; `None` if the fault has no line

    def __str__(self) -> str:
        """The error in one line: `file:line: reason`."""
        return f"{self.path}{'' if self.line is None else f':{self.line}'}: {self.reason}"


class EncodingError(ListFileError):
    """A text file is in another encoding than UTF-8."""

    def __init__(
        self, path: Path | str, reason: str, *, line: int | None, likely: str | None = None
    ) -> None:
        super().__init__(path, reason, line=line)
        self.likely = likely  # the encoding to offer; `None` if the user has named one


@frozen(kw_only=True)
class ListFile:
    """The content of a file."""

    entries: tuple[str, ...] = field(repr=False)  # the entries, in order
    lines: Sequence[int] = field(
        default=(), repr=False
    )  # the line of each entry, counted from 1; a JSON file has none
    category: str | None = None  # the category that a JSON file names
    id: str | None = None  # the identifier that it names
    name: str | None = None  # the name of the list that it names
    description: str | None = None  # the description that it names
    titles: Sequence[str] = ()  # the skipped cells of a column: its title, and those above it
    is_text: bool = False  # whether each entry is a line of a text file

    def for_plan(self, category: str | None = None) -> KeywordListInput | tuple[str, ...]:
        """The input of an update, or only the entries if no category is known: the live list has
        one."""
        return (
            self.entries if category is None and self.category is None else self.to_input(category)
        )

    def to_input(self, category: str | None = None) -> KeywordListInput:
        """The input of an update with this content. Entries with a comma or a line break become
        its `file`."""
        category = self.category if category is None else category
        if category is None:
            raise InvalidRequestError("category is required: only a JSON file names its category")
        if self.category not in (None, category):
            raise InvalidRequestError(
                f"category is {category!r}, but the category in the file is {self.category!r}"
            )
        return keyword_input.from_terms(
            category, self.entries, id=self.id, name=self.name, description=self.description
        )


def read_bytes(path: Path) -> bytes:
    """Read a regular file."""
    largest = _LARGEST_WORKBOOK if path.suffix.lower() == WORKBOOK else LARGEST
    try:
        return read_regular(path, largest)
    except FileRefusedError as error:
        raise ListFileError(path, str(error)) from None
    except (OSError, ValueError) as error:
        raise unusable(path, "read", error) from error


def check_found(path: Path) -> None:
    """Refuse a file of a folder, which the user did not name, behind a symbolic link."""
    try:
        check_link(path)
    except FileRefusedError as error:
        raise ListFileError(path, str(error)) from None


def unusable(path: Path, verb: str, error: Exception) -> ListFileError:
    """The error for a file that the system cannot read or write."""
    fault = error.strerror if isinstance(error, OSError) else None
    return ListFileError(path, f"cannot be {verb}: {fault or error or type(error).__name__}")


_SAVE: Final = "save the list as CSV UTF-8"
# The first bytes of files that users confuse with lists, in lower case.
_OTHER_KINDS: Final = {
    b"pk\x03\x04": f"a workbook or a zip archive; give an .xlsx workbook its suffix, or {_SAVE}",
    b"\xd0\xcf\x11\xe0": f"an Excel workbook (.xls); open it in the spreadsheet, {_SAVE}",
    **dict.fromkeys(
        (b"\x89png", b"\xff\xd8\xff", b"\x1f\x8b"), "a picture or an archive; choose another file"
    ),
    **dict.fromkeys(
        (b"%pdf-", b"{\\rtf", b"<!doctype", b"<html", b"<ul", b"<?xml", b"<table", b"<div"),
        f"a document or a web page; {_SAVE}",
    ),
    b"version https://git-lfs": "a pointer of Git LFS in place of the file; run git lfs pull",
}


def check_encoding(name: str, path: Path | str) -> None:
    """Refuse the name of an encoding that does not exist, or is not one of texts."""
    try:
        b"\xe9".decode(name, "surrogateescape")
    except (LookupError, ValueError):
        raise ListFileError(
            path, f"--encoding {name} is not a known encoding; try cp1252 or utf-16"
        ) from None


def decoded(data: bytes, path: Path | str, encoding: str | None = None) -> str:
    """The text of a file: in the encoding that its first bytes name, else in UTF-8, else in the
    given one."""
    if encoding is not None:
        check_encoding(encoding, path)
    _check_kind(data.removeprefix(codecs.BOM_UTF8), path)
    fault: UnicodeDecodeError | None = None
    for name in possible_encodings(data, encoding):
        fault = None
        try:
            text = data.decode(name)
        except UnicodeDecodeError as error:
            fault = error
            continue
        if "\0" not in text:
            return text
    if fault is None:
        raise ListFileError(path, f"is not a text file: it holds NUL characters; {_SAVE}")
    raise _wrong_encoding(fault, path, named=encoding, marked=marked_encoding(data))


def _check_kind(data: bytes, path: Path | str) -> None:
    """Refuse a file that is something else than text."""
    start = data[:64].lstrip().lower()
    for mark, kind in _OTHER_KINDS.items():
        if start.startswith(mark):
            raise ListFileError(path, f"is {kind}")


def _wrong_encoding(
    error: UnicodeDecodeError, path: Path | str, *, named: str | None, marked: str | None
) -> EncodingError:
    line = error.object[: error.start].decode(error.encoding, "replace").count("\n") + 1
    if marked is not None:
        name = marked.removesuffix("-sig")
        fault = f"is not in the encoding {name}, as its first bytes say; save it again as UTF-8"
        return EncodingError(path, fault, line=line)
    if named is not None:
        names = ", ".join(NAMES)
        fault = f"is not in the encoding {named}; name another one with --encoding: {names}"
        return EncodingError(path, fault, line=line)
    likely = likely_encoding(error.object)
    others = ", ".join(name for name in NAMES if name != with_place(likely))
    fault = (
        f"is not UTF-8: byte 0x{error.object[error.start]:02x}; save it as UTF-8 (in Excel: CSV"
        f" UTF-8), or name its encoding, probably --encoding {with_place(likely)}. Others: {others}"
    )
    return EncodingError(path, fault, line=line, likely=likely)
