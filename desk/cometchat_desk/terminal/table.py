"""Tables for a terminal of any width. Cells are plain text: no markup, no emoji names, no
control characters."""

import re
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from .columns import Column, Record, text_of
from .text import Command, fitted, visible

# Cells between two columns.
_GAP = 2
# The width of a terminal that does not say its width.
_USUAL_WIDTH = 80
# What joins the characters of one emoji. Terminals disagree about the width of joined emoji, so
# that a line with them could continue in the next line.
_JOINS = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]|(?<=[\u2190-\u2bff\U0001f000-\U0001faff])\u200d")


def console(*, stderr: bool = False) -> Console:
    """A rich console. Print only `Text` there: rich would look for markup and names of emoji in
    a `str`."""
    # Made for each call, because stdout may have been replaced.
    made = Console(file=sys.stderr if stderr else sys.stdout)
    if made.width < 1:  # COLUMNS=0 stands for an unknown width
        made.width = _USUAL_WIDTH
    return made


def write(text: str, style: str = "", *, stderr: bool = False) -> None:
    """Write a text, which a terminal shows in lines that end at words, or a command, which stays
    in one line."""
    shown = (
        f"  {visible(text)}" if isinstance(text, Command) else fitted(visible(text), stderr=stderr)
    )
    console(stderr=stderr).print(Text(shown, style=style), soft_wrap=True)


def warn(text: str, *, stderr: bool = False) -> None:
    """Write a warning."""
    write(f"! {text}", "yellow", stderr=stderr)


def write_lines(lines: Iterable[tuple[str, str]], *, stderr: bool = False) -> None:
    """Write many lines, each with its style. Rich needs 0.1 milliseconds for a line, so it
    renders each style once."""
    target = console(stderr=stderr)
    marks: dict[str, list[str]] = {}
    for text, style in lines:
        if style not in marks:
            with target.capture() as captured:
                target.print(Text("X", style=style), end="")
            marks[style] = captured.get().split("X")
        before, after = marks[style]
        target.file.write(f"{before}{visible(text)}{after}\n")


def rendered(
    record: Record, columns: Sequence[Column], width: int, *, is_first: bool
) -> RenderableType:
    """A row of a table; in a narrow terminal, each value is a line. `is_first`: no other row was
    shown before."""
    shown = _fitting(columns, width)
    if not shown:
        space = [] if is_first else [Text("")]
        return Group(*space, *_lines(record, columns))
    # The width of a column never depends on the values, so that tables of one record each look like
    # one table.
    table = Table(
        box=None,
        pad_edge=False,
        padding=(0, _GAP, 0, 0),
        show_header=is_first,
        header_style="bold",
    )
    cells: list[Text] = []
    below: list[Column] = []
    for column, cells_wide in zip(shown, _widths(shown, width), strict=True):
        table.add_column(Text(column.title), width=cells_wide, overflow="fold")
        cell = _cell(column, record)
        if column.whole and cell.cell_len > cells_wide:
            below.append(column)
            cell = Text("")
        cells.append(cell)
    table.add_row(*cells)
    return Group(table, *_lines(record, below))


def _fitting(columns: Sequence[Column], width: int) -> Sequence[Column]:
    """The columns that fit into a width, without some or all of the spare ones; empty if they do
    not fit."""
    shown = list(columns)
    while sum((column.width or column.least) + _GAP for column in shown) - _GAP > width:
        spare = [column for column in shown if column.spare]
        if not spare:
            return []
        shown.remove(spare[-1])
    return shown


def _widths(columns: Sequence[Column], width: int) -> Sequence[int]:
    """The width of each column. Those without a width share what the others leave."""
    left = width - sum(column.width + _GAP for column in columns) + _GAP
    parts = sum(column.least for column in columns if not column.width)
    return [column.width or left * column.least // parts for column in columns]


def _cell(column: Column, record: Record) -> Text:
    text = _JOINS.sub("", visible(text_of(column.value(record))))
    return Text(text, column.styles.get(text, column.style))


def _lines(record: Record, columns: Sequence[Column]) -> Iterable[Text]:
    """Each value as a line, with its title. A whole value is not broken."""
    for column in columns:
        cell = _cell(column, record)
        if not cell:
            continue
        line = Text.assemble((f"{column.title}: ", "bold"), cell, overflow="fold")
        if column.whole:
            line.no_wrap = True
            line.overflow = "ignore"
        yield line
