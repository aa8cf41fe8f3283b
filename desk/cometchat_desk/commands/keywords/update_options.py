"""The options of all commands that update lists; each field is one option."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

from cometchat_desk.commands.command import AllApps, DryRun, Yes
from cometchat_desk.terminal.output import Format

from .journal import JournalFile, NoJournal
from .lint_check import Accept

AllEntries: TypeAlias = Annotated[bool, typer.Option("--all", help="Show all entries, not only 50 of each kind.")]


# Not an attrs class: loading attrs takes longer than showing the help.
@dataclass(frozen=True, kw_only=True)
class UpdateOptions:
    """The options of a command that updates lists."""

    all_apps: AllApps = False  # whether to use all apps of the profiles
    all_entries: AllEntries = False  # whether to show all entries
    accept: Accept = None  # the rules of the linter whose errors the user accepts
    dry_run: DryRun = False  # whether to show the plans and the problems, and send no update
    yes: Yes = False  # whether to send the updates without a question
    journal_file: JournalFile = None  # the journal; `None` for the default journal
    no_journal: NoJournal = False  # whether to send the updates without a journal
    output_format: Format  # the format of the results
