"""One column of a table, as a list: a CSV file with several columns, or a workbook (.xlsx)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from .files import ListFile, ListFileError, decoded
from .workbooks import WorkbookError, read_rows

#: The suffix of workbooks.
WORKBOOK = ".xlsx"


@frozen(kw_only=True)
class Table:
    """The part of a table that is a list."""

    column: str | None = None  # the number of the column, counted from 1, or its title; by default the only column
    delimiter: str | None = None  # the character between the columns of a CSV file
    sheet: str | None = None  # the sheet of a workbook; by default the first one

    def read(self, data: bytes, path: Path | str, *, suffix: str, header: bool) -> ListFile:
        """Read a list from a table."""
        if suffix == WORKBOOK and self.delimiter is None:
            try:
                rows = read_rows(data, self.sheet)
            except WorkbookError as error:
                raise ListFileError(path, str(error)) from None
        elif suffix == ".csv" and self.sheet is None:
            rows = self._csv_rows(decoded(data, path), path)
        else:
            raise ListFileError(path, "--column is for .csv and .xlsx, --delimiter for .csv, and --sheet for .xlsx")
        return self._chosen([(line, row) for line, row in rows if any(map(str.strip, row))], path, header=header)

    def _csv_rows(self, text: str, path: Path | str) -> Sequence[tuple[int, Sequence[str]]]:
        delimiter = "\t" if self.delimiter == "tab" else self.delimiter or ","
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise ListFileError(path, "has one character between its columns: give it with --delimiter, or tab")
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            return [(reader.line_num, row) for row in reader]
        except csv.Error as error:
            raise ListFileError(path, f"is not a valid table: {error}", line=reader.line_num) from None

    def _chosen(self, rows: Sequence[tuple[int, Sequence[str]]], path: Path | str, *, header: bool) -> ListFile:
        if not rows:
            raise ListFileError(path, "holds no terms")
        titles = [title.strip() for title in rows[0][1]]
        index = self._index(rows, titles, path)
        cells = [(line, row[index]) for line, row in rows if index < len(row) and row[index].strip()]
        title = cells.pop(0)[1] if header or self.column in titles else None
        if not cells:
            raise ListFileError(path, "holds no terms")
        places = [(line, index + 1) for line, _ in cells]
        return ListFile(entries=tuple(cell for _, cell in cells), places=places, title=title)

    def _index(self, rows: Sequence[tuple[int, Sequence[str]]], titles: Sequence[str], path: Path | str) -> int:
        """The place of the column, counted from 0."""
        used = sorted({place for _, row in rows for place, cell in enumerate(row) if cell.strip()})
        if self.column in titles:
            return titles.index(self.column)
        if self.column is None and len(used) == 1:
            return used[0]
        if self.column is not None and self.column.isdecimal() and int(self.column) - 1 in used:
            return int(self.column) - 1
        names = ", ".join(f"{place + 1} ({titles[place]})" for place in used if place < len(titles))
        fault = "has several columns" if self.column is None else f"has no column {self.column!r}"
        raise ListFileError(path, f"{fault}; name one with --column: {names}")
