"""The options of all commands that update lists, and their journal."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from cometchat_desk.commands.command import AllApps, DryRun, Yes
from cometchat_desk.terminal.output import Format

from .gate import Accept

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal

# Users of --all mean all apps, or all lists.
AllEntries: TypeAlias = Annotated[
    bool, typer.Option("--all-entries", help="Show all entries, not only 50 of each kind.")
]
QuotesAnswer: TypeAlias = Annotated[
    Literal["csv", "literal"] | None,
    typer.Option(
        "--quotes",
        help=(
            "If a list shows entries in double quotes: csv if the quotes belong to its CSV file,"
            " literal if they belong to the entries."
        ),
    ),
]
#: Why lists should change, for the history.
Reason: TypeAlias = Annotated[
    str,
    typer.Option(
        "--reason", metavar="TEXT", help="The reason for the update, which the history shows."
    ),
]


@dataclass(frozen=True, kw_only=True)
class UpdateOptions:
    """The options of a command that updates lists."""

    all_apps: AllApps = False
    all_entries: AllEntries = False
    accept: Accept = None
    quotes: QuotesAnswer = None
    reason: Reason = ""
    dry_run: DryRun = False
    yes: Yes = False
    output_format: Format


def find_journal(command: str = "") -> "Journal":
    """The journal of updates, for the updates of a command. The file is not opened yet."""
    # The help of a command does not load SQLite.
    from cometchat_desk.journal import Journal

    return Journal(command=command)
