"""Tables for a terminal of any width. Cells are plain text: no markup, no emoji names, no control characters."""

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
# What joins the characters of one emoji. Terminals disagree about the width of joined emoji, so that a line with them
# could continue in the next line.
_JOINS = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]|(?<=[\u2190-\u2bff\U0001f000-\U0001faff])\u200d")


def console(*, stderr: bool = False) -> Console:
    """A rich console. Print only `Text` there: rich would look for markup and names of emoji in a `str`."""
    # Made for each call, because stdout may have been replaced.
    return Console(file=sys.stderr if stderr else sys.stdout)


def write(text: str, style: str = "", *, stderr: bool = False) -> None:
    """Write a text, which a terminal shows in lines that end at words, or a command, which stays in one line."""
    shown = f"  {visible(text)}" if isinstance(text, Command) else fitted(visible(text), stderr=stderr)
    console(stderr=stderr).print(Text(shown, style=style), soft_wrap=True)


def warn(text: str, *, stderr: bool = False) -> None:
    """Write a warning."""
    write(f"! {text}", "yellow", stderr=stderr)


def write_lines(lines: Iterable[tuple[str, str]], *, stderr: bool = False) -> None:
    """Write many lines, each with its style. Rich needs 0.1 milliseconds for a line, so it renders each style once."""
    target = console(stderr=stderr)
    marks: dict[str, list[str]] = {}
    for text, style in lines:
        if style not in marks:
            with target.capture() as captured:
                target.print(Text("X", style=style), end="")
            marks[style] = captured.get().split("X")
        before, after = marks[style]
        target.file.write(f"{before}{visible(text)}{after}\n")


def can_move_cursor(target: Console) -> bool:
    """Whether the console is a terminal that understands control sequences for the position of the cursor."""
    return target.file.isatty() and target.is_terminal and not (target.is_dumb_terminal or target.legacy_windows)


def rendered(
    records: Sequence[Record], columns: Sequence[Column], width: int, *, is_first: bool = True
) -> RenderableType:
    """A table of records; in a narrow terminal, each value is a line. `is_first`: no other record was shown before."""
    places = _places(columns, width)
    if not places:
        blank = [Text("")]
        parts = [part for record in records for part in (*blank, *_lines(record, columns))]
        return Group(*(parts[1:] if is_first else parts))
    # The width of a column never depends on the values, so that tables of one record each look like one table.
    table = Table(
        box=None, pad_edge=False, padding=(0, _GAP, 0, 0), expand=True, show_header=is_first, header_style="bold"
    )
    most = max(map(len, places))
    for place in places:
        # Rich puts the last line of each heading beside the first record.
        title = Text("\n".join(column.title for column in place) + "\n" * (most - len(place)))
        fixed = place[0].width or None
        table.add_column(title, width=fixed, ratio=None if fixed else place[0].least, overflow="fold")
    for record in records:
        table.add_row(*(Text("\n").join(_cell(column, record) for column in place) for place in places))
    return table


def _places(columns: Sequence[Column], width: int) -> list[list[Column]]:
    """The columns that fit into the width, with those that are shown below each of them; none if they do not fit."""
    shown = list(columns)
    while sum((column.width or column.least) + _GAP for column in shown if not column.stacks) - _GAP > width:
        spare = [column for column in shown if column.spare]
        if not spare:
            return []
        shown.remove(spare[-1])
    places: list[list[Column]] = []
    for column in shown:
        if column.stacks and places:
            places[-1].append(column)
        else:
            places.append([column])
    return places


def _cell(column: Column, record: Record) -> Text:
    text = _JOINS.sub("", visible(text_of(column.value(record))))
    return Text(text, column.styles.get(text, column.style))


def _lines(record: Record, columns: Sequence[Column]) -> Iterable[Text]:
    for column in columns:
        if cell := _cell(column, record):
            yield Text.assemble((f"{column.title}: ", "bold"), cell, overflow="fold")
