"""One column of a table as a list: of a text file with columns, or of a workbook (.xlsx)."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from attrs import evolve, frozen

from cometchat_desk.files import unmarked

from .files import LARGEST, WORKBOOK, ListFile, ListFileError, decoded
from .titles import is_title
from .workbook_parts import WorkbookError
from .workbooks import Lost, SheetRow, column_number, read_rows

# Rows above the titles of the columns, such as the title of the table.
_MOST_ABOVE = 20
# Rows that an error names.
_MOST_NAMED = 20


@frozen(kw_only=True)
class Layout:
    """Where the entries are in a file."""

    header: bool | None = None  # whether the column of a table begins with its title
    # the number, the letters or the title of the column; by default the only column
    column: str | None = None
    sheet: str | None = None  # the sheet of a workbook; by default the only visible one with cells
    # the encoding of a text file that does not begin with the mark of another one
    encoding: str | None = None


def read_table(data: bytes, path: Path | str, suffix: str, layout: Layout) -> ListFile:
    """Read a list from a table."""
    if suffix == WORKBOOK:
        try:
            rows = read_rows(data, layout.sheet)
        except WorkbookError as error:
            raise ListFileError(path, str(error)) from None
    else:
        rows = list(_text_rows(decoded(data, path, layout.encoding), path, suffix, layout))
    return _one_column(rows, path, layout)


def read_records(
    records: Sequence[Mapping[str, object]], path: Path | str, layout: Layout
) -> ListFile:
    """Read a list from the records of a JSON array: their fields are the columns of a table."""
    names = list(dict.fromkeys(name for record in records for name in record))
    rows = [SheetRow(0, dict(enumerate(names, 1)))]
    for number, record in enumerate(records, 1):
        values = [_cell_of(record.get(name)) for name in names]
        rows.append(SheetRow(number, {place: cell for place, cell in enumerate(values, 1) if cell}))
    content = _one_column(rows, path, evolve(layout, header=True))
    return evolve(content, lines=(), titles=())


def _cell_of(value: object) -> str | Lost:
    """A value of JSON as a cell; an empty text if it is blank."""
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        text = str(value)
        return text if text.strip() else ""
    return Lost("several values")


def _one_column(rows: Sequence[SheetRow], path: Path | str, layout: Layout) -> ListFile:
    if not rows:
        raise ListFileError(path, "holds no entries")
    place, head = _place(rows, path, layout)
    kept: list[SheetRow] = []
    titles: list[str] = []
    for row in rows:
        if place not in row.cells:
            continue
        if head is None or not _is_above(row, head):
            kept.append(row)
        else:
            cell = row.cells[place]
            titles.append(cell.kind if isinstance(cell, Lost) else cell.strip())
    return ListFile(
        entries=_entries(kept, place, path),
        lines=[row.number for row in kept],
        # A head that is repeated, as on several pages, is named once.
        titles=list(dict.fromkeys(titles)),
    )


def _is_above(row: SheetRow, head: SheetRow) -> bool:
    """Whether a row is the one with the titles, its repetition, or a row above it."""
    return row.number <= head.number or row.cells == head.cells


def _entries(rows: Sequence[SheetRow], place: int, path: Path | str) -> tuple[str, ...]:
    """The texts in a column."""
    entries: list[str] = []
    lost: dict[str, list[int]] = {}
    for row in rows:
        cell = row.cells[place]
        if isinstance(cell, Lost):
            lost.setdefault(cell.kind, []).append(row.number)
        else:
            entries.append(cell)
    for kind, numbers in lost.items():
        named = ", ".join(map(str, numbers[:_MOST_NAMED]))
        rows_hold = f"row {named} holds" if len(numbers) == 1 else f"rows {named} hold"
        if len(numbers) > _MOST_NAMED:
            rows_hold = f"{len(numbers):,} rows, such as {named}, hold"
        raise ListFileError(
            path,
            f"column {place}, {rows_hold} {kind}, not text; format the column as text and type"
            " these entries again",
        )
    if not entries:
        raise ListFileError(path, "holds no entries")
    if sum(map(len, entries)) > LARGEST:
        raise ListFileError(path, f"holds more than {LARGEST >> 20} MiB of text")
    return tuple(entries)


def _place(
    rows: Sequence[SheetRow], path: Path | str, layout: Layout
) -> tuple[int, SheetRow | None]:
    """The column of the entries, and the row with the titles; `None` if there is no such row."""
    used = sorted({place for row in rows for place in row.cells})
    full = _first_full_row(rows[:_MOST_ABOVE])
    if layout.column is not None:
        return _named_place(rows, used, path, layout.column, layout)
    if len(used) > 1:
        raise ListFileError(path, f"has several columns; {_columns(full, path)}")
    return used[0], (_usual_head(rows, full) or full) if layout.header else None


def _named_place(
    rows: Sequence[SheetRow], used: Sequence[int], path: Path | str, column: str, layout: Layout
) -> tuple[int, SheetRow | None]:
    first = rows[:_MOST_ABOVE]
    full = _first_full_row(first)
    number = column_number(column)
    # A title may be a number too, such as a year. The row with the titles may hold only one.
    is_number = column.isdecimal() and number in used
    titled = None if is_number else _titled(column, [full, *first])
    if titled is not None:
        return titled
    if number is None or number not in used:
        raise ListFileError(path, f"has no column {column!r}; {_columns(full, path)}")
    head = _usual_head(rows, full)
    if layout.header is not None:
        head = (head or full) if layout.header else None
    return number, head


def _usual_head(rows: Sequence[SheetRow], full: SheetRow) -> SheetRow | None:
    """The row with a usual title: the first one, or that below a title of the table, from which
    empty rows separate it."""
    below = [row for above, row in pairwise(rows[:_MOST_ABOVE]) if row.number > above.number + 1]
    for row in (full, *below[:1]):
        if any(map(is_title, _texts(row).values())):
            return row
    return None


def _first_full_row(rows: Sequence[SheetRow]) -> SheetRow:
    """The first row with several cells. A row with one cell above it is the title of the table."""
    return next((row for row in rows if len(row.cells) > 1), rows[0])


def _titled(column: str, rows: Sequence[SheetRow]) -> tuple[int, SheetRow] | None:
    """The column with a title, and the row with the titles."""
    for row in rows:
        for place, title in _texts(row).items():
            if title == column:
                return place, row
    return None


def _columns(row: SheetRow, path: Path | str) -> str:
    names = ", ".join(f"{place} ({title})" for place, title in _texts(row).items())
    advice = f"name the column with --column: {names}"
    if Path(path).suffix.lower() in (".json", WORKBOOK):
        return advice
    return f"{advice}; in a CSV file, an entry with a comma needs quotes"


def _texts(row: SheetRow) -> dict[int, str]:
    return {place: cell.strip() for place, cell in row.cells.items() if isinstance(cell, str)}


def with_usual_breaks(text: str) -> str:
    """The text with the line breaks of Unix, if it has only those of the first Macs."""
    return text if "\n" in text else text.replace("\r", "\n")


def _text_rows(text: str, path: Path | str, suffix: str, layout: Layout) -> Iterator[SheetRow]:
    text = with_usual_breaks(text)
    # Excel reads such a first line, and does not show it.
    setting = re.match('sep=([^"\r\n])\r?\n', text)
    before = 0
    if setting:
        delimiter = setting[1]
        text = text[setting.end() :]
        before = 1
    elif suffix == ".tsv":
        delimiter = "\t"
    else:
        delimiter = delimiter_of(text, named=layout.column is not None)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = before + 1
    try:
        for row in reader:
            cells = {place: unmarked(cell) for place, cell in enumerate(row, 1) if cell.strip()}
            if cells:
                yield SheetRow(line, cells)
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise ListFileError(path, f"is not a valid table: {error}", line=line) from None


def delimiter_of(text: str, *, named: bool) -> str:
    """The mark between the columns of a text: the one in most rows if a column is named, else a
    mark that most rows hold as often as the first one."""
    rows = [row for row in re.sub('"[^"]*"', "", text).split("\n") if row.strip()]
    if named:
        head = rows[:_MOST_ABOVE]
        marks = sorted(",;\t", key="\n".join(head).count, reverse=True)
        return max(marks, key=lambda mark: sum(mark in row for row in head))
    for mark in ";\t":
        counts = [row.count(mark) for row in rows]
        if any(counts[:1]) and 2 * counts[1:].count(counts[0]) >= len(rows):
            return mark
    return ","
