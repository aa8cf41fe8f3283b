"""One column of a table, as a list: a CSV file with several columns, or a workbook (.xlsx)."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from .files import WITHOUT_OPTION, ListFile, ListFileError, decoded
from .workbooks import Cell, WorkbookError, read_rows, text_of

#: The suffix of workbooks.
WORKBOOK = ".xlsx"
_MARKS = {"comma": ",", "semicolon": ";", "tab": "\t"}  # the words for --delimiter


@frozen(kw_only=True)
class Table:
    """The part of a table that is a list."""

    column: str | None = None  # the number of the column, counted from 1, or its title; by default the only column
    delimiter: str | None = None  # the character between the columns of a CSV file
    sheet: str | None = None  # the sheet of a workbook; by default the only one with cells

    def read(self, data: bytes, path: Path | str, *, suffix: str, header: bool) -> ListFile:
        """Read a list from a table."""
        if suffix == WORKBOOK and self.delimiter is None:
            try:
                rows = read_rows(data, self.sheet)
            except WorkbookError as error:
                raise ListFileError(path, str(error)) from None
        elif suffix == ".csv" and self.sheet is None:
            rows = _csv_rows(decoded(data, path), path, self.delimiter)
        else:
            raise ListFileError(path, "--column is for .csv and .xlsx, --delimiter for .csv, and --sheet for .xlsx")
        cells = [
            (line, place, cell)
            for line, row in rows
            for place, cell in enumerate(row, 1)
            if not (isinstance(cell, str) and not cell.strip())
        ]
        return self._list(cells, path, header=header)

    def _list(self, cells: Sequence[tuple[int, int, Cell]], path: Path | str, *, header: bool) -> ListFile:
        if not cells:
            raise ListFileError(path, "holds no terms")
        titles = {place: str(cell).strip() for line, place, cell in cells if line == cells[0][0]}
        place = self._place(sorted({place for _, place, _ in cells}), titles, path)
        entries = {(line, column): _text(cell, path, line, column) for line, column, cell in cells if column == place}
        title = entries.pop(next(iter(entries))) if header or self.column in titles.values() else None
        if not entries:
            raise ListFileError(path, "holds no terms")
        return ListFile(entries=tuple(entries.values()), places=list(entries), title=title)

    def _place(self, used: Sequence[int], titles: Mapping[int, str], path: Path | str) -> int:
        if self.column is None and len(used) == 1:
            return used[0]
        named = {**{str(place): place for place in used}, **{title: place for place, title in titles.items()}}
        if self.column in named:
            return named[self.column]
        names = ", ".join(f"{place} ({title})" for place, title in titles.items())
        fault = "has several columns" if self.column is None else f"has no column {self.column!r}"
        raise ListFileError(path, f"{fault}; name one with --column: {names}; {WITHOUT_OPTION}")


def _text(cell: Cell, path: Path | str, line: int, column: int) -> str:
    try:
        return text_of(cell)
    except WorkbookError as error:
        raise ListFileError(path, str(error), line=line, column=column) from None


def _csv_rows(text: str, path: Path | str, given: str | None) -> Sequence[tuple[int, Sequence[Cell]]]:
    first_row = re.sub('"[^"]*"', "", text).lstrip().partition("\n")[0]
    delimiter = _MARKS.get(given, given) if given else max(_MARKS.values(), key=first_row.count)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise ListFileError(path, f"--delimiter must be one character, or a word: {', '.join(_MARKS)}")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise ListFileError(path, f"is not a valid table: {error}", line=reader.line_num) from None
