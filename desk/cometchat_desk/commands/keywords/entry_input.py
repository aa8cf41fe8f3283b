"""Read entries from a file, or from standard input as `-`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from cometchat_desk.terminal.text import visible

if TYPE_CHECKING:
    from cometchat_rest import KeywordListInput

T = TypeVar("T")

#: The argument that means standard input.
STDIN = Path("-")


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


def read_content(
    file: Path, category: str | None, stdin_format: InputFormat, header: bool | None = None
) -> KeywordListInput | tuple[str, ...]:
    """The new content of a list: an input if its category is known, else only the entries.

    Args:
        file: the file, or `STDIN`.
        category: the category of the list, if the user names it.
        stdin_format: the format of standard input.
        header: whether a CSV file begins with a title; `None` for the settings of the linter beside the file.

    Raises:
        InvalidRequestError: the file cannot be read, or its content is invalid.
    """
    from .lint_check import load_lint

    load_lint("keywords plan")
    from cometchat_desk import lint
    from cometchat_desk.lists.folder import read_list
    from cometchat_desk.terminal.table import write

    if header is None:
        # Those of standard input are in the working folder.
        header = lint.has_header(file)
    has_header = header

    def read(path: Path) -> KeywordListInput | tuple[str, ...]:
        content = read_list(path, category=category, header=has_header)
        # Nobody sees in a plan that a row is not there.
        for each in lint.lint_title(path) if has_header else ():
            name = "standard input" if file == STDIN else visible(str(file))
            write(f"! {name}: {each.severity} {each.rule}: {each.message}", "yellow", stderr=True)
        return content

    return _read(file, stdin_format, read)


def read_entries(
    file: Path, stdin_format: InputFormat, header: bool | None = None
) -> tuple[tuple[str, ...], str | None]:
    """The entries of a file, and their category if the file names it.

    Raises:
        InvalidRequestError: the file cannot be read, or its content is invalid.
    """
    from cometchat_rest import KeywordListInput, keyword_input

    content = read_content(file, None, stdin_format, header)
    if isinstance(content, KeywordListInput):
        return keyword_input.entries_of(content), content.category
    return content, None


def stdin_bytes() -> bytes:
    """All bytes of standard input. At a terminal, a note says how to end the input."""
    if sys.stdin.isatty():
        print("Type one entry per line, and end with Ctrl-D.", file=sys.stderr)
    return sys.stdin.buffer.read()


def _read(file: Path, stdin_format: InputFormat, read: Callable[[Path], T]) -> T:
    if file != STDIN:
        return read(file)
    import tempfile

    from cometchat_desk.lists.files import ListFileError

    data = stdin_bytes()
    # The library reads files only, and takes the format from the suffix.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, f"stdin.{stdin_format}")
        copy.write_bytes(data)
        try:
            return read(copy)
        except ListFileError as error:
            error.path = "standard input"
            raise
