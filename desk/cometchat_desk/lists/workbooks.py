"""Read and write workbooks (.xlsx)."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple
from xml.parsers import expat

from attrs import frozen

from cometchat_rest import InvalidRequestError

from .workbook_parts import Parts, WorkbookError

# Numbers look like their value only in these formats: no format, whole numbers, text; and the
# numbers of these formats.
_PLAIN_FORMATS = ("general", "0", "@")
_FORMATS = {"0": "general", "1": "0", "49": "@"}
_PLACE = re.compile("([A-Z]{1,3})[0-9]{1,7}")
_DATE_OR_NUMBER = "a date or a number"
_LOST_KINDS = {"e": "an error value", "b": "a logical value"}

# The kind of a cell whose text is not known until a spreadsheet program calculates it.
_FORMULA = "a formula without a stored value"


@frozen
class Lost:
    """A cell that displays text that differs from the stored value."""

    kind: str  # its content, for people


class SheetRow(NamedTuple):
    """A row of a table: its number, and its cells that are not blank by their column."""

    number: int
    cells: Mapping[int, str | Lost]


def read_rows(data: bytes, sheet: str | None = None) -> Sequence[SheetRow]:
    """The rows of a sheet; by default, of the only visible one with cells."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Workbook(archive).rows(sheet)
    # `zipfile` raises RuntimeError for a part with a password.
    except (
        expat.ExpatError,
        zipfile.BadZipFile,
        zlib.error,
        LookupError,
        RuntimeError,
        ValueError,
    ) as error:
        raise WorkbookError(
            "is not a workbook that can be read; save the list as CSV UTF-8"
        ) from error


def to_workbook(entries: Sequence[Sequence[str]]) -> bytes:
    """A workbook with these rows, whose cells are texts also after somebody edits them."""
    # Loading it takes time that most commands save.
    import xlsxwriter  # type: ignore[import-untyped]  # it has no types

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Entries")
        sheet.set_column(0, len(entries[0]) - 1, 40, book.add_format({"num_format": "@"}))
        for number, row in enumerate(entries):
            for column, text in enumerate(row):
                if sheet.write_string(number, column, text):
                    fault = (
                        f"row {number + 1:,} has a text that a workbook cannot hold, or is one too"
                        " many"
                    )
                    raise InvalidRequestError(f"{fault}; use .csv")
    return file.getvalue()


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._parts = Parts(archive)
        links = [
            element.attributes
            for element in self._parts.elements("xl/_rels/workbook.xml.rels")
            if element.name == "Relationship"
        ]
        self._targets = {link["Id"]: _target(link) for link in links}
        # The parts by their kind; of several of a kind, such as sheets, only one is there.
        kinds = {_kind(link): _target(link) for link in links}
        tables = {link["Id"] for link in links if _kind(link) == "worksheet"}
        self._sheets = [
            element.attributes
            for element in self._parts.elements("xl/workbook.xml")
            if element.name == "sheet" and element.attributes["id"] in tables
        ]
        self._strings = self._shared_strings(kinds.get("sharedStrings"))
        self._formats = self._cell_formats(kinds.get("styles"))

    def rows(self, name: str | None) -> Sequence[SheetRow]:
        targets = {sheet["name"]: self._targets[sheet["id"]] for sheet in self._sheets}
        if name is not None and name not in targets:
            raise WorkbookError(f"has no sheet {name!r}; the sheets are: {', '.join(targets)}")
        visible = [sheet["name"] for sheet in self._sheets if _is_visible(sheet)]
        filled: dict[str, list[SheetRow]] = {}
        for sheet_name in visible if name is None else [name]:
            rows = list(self._rows(targets[sheet_name]))
            if rows:
                filled[sheet_name] = rows
        if len(filled) > 1:
            raise WorkbookError(f"has several sheets; name one with --sheet: {', '.join(filled)}")
        return next(iter(filled.values()), ())

    def _shared_strings(self, part: str | None) -> list[str]:
        if part is None:
            return []
        return [element.text for element in self._parts.elements(part) if element.name == "si"]

    def _cell_formats(self, part: str | None) -> list[str]:
        """The format of each style of cells."""
        formats = dict(_FORMATS)
        of_cells: list[str] = []
        for name, style, _ in self._parts.elements(part) if part is not None else ():
            if name == "numFmt":
                formats[style["numFmtId"]] = style.get("formatCode", "").lower()
            elif name == "cellXfs":  # the formats of named styles stand before those of cells
                of_cells.clear()
            elif name == "xf":
                of_cells.append(formats.get(style.get("numFmtId", "0"), ""))
        return of_cells

    def _rows(self, part: str) -> Iterator[SheetRow]:
        """The rows that have cells. A row or a cell without a place follows the one before it."""
        number, column = 0, 0
        cells: dict[int, str | Lost] = {}
        is_formula = False
        for name, attributes, text in self._parts.elements(part):
            if name == "row":
                if cells:
                    yield SheetRow(number, cells)
                number, column, cells = int(attributes.get("r", number + 1)), 0, {}
            elif name == "f":
                is_formula = True
            elif name == "c":
                column = _column_of(attributes, column + 1)
                cell = self._cell(attributes, text, is_formula=is_formula)
                if isinstance(cell, Lost) or cell.strip():
                    cells[column] = cell
                is_formula = False
        if cells:
            yield SheetRow(number, cells)

    def _cell(self, attributes: Mapping[str, str], text: str, *, is_formula: bool) -> str | Lost:
        kind = attributes.get("t", "n")
        # Programs that do not calculate write such cells, without the type of a text.
        if is_formula and not text and kind != "str":
            return Lost(_FORMULA)
        if kind in ("str", "inlineStr") or not text:
            return text
        if kind == "s":
            return self._strings[int(text)]
        if kind == "n" and self._is_plain(int(attributes.get("s", "0"))):
            return _number_in(text)
        return Lost(_LOST_KINDS.get(kind, _DATE_OR_NUMBER))

    def _is_plain(self, style: int) -> bool:
        """Whether cells of a style show numbers as they are."""
        return not self._formats or self._formats[style] in _PLAIN_FORMATS


def _number_in(text: str) -> str | Lost:
    number = float(text)
    # A spreadsheet keeps 15 digits.
    if number.is_integer() and abs(number) < 1e15:
        return str(int(number))
    return Lost(_DATE_OR_NUMBER)


def _kind(link: Mapping[str, str]) -> str:
    return link["Type"].rpartition("/")[2]


def _target(link: Mapping[str, str]) -> str:
    """The name of the part to which a link leads, relative to the workbook."""
    return posixpath.normpath(posixpath.join("/xl", link["Target"]))[1:]


def _is_visible(sheet: Mapping[str, str]) -> bool:
    return sheet.get("state", "visible") == "visible"


def _column_of(attributes: Mapping[str, str], following: int) -> int:
    """The column of a cell; the following one, if the cell does not name it."""
    place = _PLACE.fullmatch(attributes.get("r", "").upper())
    return _number_of(place[1]) if place else following


@cache
def _number_of(letters: str) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def column_number(name: str) -> int | None:
    """The number of the column with this number or these letters; `None` if the text is neither."""
    if name.isdecimal():
        return int(name[:9])
    return _number_of(name.upper()) if re.fullmatch("[A-Za-z]{1,3}", name) else None
