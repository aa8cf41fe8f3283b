"""`cometchat-desk keywords diff`: the difference of two files or folders."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict, fields_dict

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError, code_for
from cometchat_desk.fleet import Outcome
from cometchat_desk.lists.difference import Difference, compare, compare_folders
from cometchat_desk.lists.plan_text import SHOWN_ENTRIES, describe_difference
from cometchat_desk.messages import print_error, reason_for
from cometchat_desk.terminal.columns import named_columns
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.table import write

from .entry_input import FileOptions, read_file
from .update_options import AllEntries
from .view import write_marked


@command()
def diff(
    old: Annotated[
        Path, typer.Argument(metavar="OLD", help="The file or the folder before the change.")
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="The file or the folder after the change.")
    ],
    all_entries: AllEntries = False,
    *,
    output_format: Format,
    file_options: FileOptions,
) -> Code:
    """Show the difference of two files or two folders, without a connection and without a key.

    Order and duplicates are ignored. For a file and an app, use keywords plan. For two apps, write
    their lists to folders with keywords get first.

    Examples:
      cometchat-desk keywords diff old.txt new.txt
      cometchat-desk keywords diff ../main/lists lists
    """
    outcomes = _compare(old, new, file_options)
    differences = {
        name: outcome.result for name, outcome in outcomes.items() if outcome.result is not None
    }
    if output_format is OutputFormat.TABLE:
        for name, difference in differences.items():
            limit = None if all_entries else SHOWN_ENTRIES
            title, *lines = describe_difference(name, difference, limit=limit)
            write(title, "bold")
            write_marked(lines)
    else:
        records = [
            {"keyword_id": name, **asdict(difference)} for name, difference in differences.items()
        ]
        columns = named_columns("keyword_id", *fields_dict(Difference))
        show(records, columns, output_format)
    errors = [outcome.error for outcome in outcomes.values() if outcome.error is not None]
    for error in errors:
        print_error(reason_for(error))
    return max([Code.DONE, *map(code_for, errors)])


def _compare(old: Path, new: Path, options: FileOptions) -> dict[str, Outcome[Difference]]:
    """The difference of two files, or of the files of two folders by their names."""
    read = partial(read_file, options=options)
    if old.is_dir() != new.is_dir() and old.exists() and new.exists():
        raise StopError(Code.USAGE, "OLD and NEW must be two files or two folders")
    if old.is_dir() or new.is_dir():
        return compare_folders(old, new, read)
    return {new.stem: Outcome(result=compare(read(old), read(new)))}
