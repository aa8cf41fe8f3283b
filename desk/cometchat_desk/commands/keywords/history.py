"""`cometchat-desk keywords history`, and the lists that the journal of updates knows."""

import shlex
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import fields

from cometchat_desk.commands.command import AllApps, Since, Yes, command, output_option
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.files import write_file
from cometchat_desk.messages import similar_lists, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.columns import Column, Record, named_columns
from cometchat_desk.terminal.output import Format, OutputFormat, show, table_bytes
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import Command, say, visible
from cometchat_desk.times import start_of
from cometchat_desk.wording import many

from .content import OneList
from .entry_input import write_entries
from .update_options import find_journal
from .view import write_marked

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal, Revision, RevisionDetail

_STYLES = {"done": "green", "recovered": "green", "unknown": "yellow"}
_COLUMNS = (
    Column(title="Number", value=itemgetter("number"), width=6),
    Column(
        title="When (UTC)",
        value=lambda record: str(record["started_at"])[:16].replace("T", " "),
        width=16,
    ),
    Column(title="List", value=itemgetter("keyword_id"), least=16, style="bold"),
    Column(title="App", value=itemgetter("app"), width=6),
    Column(title="User", value=itemgetter("user"), width=8),
    Column(
        title="Command",
        value=lambda record: str(record["command"]).removeprefix("keywords "),
        width=7,
        spare=True,
    ),
    # A long value has two lines, so that the user fits into 80 cells.
    Column(
        title="Changes",
        value=lambda record: (
            "" if record["added"] is None else "+{added} -{removed}".format_map(record)
        ),
        width=7,
    ),
    Column(title="Outcome", value=itemgetter("outcome"), width=9, styles=_STYLES),
    Column(title="Reason", value=itemgetter("reason"), least=12),
    Column(title="Note", value=itemgetter("note"), least=30, spare=True),
)
# The columns of a spreadsheet, which has a row for each entry that an update adds or removes.
_ENTRIES = (
    "number",
    "started_at",
    "app",
    "keyword_id",
    "user",
    "command",
    "reason",
    "outcome",
    "change",
    "entry",
)
_CSV = named_columns(*_ENTRIES)


@command()
def history(
    target: Target,
    keyword_id: OneList = None,
    number: Annotated[
        int | None,
        typer.Argument(metavar="NUMBER", help="Show one update: its plan, and its outcome."),
    ] = None,
    since: Since = None,
    user: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only updates of this user.")
    ] = None,
    output: Annotated[
        Path | None,
        output_option(
            "Write the changes to this file, .xlsx or .csv; for one update, the list after it."
        ),
    ] = None,
    yes: Yes = False,
    all_apps: AllApps = False,
    *,
    output_format: Format,
) -> None:
    """Show the updates that were made on this computer, of one list or of all, or one of them.

    The updates come from the journal, so no API key is needed. An update whose outcome is unknown
    was interrupted, or its response was lost. CSV and --output have a row for each entry that was
    added or removed. For one update, --output writes the list after it, for keywords plan and
    apply.

    Examples:
      cometchat-desk keywords history profanity-list
      cometchat-desk keywords history --since 7d --user alice --output week.xlsx
      cometchat-desk keywords history profanity-list 7 --output words.txt
    """
    journal, start = find_journal(), start_of(since)
    if keyword_id is not None and number is not None:
        detail = update_of(journal, keyword_id, number)
        if output is not None:
            write_entries(output, detail.after.to_input(), keyword_id, yes=yes)
        elif output_format is OutputFormat.TABLE:
            _show_to_people(detail)
        else:
            entries = {name: getattr(detail, name) for name in ("added_entries", "removed_entries")}
            records = (
                _entries([detail])
                if output_format is OutputFormat.CSV
                else [{**_record(detail), **entries}]
            )
            show(records, _CSV, output_format)
        return
    check_list(journal, keyword_id, "history {}")
    targets = connection.app_targets(target, all_apps=all_apps).values()
    apps = [
        connection.find_app(one, key_needed=False, several=one is not target) for one in targets
    ]
    # Two profiles may name the same app.
    found = {
        update.number: update
        for app in apps
        for update in journal.history(keyword_id, app=app.address)
    }
    where = ", ".join(app.name or app.address for app in apps)
    if not found:
        near = similar_lists(journal, apps[0].address, keyword_id) if keyword_id and apps else ""
        advice = near or "--all-apps shows the updates in all apps."
        say(
            visible(
                f"The journal {journal.path} has no update of {keyword_id or 'a list'} in {where}."
                f" {advice}"
            )
        )
    updates = [
        found[number]
        for number in sorted(found)
        if (start is None or found[number].started_at >= start)
        and user in (None, found[number].user)
    ]
    if output is not None:
        _write_entries(
            _entries(journal.revision(update.number) for update in updates), output, yes=yes
        )
    elif output_format is OutputFormat.CSV:
        show(_entries(journal.revision(update.number) for update in updates), _CSV, output_format)
    else:
        # Only stored plans have reasons, and a terminal has little room.
        unneeded = {
            "List": keyword_id is not None,
            "Reason": not any(update.reason for update in updates),
        }
        columns = [one for one in _COLUMNS if not unneeded.get(one.title)]
        show(map(_record, updates), columns, output_format)
        if found and output_format is OutputFormat.TABLE:
            others = (
                "; --all-apps shows those in all apps"
                if len(app_names(target.config)) > len(apps)
                else ""
            )
            write_note(f"only updates in {where} that were made on this computer are shown{others}")


