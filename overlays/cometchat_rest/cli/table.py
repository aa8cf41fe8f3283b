"""Tables for a terminal of any width. Cells are plain text: no markup, no emoji names, no control characters."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from .columns import Column, Record, text_of
from .escaping import visible

# Cells between two columns.
_GAP = 2


def console(*, stderr: bool = False) -> Console:
    """A rich console. Print only `Text` there: rich would look for markup and names of emoji in a `str`."""
    # Made for each call, because stdout may have been replaced.
    return Console(file=sys.stderr if stderr else sys.stdout)


def write(text: str, style: str = "", *, stderr: bool = False) -> None:
    """Write a line of text. A long line is not broken here, so that it can be copied whole."""
    console(stderr=stderr).print(Text(visible(text), style=style), soft_wrap=True)


def write_lines(lines: Sequence[tuple[str, str]], *, stderr: bool = False) -> None:
    """Write many lines, each with its style. Rich needs 0.1 milliseconds for a line, so it renders each style once."""
    target = console(stderr=stderr)
    marks = {style: _marks_of(target, style) for style in {style for _, style in lines}}
    target.file.writelines(_marked(visible(text), *marks[style]) for text, style in lines)


def _marks_of(target: Console, style: str) -> tuple[str, str]:
    """The control sequences before and after a text in this style."""
    with target.capture() as captured:
        target.print(Text("X", style=style), end="")
    before, _, after = captured.get().partition("X")
    return before, after


def _marked(text: str, before: str, after: str) -> str:
    return f"{before}{text}{after}\n"


class Table:
    """A table that shows each record as soon as it is added.

    The width of a column does not depend on its values. A narrow terminal leaves spare columns out. If the other
    columns do not fit either, each value of a record gets a line.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._console = console()
        self._columns = columns
        self._shown = _fitting(columns, self._console.width)
        self._begun = False

    def add(self, record: Record) -> None:
        """Show a record."""
        if self._shown:
            row = self._row([_cell(column, record) for column in self._shown])
            self._print(row, self._row([Text(column.title, style="bold") for column in self._shown]))
        else:
            self._print(Text("\n").join(self._lines(record)), None)

    def _print(self, row: RenderableType, head: RenderableType | None) -> None:
        if head is not None and not self._begun:
            self._console.print(head)
        if head is None and self._begun:
            self._console.print()
        self._begun = True
        self._console.print(row)

    def _row(self, cells: Sequence[Text]) -> RichTable:
        row = RichTable.grid(padding=(0, _GAP, 0, 0), expand=True)
        for column in self._shown:
            row.add_column(width=column.width or None, ratio=None if column.width else 1, overflow="fold")
        row.add_row(*cells)
        return row

    def _lines(self, record: Record) -> Iterator[Text]:
        for column in self._columns:
            if cell := _cell(column, record):
                yield Text.assemble((f"{column.title}: ", "bold"), cell)


def _cell(column: Column, record: Record) -> Text:
    text = visible(text_of(column.value(record)))
    return Text(text, style=column.styles.get(text, column.style))


def _fitting(columns: Sequence[Column], width: int) -> Sequence[Column]:
    """The columns that fit into the width; an empty sequence if the required columns do not fit."""
    shown = list(columns)
    spare = [column for column in columns if column.spare]
    while _width_of(shown) > width and spare:
        shown.remove(spare.pop())
    return shown if _width_of(shown) <= width else ()


def _width_of(columns: Sequence[Column]) -> int:
    return sum(column.width or column.least for column in columns) + _GAP * (len(columns) - 1)
