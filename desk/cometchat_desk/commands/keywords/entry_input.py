"""Read entries from a file, or from standard input as `-`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from attrs import evolve

from cometchat_desk import lint
from cometchat_desk.exit_codes import StopError
from cometchat_desk.lists import files
from cometchat_desk.lists.encodings import NAMES, with_place
from cometchat_desk.lists.files import ListFile
from cometchat_desk.lists.folder import ListContent
from cometchat_desk.lists.reading import read_list
from cometchat_desk.lists.tables import Layout
from cometchat_desk.lists.writing import encoded, write
from cometchat_desk.messages import write_note
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.wording import many
from cometchat_rest import KeywordListInput, keyword_input

Category: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=(
            "The category: word, pattern or sentence-similarity. Default: the category of the file,"
            " of its settings or of the list, else word."
        ),
        autocompletion=lambda: files.CATEGORIES,
    ),
]

#: The argument that means standard input.
STDIN = Path("-")


def check_exists(value: Path | Sequence[Path] | None) -> Path | Sequence[Path] | None:
    """Refuse a file that does not exist. With `exists`, some versions of typer look for a file with
    the name of standard input."""
    paths = [value] if isinstance(value, Path) else value or ()
    for path in paths:
        if path != STDIN and not path.exists():
            raise typer.BadParameter(f"File {str(path)!r} does not exist.")
    return value


#: The settings of typer for an argument or an option that names a file to read.
TO_READ: Mapping[str, Any] = {"dir_okay": False, "callback": check_exists}


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The options of a command that reads entries from a file."""

    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header", help="Skip the first row as a title, or read it as an entry."
        ),
    ] = None
    column: Annotated[
        str | None,
        typer.Option(
            metavar="N|NAME", help="The column, if a .csv, .json or .xlsx file has several columns."
        ),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The sheet, if an .xlsx file has several sheets."),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The encoding of text files that are not UTF-8, such as cp1252."
        ),
    ] = None


def read_file(file: Path, options: FileOptions, keyword_id: str | None = None) -> ListFile:
    """The content of a file, or of standard input, with notes about skipped titles. A file that
    names another list than this one is refused."""
    suffix = ".txt" if file == STDIN else file.suffix.lower()
    data = prompts.stdin_bytes(files.LARGEST) if file == STDIN else files.read_bytes(file)
    layout = Layout(
        header=options.header,
        column=options.column,
        sheet=options.sheet,
        encoding=options.encoding,
    )
    content = _read(data, file, suffix, layout)
    name = name_of(file)
    if len(content.entries) > files.MOST_ENTRIES:
        raise files.ListFileError(
            name, f"holds more than {files.MOST_ENTRIES:,} entries; divide the file"
        )
    if keyword_id is not None and content.id not in (None, keyword_id):
        raise files.ListFileError(
            name, f"the file belongs to the list {content.id}; name that list"
        )
    _note_titles(name, content.titles, options)
    return content


def _note_titles(name: str, titles: Sequence[str], options: FileOptions) -> None:
    """Name skipped rows: nobody sees in a plan that a row is not there."""
    # The title that --column names, or --header, is certainly a title.
    is_guess = options.header is None and options.column not in titles
    advice = "; if it is an entry, add --no-header" if is_guess else ""
    for title in titles:
        if title != options.column:
            write_note(f"{name}: skipped {lint.shown(title)}, the title of the column{advice}")


def _read(data: bytes, file: Path, suffix: str, layout: Layout) -> ListFile:
    """Read a list; at a terminal, ask whether a text that is not UTF-8 is in its likely
    encoding."""
    name = name_of(file)
    try:
        return read_list(data, name, suffix=suffix, layout=layout)
    except files.EncodingError as error:
        if error.likely is None or not prompts.can_ask():
            raise
        likely = error.likely
    content = read_list(data, name, suffix=suffix, layout=evolve(layout, encoding=likely))
    some = ", ".join([visible(entry) for entry in content.entries if not entry.isascii()][:5])
    question = f"{visible(name)} is not UTF-8. Read it as {with_place(likely)}: {some}?"
    try:
        prompts.confirm(question, yes=False)
    except StopError as error:
        names = ", ".join(NAMES)
        advice = f"nothing was changed; name another encoding with --encoding: {names}"
        raise StopError(error.code, advice) from None
    return content


def replaces(file: Path, new: KeywordListInput) -> bool:
    """Whether a list would replace another content of a file. Raises ListFileError: the file
    cannot hold the list."""
    data = encoded(file, new)
    return file.is_file() and file.read_bytes() != data


def write_entries(file: Path, new: KeywordListInput, keyword_id: str = "", *, yes: bool) -> None:
    """Write a list to a file, after a question if it replaces another content, and say so."""
    prompts.confirm_replacement(file, yes=yes or not replaces(file, new))
    write(file, new)
    entries = many(len(keyword_input.entries_of(new)), "entry", "entries")
    say(f"Wrote {entries}{keyword_id and f' of {visible(keyword_id)}'} to {visible(str(file))}.")


def name_of(file: Path) -> str:
    """The name of an input for messages."""
    return "standard input" if file == STDIN else str(file)


def read_content(file: Path, options: FileOptions, category: str | None = None) -> ListContent:
    """The new content of a list: an input if its category is known, else only the entries."""
    return read_file(file, options).for_plan(category)
