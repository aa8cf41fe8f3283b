"""Columns of a table or a CSV file, and the text of their values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import TypeAlias

from cometchat_desk.files import marked

Record: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a table or a CSV file."""

    title: str  # the heading; CSV shows it in lower case, with underscores
    value: Callable[[Record], object]  # returns the value of a record for this column
    width: int = 0  # the width on a terminal, in cells; 0 for the width that other columns leave
    least: int = 16  # the minimum width in cells of a column with `width` 0
    #: Whether a narrow terminal leaves this column out; the last spare column is left out first
    spare: bool = False
    #: Whether a value stays in one line to be copied; one that does not fit is below its row
    whole: bool = False
    style: str = ""  # rich's style for all values
    styles: Mapping[str, str] = field(default_factory=dict)  # rich's styles for single values


def named_columns(*names: str) -> Sequence[Column]:
    """Columns of a CSV file, each with the value of a record that has the name of the column."""
    return [Column(title=name, value=itemgetter(name)) for name in names]


def text_of(value: object) -> str:
    """A value of a record as text for people."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    return value if isinstance(value, str) else str(value)


def cell_of(value: object) -> str:
    """A value as text for a cell of a spreadsheet, with an apostrophe before a formula or a text
    such as `007`."""
    # Users of the chat write these texts, and moderators may open the file in a spreadsheet.
    text = text_of(value)
    return text if isinstance(value, int | float) else marked(text)
