"""The options of all commands that update lists, and the journal that they name."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from cometchat_desk.commands.command import AllApps, DryRun, Yes
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.terminal.output import Format

from .lint_check import Accept

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal

AllEntries: TypeAlias = Annotated[bool, typer.Option("--all", help="Show all entries, not only 50 of each kind.")]
JournalFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--journal",
        metavar="FILE",
        help="The journal of updates. Default: COMETCHAT_JOURNAL, or journal.sqlite3 in your state folder.",
    ),
]
QuotesAnswer: TypeAlias = Annotated[
    Literal["csv", "literal"] | None,
    typer.Option(
        "--quotes",
        help="If a list shows entries in double quotes: csv if the quotes belong to its CSV file, literal if they "
        "belong to the entries.",
    ),
]


# Not an attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class UpdateOptions:
    """The options of a command that updates lists."""

    all_apps: AllApps = False
    all_entries: AllEntries = False
    accept: Accept = None
    quotes: QuotesAnswer = None
    dry_run: DryRun = False
    yes: Yes = False
    journal_file: JournalFile = None
    output_format: Format


def find_journal(file: Path | None, command: str = "") -> "Journal":
    """The journal that the options name. The file is not opened yet."""
    try:
        # The help of a command does not load SQLite.
        from cometchat_desk.journal import Journal
    except ImportError:
        raise StopError(Code.SETTINGS, "the journal needs SQLite, which this Python does not have") from None
    return Journal(file, command=command)
