"""Records as output: a table for people, and JSON, JSON Lines or CSV for programs."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from .visible import visible, visible_json

Record: TypeAlias = Mapping[str, object]


class Form(StrEnum):
    """How output looks."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


Output: TypeAlias = Annotated[
    Form | None,
    typer.Option(
        "--output", "-o", help="How to show it.  [default: table on a terminal, else jsonl]", show_default=False
    ),
]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a table or a CSV file.

    Attributes:
        title: what stands above it; in CSV in lower case, with underscores.
        value: what a record has there.
        width: how many cells it takes on a terminal; 0 for what the others leave.
        least: how many cells it needs to be of use, where others decide on its width.
        spare: whether it goes first where a terminal is narrow.
        style: how rich shows it.
        styles: how rich shows certain values.
    """

    title: str
    value: Callable[[Record], object]
    width: int = 0
    least: int = 16
    spare: bool = False
    style: str = ""
    styles: Mapping[str, str] = field(default_factory=dict)


def chosen(output: Form | None) -> Form:
    """The form that was asked for, or the one that whoever reads the output is likely to need."""
    if output is not None:
        return output
    return Form.TABLE if sys.stdout.isatty() else Form.JSONL


def show(records: Iterable[Record], columns: Sequence[Column], output: Form | None = None) -> None:
    """Write records to stdout, each as soon as it is there; JSON alone waits for all of them, to be whole or not there.

    Args:
        records: the records, with the service's own names.
        columns: what of them a table or a CSV file shows; JSON shows all.
        output: the form; by default the one that whoever reads the output is likely to need.
    """
    form = chosen(output)
    if form is Form.TABLE:
        from .table import Table

        table = Table(columns)
        for record in records:
            table.add(record)
    elif form is Form.CSV:
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow([column.title.lower().replace(" ", "_") for column in columns])
        for record in records:
            rows.writerow([_cell(column.value(record)) for column in columns])
            sys.stdout.flush()
    elif form is Form.JSONL:
        for record in records:
            print(as_json(record), flush=True)
    else:
        print(as_json(list(records), indent=2))


def as_json(value: object, indent: int | None = None) -> str:
    """A value as JSON that is safe on a terminal, and in any encoding that has its letters."""
    return visible_json(json.dumps(value, ensure_ascii=False, indent=indent))


def text_of(value: object) -> str:
    """A value of a record as people read it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    return value if isinstance(value, str) else str(value)


def _cell(value: object) -> str:
    text = text_of(value)
    if sys.stdout.isatty():
        return visible(text)
    # A spreadsheet would carry out what begins like a formula, and people write these texts to be read by moderators.
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def time_of(seconds: object) -> str:
    """A time of the service for people, in UTC; nothing where there is none."""
    from cometchat_rest.review_times import utc

    time = utc(seconds)
    return "" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


def within(record: Record, *path: str) -> object:
    """What a record holds at a place; `None` where it has no such place."""
    found: object = record
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
