"""Tables for a terminal of any width. Cells are plain text: no markup, no emoji names, no control characters."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from .cells import wrapped
from .columns import Column, Record, text_of
from .text import Command, fitted, visible

# Cells between two columns.
_GAP = 2


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


def write_lines(lines: Sequence[tuple[str, str]], *, stderr: bool = False) -> None:
    """Write many lines, each with its style. Rich needs 0.1 milliseconds for a line, so it renders each style once."""
    painter = Painter(console(stderr=stderr))
    painter.write([Part(0, visible(text), style)] for text, style in lines)


def _marks_of(target: Console, style: str) -> tuple[str, str]:
    with target.capture() as captured:
        target.print(Text("X", style=style), end="")
    before, _, after = captured.get().partition("X")
    return before, after


class Part(NamedTuple):
    """A piece of a line: the cell where it begins, its text, and rich's style for it."""

    start: int
    text: str
    style: str = ""


Line: TypeAlias = Sequence[Part]


class Painter:
    """Turns lines into text with control sequences for one console."""

    def __init__(self, target: Console) -> None:
        self._target = target
        self._marks: dict[str, tuple[str, str]] = {}
        # On a terminal, a part is placed by its position, because terminals disagree about the width of emoji.
        self._by_position = can_move_cursor(target)

    def write(self, lines: Iterable[Line]) -> None:
        """Write lines to the console."""
        self._target.file.writelines(f"{self.paint(line)}\n" for line in lines)

    def paint(self, line: Line) -> str:
        """A line with control sequences, without spaces and a line break at its end."""
        painted, end, is_exact = "", 0, True
        for start, text, style in line:
            if not text:
                continue
            if self._by_position and not is_exact:
                painted += f"\x1b[{start + 1}G"
            else:
                painted += " " * (start - end)
            if style not in self._marks:
                self._marks[style] = _marks_of(self._target, style)
            before, after = self._marks[style]
            painted += f"{before}{text}{after}"
            end, is_exact = start + cell_len(text), text.isascii()
        return painted


def can_move_cursor(target: Console) -> bool:
    """Whether the console is a terminal that understands control sequences for the position of the cursor."""
    return target.file.isatty() and target.is_terminal and not (target.is_dumb_terminal or target.legacy_windows)


class Layout:
    """Where the columns of a table are, whatever their values; if they do not fit, each value gets a line."""

    def __init__(self, columns: Sequence[Column], width: int) -> None:
        self._columns = columns
        self._width = width
        self._places = _places(columns, width)
        # whether the columns have a heading; if not, an empty line separates two records
        self.has_head = bool(self._places)

    def head(self) -> list[Line]:
        """The lines of the heading; an empty line if there are no columns."""
        return self._row([[(column.title, "bold") for column in place.columns] for place in self._places])

    def row(self, record: Record) -> list[Line]:
        """The lines of a record."""
        if self._places:
            return self._row([[_cell(column, record) for column in place.columns] for place in self._places])
        return list(self._lines(record))

    def _row(self, cells: Sequence[Sequence[tuple[str, str]]]) -> list[Line]:
        lines: list[list[Part]] = [[]]
        for place, stacked in zip(self._places, cells, strict=True):
            texts = [(line, style) for text, style in stacked for line in wrapped(text, place.width)]
            lines.extend([] for _ in range(len(texts) - len(lines)))
            for line, (text, style) in zip(lines, texts, strict=False):
                if text:
                    line.append(Part(place.start, text, style))
        while len(lines) > 1 and not lines[-1]:
            lines.pop()
        return list(lines)

    def _lines(self, record: Record) -> Iterator[Line]:
        for column in self._columns:
            text, style = _cell(column, record)
            title = f"{column.title}: "
            first, *others = wrapped(title + text, self._width)
            if text and first.startswith(title):
                yield [Part(0, title, "bold"), Part(len(title), first[len(title) :], style)]
            elif text:
                yield [Part(0, first, "bold")]
            yield from ([Part(0, line, style)] for line in others)


class Table:
    """A table that shows each record as soon as it is added."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._console = console()
        self._painter = Painter(self._console)
        self._layout = Layout(columns, self._console.width)
        self._begun = False

    def add(self, record: Record) -> None:
        """Show a record."""
        lines = self._layout.row(record)
        if self._layout.has_head != self._begun:
            # The heading before the first record, or an empty line before each other record.
            lines = [*self._layout.head(), *lines]
        self._begun = True
        self._painter.write(lines)
        self._console.file.flush()


@dataclass
class _Place:
    """A place of the layout, with the columns that it shows one below the other."""

    columns: list[Column]
    width: int
    start: int = 0


def _cell(column: Column, record: Record) -> tuple[str, str]:
    text = visible(text_of(column.value(record)))
    return text, column.styles.get(text, column.style)


def _places(columns: Sequence[Column], width: int) -> Sequence[_Place]:
    """The places of the columns that fit into the width; an empty sequence if the required columns do not fit."""
    for is_narrow in (False, True):
        shown = list(columns)
        spare = [column for column in columns if column.spare]
        while True:
            places = _stacked(shown, is_narrow=is_narrow)
            free = width - sum(place.width + _GAP for place in places) + _GAP
            if free >= 0 or not spare:
                break
            shown.remove(spare.pop())
        if free >= 0:
            return _spread(places, free)
    return ()


def _stacked(columns: Sequence[Column], *, is_narrow: bool) -> list[_Place]:
    places: list[_Place] = []
    for column in columns:
        needed = (is_narrow and column.narrow) or column.width or column.least
        if is_narrow and column.stacks and places:
            places[-1].columns.append(column)
            places[-1].width = max(places[-1].width, needed)
        else:
            places.append(_Place([column], needed))
    return places


def _spread(places: Sequence[_Place], free: int) -> Sequence[_Place]:
    """Places without a fixed width share the remaining cells; the first of them get one cell more if necessary."""
    flexible = [place for place in places if not place.columns[0].width]
    remaining = free + sum(place.width for place in flexible)
    for number, place in enumerate(flexible):
        place.width = remaining // len(flexible) + (number < remaining % len(flexible))
    start = 0
    for place in places:
        place.start = start
        start += place.width + _GAP
    return places
