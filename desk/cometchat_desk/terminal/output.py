"""Write records: as a table for people, or as JSON, JSON Lines or CSV for programs."""

import csv
import io
import json
import os
import stat
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from .columns import Column, Record, cell_of, named_columns, text_of
from .text import visible


class OutputFormat(StrEnum):
    """The format of the output."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


Format: TypeAlias = Annotated[
    OutputFormat,
    typer.Option(
        "--format",
        "-f",
        help="The format of the output.",
        default_factory=lambda: OutputFormat.TABLE if sys.stdout.isatty() else OutputFormat.JSONL,
        show_default="table on a terminal, else jsonl",
    ),
]


def show(records: Iterable[Record], columns: Sequence[Column], output_format: OutputFormat) -> None:
    """Write records to stdout, each as soon as it arrives; JSON after the last one, so that it
    is complete. Without columns, CSV has those of the first record."""
    if output_format is OutputFormat.TABLE:
        # The help loads this module, and not rich.
        from .table import console, rendered

        target = console()
        for number, record in enumerate(records):
            row = rendered(record, columns, target.width, is_first=not number)
            target.print(row, crop=False)
    elif output_format is OutputFormat.CSV:
        _show_csv(records, columns)
    elif output_format is OutputFormat.JSONL:
        for record in records:
            print(as_json(record), flush=True)
    else:
        print(as_json(list(records), indent=2))
    # A program may read stdout and stderr together: lines on stderr that follow must come after the
    # records.
    sys.stdout.flush()


def _show_csv(records: Iterable[Record], columns: Sequence[Column]) -> None:
    for number, record in enumerate(records):
        columns = columns or named_columns(*record)
        if not number:
            # Excel needs the mark.
            print("\ufeff" if _writes_to_file() else "", end="")
            print(csv_row([column.title.lower().replace(" ", "_") for column in columns]))
        print(csv_row([_cell(column, record) for column in columns]), flush=True)


def _writes_to_file() -> bool:
    """Whether stdout is a file, which gets exact texts."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:
        return False


def as_json(value: object, indent: int | None = None) -> str:
    """A value as JSON that is safe to show on a terminal."""
    document = json.dumps(value, ensure_ascii=False, indent=indent, default=text_of)
    return "\n".join(map(visible, document.split("\n")))


def table_bytes(path: Path, rows: Iterable[Sequence[object]]) -> bytes:
    """The content of an .xlsx file, which holds exact texts, or else of a .csv file, where no
    text is a formula."""
    if path.suffix.lower() == ".xlsx":
        from cometchat_desk.lists.workbooks import to_workbook

        return to_workbook([[*map(text_of, row)] for row in rows])
    return "".join(f"{csv_row(map(cell_of, row))}\r\n" for row in rows).encode(
        "utf-8-sig", "backslashreplace"
    )


def csv_row(cells: Iterable[str]) -> str:
    """A row of a CSV file without its end."""
    row = io.StringIO(newline="")
    # With another end of line than \r\n, the writer would not quote a \r, and a cell could begin a
    # new row.
    csv.writer(row, lineterminator="\r\n").writerow(cells)
    return row.getvalue().removesuffix("\r\n")


def _cell(column: Column, record: Record) -> str:
    text = cell_of(column.value(record))
    if _writes_to_file():
        return text
    # A pipe may end at a terminal. A cell can have several lines.
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
