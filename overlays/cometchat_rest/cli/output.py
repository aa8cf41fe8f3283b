"""Records as output: a table for people, and JSON, JSON Lines or CSV for programs."""

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from .columns import Column, Record, text_of
from .escaping import visible, visible_json


class OutputFormat(StrEnum):
    """How output looks."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


Output: TypeAlias = Annotated[
    OutputFormat | None,
    typer.Option(
        "--output", "-o", help="How to show it.  [default: table on a terminal, else jsonl]", show_default=False
    ),
]


def chosen(output: OutputFormat | None) -> OutputFormat:
    """The form that was asked for, or the one that whoever reads the output is likely to need."""
    if output is not None:
        return output
    return OutputFormat.TABLE if sys.stdout.isatty() else OutputFormat.JSONL


def show(records: Iterable[Record], columns: Sequence[Column], output: OutputFormat | None = None) -> None:
    """Write records to stdout, each as soon as it is there; JSON alone waits for all of them, to be whole or not there.

    Args:
        records: the records, with the service's own names.
        columns: what of them a table or a CSV file shows; JSON shows all.
        output: the form; by default the one that whoever reads the output is likely to need.
    """
    form = chosen(output)
    if form is OutputFormat.TABLE:
        from .table import Table

        table = Table(columns)
        for record in records:
            table.add(record)
    elif form is OutputFormat.CSV:
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow([column.title.lower().replace(" ", "_") for column in columns])
        for record in records:
            rows.writerow([_cell(column.value(record)) for column in columns])
            sys.stdout.flush()
    elif form is OutputFormat.JSONL:
        for record in records:
            print(as_json(record), flush=True)
    else:
        print(as_json(list(records), indent=2))


def as_json(value: object, indent: int | None = None) -> str:
    """A value as JSON that is safe on a terminal, and in any encoding that has its letters."""
    return visible_json(json.dumps(value, ensure_ascii=False, indent=indent))


def _cell(value: object) -> str:
    from cometchat_rest._support.files import no_formula

    text = text_of(value)
    # People write these texts to be read by moderators, who may well have a spreadsheet.
    return visible(text) if sys.stdout.isatty() else no_formula(text)