def _entries(updates: Iterable["RevisionDetail"]) -> Iterator[Record]:
    """A record for each entry that the updates add or remove; one without an entry for an update
    that has none."""
    for detail in updates:
        changes = [("added", entry) for entry in detail.added_entries or ()]
        changes += [("removed", entry) for entry in detail.removed_entries or ()]
        for change, entry in changes or [("", "")]:
            yield {**_record(detail), "change": change, "entry": entry}


def _write_entries(entries: Iterable[Record], file: Path, *, yes: bool) -> None:
    rows = [[row[name] for name in _ENTRIES] for row in entries]
    titles = [name.replace("_", " ").capitalize() for name in _ENTRIES]
    if file.suffix.lower() not in (".xlsx", ".csv"):
        raise StopError(
            Code.USAGE, f"--output: the file must end in .xlsx or .csv, not {visible(str(file))}"
        )
    prompts.confirm_replacement(file, yes=yes)
    write_file(file, table_bytes(file, [titles, *rows]))
    say(f"Wrote {many(len(rows), 'row', 'rows')} to {visible(str(file))}.")


def check_list(journal: "Journal", keyword_id: str | None, right: str) -> None:
    """Refuse the number of an update in the place of a list, with the right command, which may
    name its list."""
    if keyword_id is not None and keyword_id.isdecimal() and not journal.history(keyword_id):
        of_list = shlex.quote(journal.revision(int(keyword_id)).keyword_id)
        command = Command(f"cometchat-desk keywords {right.format(of_list)} {keyword_id}")
        raise StopError(Code.USAGE, f"{keyword_id} is a number, not a list; use:", command)


def _record(update: "Revision") -> Record:
    from cometchat_desk.journal import Revision

    shown = {
        one.name: getattr(update, one.name) for one in fields(Revision) if one.name != "session"
    }
    interrupted = (
        "It is still running, or it was interrupted." if update.outcome == "unknown" else ""
    )
    return {
        **shown,
        "app": update.app or None,
        "started_at": update.started_at.isoformat(timespec="seconds"),
        "finished_at": update.finished_at and update.finished_at.isoformat(timespec="seconds"),
        "note": update.note or interrupted,
    }


def update_of(journal: "Journal", keyword_id: str, number: int) -> "RevisionDetail":
    """An update of this list, in any app."""
    detail = journal.revision(number)
    if detail.keyword_id != keyword_id:
        problem = f"update {number} is an update of {detail.keyword_id}, not of {keyword_id}"
        raise StopError(Code.USAGE, visible(problem))
    return detail


def _show_to_people(detail: "RevisionDetail") -> None:
    write(
        f"Update {detail.number} of {detail.keyword_id} in {detail.app or detail.base_url}", "bold"
    )
    user = f" by {detail.user}" if detail.user else ""
    user += f" with {detail.command}" if detail.command else ""
    outcome = detail.outcome.replace("_", " ")
    write(f"{detail.started_at:%Y-%m-%d %H:%M:%S} UTC{user}, {outcome}", "dim")
    if detail.reason:
        write(detail.reason, "yellow")
    if detail.note:
        write(detail.note, "yellow")
    write_marked(detail.plan.split("\n"))
