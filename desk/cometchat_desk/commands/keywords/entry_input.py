"""Read entries from a file, or from standard input as `-`."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cometchat_desk.terminal.text import say, visible

if TYPE_CHECKING:
    from cometchat_desk.lists.files import ListFile
    from cometchat_desk.lists.folder import ListContent

#: The argument that means standard input.
STDIN = Path("-")
_STDIN_NAME = "standard input"


class InputFormat(StrEnum):
    """The format of standard input, which has no suffix."""

    TXT = "txt"
    CSV = "csv"
    JSON = "json"


StdinFormat: TypeAlias = Annotated[
    InputFormat, typer.Option("--input-format", help="The format of standard input, if FILE is -.")
]


Header: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="A CSV file begins with a title. Default: header in the settings beside it, else no.",
        show_default=False,
    ),
]


Column: TypeAlias = Annotated[
    str | None, typer.Option("--column", metavar="N|NAME", help="The column of a .csv or .xlsx file with several ones.")
]
Delimiter: TypeAlias = Annotated[
    str | None,
    typer.Option("--delimiter", metavar="CHARACTER", help="Between the columns of a .csv file: ; or tab. Default: ,"),
]
Sheet: TypeAlias = Annotated[
    str | None, typer.Option("--sheet", metavar="NAME", help="The sheet of an .xlsx file. Default: the first one.")
]


# Not an attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The options of a command that reads entries from a file."""

    input_format: StdinFormat = InputFormat.TXT  # the format of standard input
    # whether a CSV file begins with a title; `None` for the settings of the linter beside the file
    header: Header = None
    column: Column = None  # the column of a file with several columns
    delimiter: Delimiter = None  # the character between the columns
    sheet: Sheet = None  # the sheet of a workbook


def read_file(file: Path, options: FileOptions) -> "ListFile":
    """The content of a file, or of standard input; a note tells about a title that was skipped."""
    from cometchat_desk import lint
    from cometchat_desk.lists import files, tables
    from cometchat_desk.terminal.table import write

    # The settings of standard input are in the working folder.
    header = lint.has_header(file) if options.header is None else options.header
    name = _STDIN_NAME if file == STDIN else str(file)
    suffix = f".{options.input_format}" if file == STDIN else file.suffix.lower()
    data = stdin_bytes() if file == STDIN else files.read_bytes(file)
    table = tables.Table(column=options.column, delimiter=options.delimiter, sheet=options.sheet)
    if table != tables.Table() or suffix == tables.WORKBOOK:
        content = table.read(data, name, suffix=suffix, header=header)
    else:
        content = files.parse(data, name, suffix=suffix, header=header)
    # Nobody sees in a plan that a row is not there.
    for finding in lint.skipped_row(content, name, lint.find_settings(file) or lint.LintSettings()):
        write(f"! {visible(name)}: {finding.severity} {finding.rule}: {finding.message}", "yellow", stderr=True)
    return content


def read_content(file: Path, options: FileOptions, category: str | None = None) -> "ListContent":
    """The new content of a list: an input if its category is known, else only the entries."""
    return read_file(file, options).for_plan(category)


def stdin_bytes() -> bytes:
    """All bytes of standard input. At a terminal, a note says how to end the input."""
    if sys.stdin.isatty():
        say("Type one entry per line, and end with Ctrl-D.")
    return sys.stdin.buffer.read()
