"""Show keyword lists, plans and the results of updates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cometchat_desk import lint
from cometchat_desk.exit_codes import Code
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.lists.plan_text import SHOWN_ENTRIES, describe_plan, describe_update
from cometchat_desk.messages import app_place
from cometchat_desk.terminal.columns import text_of
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.table import warn, write, write_lines
from cometchat_desk.terminal.text import fitted, visible, without_key
from cometchat_desk.times import utc
from cometchat_desk.wording import HIDDEN, many
from cometchat_rest import KeywordList, KeywordPlan

from .rows import Row

if TYPE_CHECKING:
    from cometchat_desk.journal import Revision

_STYLES = {"-": "red", "+": "green", "~": "cyan", "!": "yellow"}
_ENTRY = ("- ", "+ ", "!   ")


def show_list(shown: KeywordList, entries: Sequence[str] | None) -> None:
    """Show a list to people: a description, then one entry in a line. `None`: the service does
    not show the entries."""
    count = HIDDEN if entries is None else many(len(entries), "entry", "entries")
    state = ", not active" if shown.active is False else ""
    write(str(shown.name or shown.id), "bold")
    write(f"{shown.category}{state}, {count}", "dim")
    if shown.description:
        write(str(shown.description), "dim")
    when = f"revision {shown.revision_id}, updated {text_of(utc(shown.updated_at))} UTC"
    write(when, "dim")
    write("")
    write_lines([(entry, "") for entry in entries or ()])


def show_plan(row: Row, plan: KeywordPlan, changes: Changes | None, *, all_entries: bool) -> None:
    """Show the plan of a row on stderr, with the findings of the linter, below the name and the
    address of the app."""
    write(f"# {app_place(row.app, row.address)}", "bold", stderr=True)
    limit = None if all_entries else SHOWN_ENTRIES
    lines = describe_plan(plan, limit=limit, changes=changes, of_others=row.of_others)
    write_marked(lines, stderr=True)
    for line in lint.describe(row.findings, None) if all_entries else lint.describe(row.findings):
        warn(f"{row.app}: {line}" if row.app else line, stderr=True)


def write_marked(lines: Iterable[str], *, stderr: bool = False) -> None:
    """Write lines of a plan, each in the color of its mark, without keys. The line of an entry is
    not broken, to be copied."""
    parts = (
        (part, line[:1])
        for line in map(without_key, lines)
        for part in (
            [line] if line.startswith(_ENTRY) else fitted(visible(line), stderr=stderr).split("\n")
        )
    )
    write_lines([(part, _STYLES.get(mark, "")) for part, mark in parts], stderr=stderr)


def update_text(update: Revision) -> str:
    """An update of the journal: `update 4 (keywords add) of 2026-09-30 08:15 UTC`."""
    command = f" ({update.command})" if update.command else ""
    return f"update {update.number}{command} of {update.started_at:%Y-%m-%d %H:%M} UTC"


def show_rows(rows: Iterable[Row], output_format: Format, *, all_entries: bool) -> None:
    """Show each result: to people as sentences, without errors, which stderr has; to programs as
    a record."""
    if output_format is not OutputFormat.TABLE:
        show((row.record() for row in rows), (), output_format)
        return
    for row in rows:
        if row.error is None:
            write(row.sentences(), "" if row.code is Code.DONE else "yellow")
            if row.undo is not None:
                write(row.undo)
            if row.update is not None:
                write_marked(
                    describe_update(row.update, limit=None if all_entries else SHOWN_ENTRIES)
                )
