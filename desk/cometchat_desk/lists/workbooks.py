"""Read and write workbooks (.xlsx). What a stranger's file can cost is limited by its size,
packed and unpacked."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from attrs import frozen

from cometchat_rest import InvalidRequestError

# The size of all parts that are read, in bytes.
_LARGEST = 8 << 20
# Numbers look like their value only in these formats: no format, whole numbers, text; and the
# numbers of these formats.
_PLAIN_FORMATS = ("general", "0", "@")
_FORMATS = {"0": "general", "1": "0", "49": "@"}
_PLACE = re.compile("([A-Z]{1,3})[0-9]{1,7}")
# A character that XML cannot hold, or the underscore of a text that looks like one. Halves of pairs
# stay.
_ESCAPE = re.compile("_x(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")

#: The kind of a cell whose text is not known until a spreadsheet program calculates it.
FORMULA = "a formula without a stored value"


class WorkbookError(Exception):
    """A workbook cannot be read; the text is the end of a sentence about the file."""


@frozen
class Lost:
    """A cell that shows another text than the file holds."""

    kind: str  # its content, for people


class SheetRow(NamedTuple):
    """A row of a table: its number, its cells that are not blank by their column, and whether
    people see it."""

    number: int
    cells: Mapping[int, str | Lost]
    is_hidden: bool = False


def read_rows(data: bytes, sheet: str | None = None) -> Sequence[SheetRow]:
    """The rows of a sheet; by default, of the only visible one with cells."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _Workbook(archive).rows(sheet)
    # `zipfile` raises RuntimeError for a part with a password, the parser ValueError for a document
    # type.
    except (
        SyntaxError,
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
        self._archive = archive
        self._left = _LARGEST
        links = [
            link
            for name, link, _ in self._items("xl/_rels/workbook.xml.rels")
            if name == "Relationship"
        ]
        targets = {
            link["Id"]: posixpath.normpath(posixpath.join("/xl", link["Target"]))[1:]
            for link in links
        }
        parts = {link["Type"].rpartition("/")[2]: targets[link["Id"]] for link in links}
        tables = {link["Id"] for link in links if link["Type"].endswith("/worksheet")}
        sheets = [sheet for name, sheet, _ in self._items("xl/workbook.xml") if name == "sheet"]
        sheets = [sheet for sheet in sheets if sheet["id"] in tables]
        self._sheets = {sheet["name"]: targets[sheet["id"]] for sheet in sheets}
        self._visible = [
            sheet["name"] for sheet in sheets if sheet.get("state", "visible") == "visible"
        ]
        strings = self._items(parts["sharedStrings"]) if "sharedStrings" in parts else ()
        self._strings = [text for name, _, text in strings if name == "si"]
        self._formats: list[str] = []
        formats = dict(_FORMATS)
        for name, style, _ in self._items(parts["styles"]) if "styles" in parts else ():
            if name == "numFmt":
                formats[style["numFmtId"]] = style.get("formatCode", "").lower()
            elif name == "cellXfs":  # the formats of named styles stand before those of cells
                self._formats.clear()
            elif name == "xf":
                self._formats.append(formats.get(style.get("numFmtId", "0"), ""))

    def rows(self, name: str | None) -> Sequence[SheetRow]:
        if name is not None and name not in self._sheets:
            raise WorkbookError(f"has no sheet {name!r}; the sheets are: {', '.join(self._sheets)}")
        names = self._visible if name is None else [name]
        filled = {name: rows for name in names if (rows := list(self._rows(self._sheets[name])))}
        if len(filled) > 1:
            raise WorkbookError(f"has several sheets; name one with --sheet: {', '.join(filled)}")
        return next(iter(filled.values()), ())

    def _rows(self, part: str) -> Iterator[SheetRow]:
        """The rows that have cells. A row or a cell without a place follows the one before it."""
        row, column = 0, 0
        cells: dict[int, str | Lost] = {}
        is_hidden = is_formula = False
        for name, given, text in self._items(part):
            if name == "row":
                if cells:
                    yield SheetRow(row, cells, is_hidden)
                row, column, cells = int(given.get("r", row + 1)), 0, {}
                is_hidden = given.get("hidden") in ("1", "true")
            elif name == "f":
                is_formula = True
            elif name == "c":
                place = _PLACE.fullmatch(given.get("r", "").upper())
                column = _number_of(place[1]) if place else column + 1
                if (
                    not isinstance(cell := self._cell(given, text, is_formula=is_formula), str)
                    or cell.strip()
                ):
                    cells[column] = cell
                is_formula = False
        if cells:
            yield SheetRow(row, cells, is_hidden)

    def _cell(self, given: Mapping[str, str], text: str, *, is_formula: bool) -> str | Lost:
        kind = given.get("t", "n")
        # Programs that do not calculate write such cells, without the type of a text.
        if is_formula and not text and kind != "str":
            return Lost(FORMULA)
        if kind in ("str", "inlineStr") or not text:
            return text
        if kind == "s":
            return self._strings[int(text)]
        style = int(given.get("s", "0"))
        is_plain = (
            kind == "n" and (self._formats[style] if self._formats else "general") in _PLAIN_FORMATS
        )
        # A spreadsheet keeps 15 digits.
        if is_plain and (number := float(text)).is_integer() and abs(number) < 1e15:
            return str(int(number))
        return Lost({"e": "an error value", "b": "a logical value"}.get(kind, "a date or a number"))

    def _items(self, part: str) -> Iterator[tuple[str, dict[str, str], str]]:
        """Each element with its name and its attributes; cells and shared strings at their end,
        with their text."""
        from defusedxml.ElementTree import iterparse  # type: ignore[import-untyped]  # it has no types

        info = self._archive.getinfo(part)
        # `zipfile` unpacks other compressions at once, whatever the size, and of these no more than
        # the size.
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile
        self._left -= info.file_size
        if self._left < 0:
            raise WorkbookError(
                f"is larger than {_LARGEST >> 20} MiB when it is unpacked; save the list as CSV"
                " UTF-8"
            )
        with self._archive.open(info) as opened:
            # No spreadsheet writes a document type, which could define texts that grow without end.
            for event, element in iterparse(opened, events=("start", "end"), forbid_dtd=True):
                name, text = _local(element.tag), ""
                has_text = name in ("c", "si")
                if has_text:
                    parts = (
                        one
                        for child in element
                        if _local(child.tag) != "rPh"
                        for one in child.iter()
                    )
                    text = "".join(one.text or "" for one in parts if _local(one.tag) in ("t", "v"))
                if has_text is (event == "end"):
                    given = {_local(key): value for key, value in element.items()}
                    yield name, given, _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
                if event == "end" and name in ("row", "c", "si"):
                    element.clear()


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _number_of(letters: str) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def column_number(name: str) -> int | None:
    """The number of the column with these letters; `None` if the text is not the letters of a
    column."""
    return _number_of(name.upper()) if re.fullmatch("[A-Za-z]{1,3}", name) else None
