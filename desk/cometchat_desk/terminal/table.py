"""Tables for a terminal of any width. Cells are plain text: no markup, no emoji names, no
control characters."""

import os
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
# What joins the characters of one emoji. Terminals disagree about the width of joined emoji, so
# that a line with them could continue in the next line.
_JOINS = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]|(?<=[\u2190-\u2bff\U0001f000-\U0001faff])\u200d")


def console(*, stderr: bool = False) -> Console:
    """A rich console. Print only `Text` there: rich would look for markup and names of emoji in
    a `str`."""
    # Made for each call, because stdout may have been replaced.
    # Some programs set a width of 0, which means that it is unknown.
    width = 80 if os.environ.get("COLUMNS") == "0" else None
    return Console(file=sys.stderr if stderr else sys.stdout, width=width)


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
    if shown is None:
        gap = [] if is_first else [Text("")]
        return Group(*gap, *_lines(record, columns))
    # The width of a column never depends on the values, so that tables of one record each look like
    # one table.
    table = Table(
        box=None,
        pad_edge=False,
        padding=(0, _GAP, 0, 0),
        expand=True,
        show_header=is_first,
        header_style="bold",
    )
    for column in shown:
        ratio = None if column.width else column.least
        table.add_column(
            Text(column.title), width=column.width or None, ratio=ratio, overflow="fold"
        )
    table.add_row(*(_cell(column, record) for column in shown))
    return table


def _fitting(columns: Sequence[Column], width: int) -> Sequence[Column] | None:
    """The columns that fit into a width, without spare ones if necessary; `None` if the others do
    not fit."""
    shown = list(columns)
    while sum((column.width or column.least) + _GAP for column in shown) - _GAP > width:
        spare = [column for column in shown if column.spare]
        if not spare:
            return None
        shown.remove(spare[-1])
    return shown


def _cell(column: Column, record: Record) -> Text:
    text = _JOINS.sub("", visible(text_of(column.value(record))))
    return Text(text, column.styles.get(text, column.style))


def _lines(record: Record, columns: Sequence[Column]) -> Iterable[Text]:
    for column in columns:
        if cell := _cell(column, record):
            yield Text.assemble((f"{column.title}: ", "bold"), cell, overflow="fold")
