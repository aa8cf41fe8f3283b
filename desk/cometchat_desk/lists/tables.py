"""One column of a table, as a list: a CSV file with several columns, or a workbook (.xlsx)."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from .files import ListFile, ListFileError, decoded
from .workbooks import WorkbookError, read_rows

#: The suffix of workbooks.
WORKBOOK = ".xlsx"


@frozen(kw_only=True)
class Table:
    """The part of a table that is a list.

    Attributes:
        column: the number of the column, counted from 1, or its title; by default the only column.
        delimiter: the character between the columns of a CSV file.
        sheet: the sheet of a workbook; by default the first one.
    """

    column: str | None = None
    delimiter: str | None = None
    sheet: str | None = None

    def read(self, data: bytes, path: Path | str, *, suffix: str, header: bool) -> ListFile:
        """Read a list from a table.

        Raises:
            ListFileError: the content is no table, or the column is missing or not named.
        """
        if suffix == WORKBOOK:
            if self.delimiter is not None:
                raise ListFileError(path, "is a workbook, which has no delimiter; leave out --delimiter")
            try:
                rows = read_rows(data, self.sheet)
            except WorkbookError as error:
                raise ListFileError(path, str(error)) from None
        elif suffix == ".csv" and self.sheet is None:
            text = decoded(data, path)
            if len(delimiter := (self.delimiter or ",").replace("tab", "\t").replace("\\t", "\t")) != 1:
                raise ListFileError(path, "has one character between its columns: give it with --delimiter, or tab")
            reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True)
            try:
                rows = [(reader.line_num, row) for row in reader]
            except csv.Error as error:
                raise ListFileError(path, f"is not a valid table: {error}", line=reader.line_num) from None
        else:
            raise ListFileError(path, "is not a table: --column and --delimiter are for .csv, --sheet is for .xlsx")
        return self._chosen([(line, row) for line, row in rows if any(map(str.strip, row))], path, header=header)

    def _chosen(self, rows: Sequence[tuple[int, Sequence[str]]], path: Path | str, *, header: bool) -> ListFile:
        titles = [title.strip() for title in rows[0][1]] if rows else []
        used = sorted({place for _, row in rows for place, cell in enumerate(row) if cell.strip()})
        if self.column is None and len(used) > 1:
            names = ", ".join(f"{place + 1} ({titles[place]})" for place in used if place < len(titles))
            raise ListFileError(path, f"has several columns; name one with --column: {names}")
        if self.column is None:
            index = used[0] if used else 0
        elif self.column in titles:
            index, header = titles.index(self.column), True
        elif self.column.isdecimal() and int(self.column) - 1 in used:
            index = int(self.column) - 1
        else:
            raise ListFileError(path, f"has no column {self.column!r}; the first row is: {', '.join(titles)}")
        cells = [(line, row[index]) for line, row in rows if index < len(row) and row[index].strip()]
        title = cells.pop(0)[1] if header and cells else None
        if not cells:
            raise ListFileError(path, "holds no terms")
        places = [(line, index + 1) for line, _ in cells]
        return ListFile(entries=tuple(cell for _, cell in cells), places=places, title=title)
