"""One column of a table as a list: of a text file with columns, or of a workbook (.xlsx)."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from .files import LARGEST, WORKBOOK, ListFile, ListFileError, decoded
from .workbook_parts import WorkbookError
from .workbooks import FORMULA, Lost, SheetRow, column_number, read_rows

# Rows above the titles of the columns, such as the title of the table, and the cells that an error
# names.
_MOST_ABOVE, _MOST_NAMED = 20, 20


@frozen(kw_only=True)
class Layout:
    """Where the entries are in a file."""

    header: bool | None = None  # whether the column of a table begins with its title
    column: str | None = (
        None  # the number, the letters or the title of the column; by default the only column
    )
    sheet: str | None = None  # the sheet of a workbook; by default the only visible one with cells
    visible_only: bool = False  # whether the hidden rows of a workbook are left out
    encoding: str | None = (
        None  # the encoding of a text file that does not begin with the mark of another one
    )


def read_table(data: bytes, path: Path | str, suffix: str, layout: Layout) -> ListFile:
    """Read a list from a table."""
    if suffix == WORKBOOK:
        try:
            rows = read_rows(data, layout.sheet)
        except WorkbookError as error:
            raise ListFileError(path, str(error)) from None
        path = place_of(path, layout.sheet)
    else:
        rows = list(_text_rows(decoded(data, path, layout.encoding), path, suffix, layout))
    if layout.visible_only:
        rows = [row for row in rows if not row.is_hidden]
    if not rows:
        raise ListFileError(path, "holds no entries")
    return _one_column(rows, path, layout)


def place_of(path: Path | str, sheet: str | None) -> str:
    """The name of a file for messages, with the sheet if one is named."""
    return str(path) if sheet is None else f"{path}, sheet {sheet}"


def _one_column(rows: Sequence[SheetRow], path: Path | str, layout: Layout) -> ListFile:
    place, titles, is_named = _place(rows, path, layout.column)
    is_titled = layout.header or is_named
    filled = [(row, row.cells[place]) for row in rows if place in row.cells]
    first = rows[titles].number + 1 if is_titled else 0
    cells = [(row, cell) for row, cell in filled if row.number >= first]
    lost = [(row.number, cell.kind) for row, cell in cells if isinstance(cell, Lost)]
    if lost:
        named = ", ".join(f"{number} ({kind})" for number, kind in lost[:_MOST_NAMED])
        more = f" and {len(lost) - _MOST_NAMED:,} more" if len(lost) > _MOST_NAMED else ""
        fault = f"shows another text than it holds, in column {place}, row {named}{more}"
        has_formula = any(kind == FORMULA for _, kind in lost)
        save = "save the workbook in a spreadsheet program, or " if has_formula else ""
        raise ListFileError(
            path, f"{fault}; {save}format the column as text, and type these entries again"
        )
    entries = [str(cell) for _, cell in cells]
    if not entries or sum(map(len, entries)) > LARGEST:
        fault = f"holds more than {LARGEST >> 20} MiB of text" if entries else "holds no entries"
        raise ListFileError(path, fault)
    return ListFile(
        entries=tuple(entries),
        lines=[row.number for row, _ in cells],
        titles=[
            cell.kind if isinstance(cell, Lost) else cell.strip()
            for row, cell in filled
            if row.number < first
        ],
        hidden=sum(row.is_hidden for row, _ in cells),
        doubtful=entries[:1] if layout.header is None and not is_named else [],
    )


def _place(rows: Sequence[SheetRow], path: Path | str, column: str | None) -> tuple[int, int, bool]:
    """The column of the entries, the index of the row with the titles, and whether the column is
    named by one."""
    used = sorted({place for row in rows for place in row.cells})
    # A row with one cell above those with several is the title of the table.
    above = list(enumerate(rows[:_MOST_ABOVE]))
    titles = next((index for index, row in above if len(row.cells) > 1), 0)
    if column is None and len(used) == 1:
        return used[0], 0, False
    if column and column.isdecimal() and int(column[:9]) in used:
        return int(column), titles, False
    # The row with the titles may hold only one.
    for index, row in [(titles, rows[titles]), *above]:
        for place, title in _texts(row).items():
            if title == column:
                return place, index, True
    if column and column_number(column) in used:
        return column_number(column) or 0, titles, False
    names = ", ".join(f"{place} ({title})" for place, title in _texts(rows[titles]).items())
    fault = "has several columns" if column is None else f"has no column {column!r}"
    fault += (
        f"; name one with --column: {names} (in a CSV file, an entry with a comma needs quotes)"
    )
    raise ListFileError(path, fault)


def _texts(row: SheetRow) -> dict[int, str]:
    return {place: cell.strip() for place, cell in row.cells.items() if isinstance(cell, str)}


def _text_rows(text: str, path: Path | str, suffix: str, layout: Layout) -> Iterator[SheetRow]:
    # Excel reads such a first line, and does not show it.
    setting = re.match('sep=([^"\r\n])\r?\n', text)
    text, before = (text[setting.end() :], 1) if setting else (text, 0)
    usual = "\t" if suffix == ".tsv" else _delimiter(text, named=layout.column is not None)
    delimiter = setting[1] if setting else usual
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = before + 1
    try:
        for row in reader:
            if cells := {place: cell for place, cell in enumerate(row, 1) if cell.strip()}:
                yield SheetRow(line, cells)
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise ListFileError(path, f"is not a valid table: {error}", line=line) from None


def _delimiter(text: str, *, named: bool) -> str:
    """The mark that each of several rows holds equally often; if a column is named, the most
    frequent mark."""
    rows = [row for row in re.sub('"[^"]*"', "", text).split("\n") if row.strip()]
    if named:
        return max(",;\t", key="\n".join(rows[:_MOST_ABOVE]).count)
    for mark in ";\t":
        counts = {row.count(mark) for row in rows}
        if len(rows) > 1 and len(counts) == 1 and 0 not in counts:
            return mark
    return ","
