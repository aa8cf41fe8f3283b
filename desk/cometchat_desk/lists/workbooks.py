"""Read the cells of a workbook (.xlsx), with limits on its size."""

import io
import re
import zipfile
import zlib
from collections.abc import Collection, Mapping, Sequence

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum

from .files import WITHOUT_OPTION

# The size of all parts in bytes, the number of cells up to the last one, and the size of their texts in bytes.
_LARGEST, _MOST_CELLS, _MOST_TEXT = 16 << 20, 4_000_000, 256 << 20
# A row or a cell, its place, and the place of a cell with an error value such as #NAME?, which the library takes for
# empty. A cell without a place follows the one before it. A text may be the content of many cells.
_TAG = re.compile(rb"<(?:\w+:)?(?:row|c)(?=[\s/>])[^>]*")
_PLACE = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]{0,3})([0-9]{1,9})["']""")
_ERROR = re.compile(rb"""<c\s[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^>]*?\st="e\"""")
_TEXT = re.compile(rb"<(?:\w+:)?si\b")
#: The value of a cell: a text, a number, a date, or `None` for an error value.
Cell = object


class WorkbookError(Exception):
    """A workbook cannot be read; the text is the end of a sentence about the file."""


def read_rows(data: bytes, sheet: str | None = None) -> Sequence[tuple[int, Sequence[Cell]]]:
    """The rows of a sheet, by default of the only one with cells, each with its number and its cells."""
    try:
        parts = _unpacked(data)
        _check_cells(parts.values())
        rows = _sheet(CalamineWorkbook.from_filelike(io.BytesIO(data)), sheet)
    # `zipfile` raises RuntimeError for a part with a password.
    except (CalamineError, zipfile.BadZipFile, zlib.error, LookupError, RuntimeError) as error:
        raise WorkbookError("is not a workbook that can be read; save the list as CSV UTF-8") from error
    # An error of another sheet may have the place of an empty cell.
    errors = {_place(*place) for part in parts.values() for place in _ERROR.findall(part)}
    return [
        (number, [None if cell == "" and (number, column) in errors else cell for column, cell in enumerate(row, 1)])
        for number, row in enumerate(rows, 1)
    ]


def text_of(cell: Cell) -> str:
    """The text that a cell shows. A date, or a number with a format, shows another text than its value."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:  # a spreadsheet keeps 15 digits
        return str(int(cell))
    kind = "an error value" if cell is None else "a date or a number"
    raise WorkbookError(f"holds {kind} in this cell; format the column as text, and type the entry again")


def _sheet(book: CalamineWorkbook, name: str | None) -> Sequence[Sequence[Cell]]:
    if name is not None and name not in book.sheet_names:
        raise WorkbookError(f"has no sheet {name!r}; the sheets are: {', '.join(book.sheet_names)}")
    tables = [one.name for one in book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
    filled = [one for one in tables if book.get_sheet_by_name(one).height] if name is None else [name]
    if len(filled) > 1:
        raise WorkbookError(f"has several sheets; name one with --sheet: {', '.join(filled)}; {WITHOUT_OPTION}")
    return book.get_sheet_by_name((filled or tables)[0]).to_python(skip_empty_area=False)


def _unpacked(data: bytes) -> Mapping[str, bytes]:
    """The parts of a workbook, if they are not too large."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.getinfo("xl/workbook.xml")
        # `zipfile` unpacks other compressions at once, whatever the size.
        if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in archive.infolist()):
            raise zipfile.BadZipFile
        if sum(part.file_size for part in archive.infolist()) > _LARGEST:
            raise WorkbookError(f"is larger than {_LARGEST >> 20} MiB when it is unpacked; save the list as CSV UTF-8")
        # Without a size, `zipfile` would unpack more than the archive declares.
        return {part.filename: archive.open(part).read(part.file_size) for part in archive.infolist()}


def _check_cells(parts: Collection[bytes]) -> None:
    """Limit the memory that the library needs for each cell up to the last one, and for the text of each."""
    tags = [_PLACE.search(tag) for part in parts for tag in _TAG.findall(part)]
    rows, columns = zip((0, 0), *{_place(*tag.groups()) for tag in tags if tag}, strict=True)
    texts = [len(text) for part in parts for text in _TEXT.split(part)[1:]]
    cells = (max(rows) + tags.count(None)) * (max(columns) + tags.count(None))
    if cells > _MOST_CELLS or max(texts, default=0) * len(tags) > _MOST_TEXT:
        raise WorkbookError("has too many cells, or cells too far from its beginning; save the list as CSV UTF-8")


def _place(letters: bytes, row: bytes) -> tuple[int, int]:
    """The numbers of the row and of the column: A is 1, AA is 27."""
    column = 0
    for letter in letters.upper():
        column = 26 * column + letter - ord("A") + 1
    return int(row), column
