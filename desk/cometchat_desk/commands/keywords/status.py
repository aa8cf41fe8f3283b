"""`cometchat-desk keywords status`: compare the lists of apps with the files of a folder."""

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer

from cometchat_desk.commands.command import AllApps, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import reason_for, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.wording import HIDDEN
from cometchat_rest import KeywordPlan

from . import gate
from .known_lists import read_lists, report
from .rows import Row, print_errors
from .sync import FOLDER, is_missing, rows_of
from .update_options import QuotesAnswer
from .updates import Apps

_STATES = {
    "equal": "green",
    "differs": "yellow",
    "missing": "red",
    "unknown": "yellow",
    "error": "red",
}
_COLUMNS = (
    Column(title="List", value=itemgetter("keyword_id"), width=18),
    Column(title="App", value=itemgetter("app"), width=10),
    Column(title="State", value=itemgetter("state"), width=8, styles=_STATES),
    Column(title="Added", value=itemgetter("added"), width=7, style="green"),
    Column(title="Removed", value=itemgetter("removed"), width=7, style="red"),
    Column(title="Note", value=itemgetter("note"), least=20),
)
_KNOWN = (
    Column(title="List", value=itemgetter("keyword_id"), style="bold"),
    Column(title="App", value=itemgetter("app"), width=12),
    Column(title="Category", value=itemgetter("category"), width=19),
    Column(title="Entries", value=itemgetter("entries"), width=8),
)


@command()
def status(
    target: Target,
    folder: Annotated[Path | None, FOLDER] = None,
    all_apps: AllApps = False,
    quotes: QuotesAnswer = None,
    exit_code: Annotated[
        bool,
        typer.Option(
            "--exit-code", help="Exit with 1 if a list differs from its file, or is missing."
        ),
    ] = False,
    *,
    output_format: Format,
) -> Code:
    """Show which lists of the apps differ from the files of a folder. Nothing is changed.

    Without a folder, the command shows the lists that are known here, with the number of their
    entries. These are the lists that this computer has updated, and the lists that the rules of
    the latest reviewed messages name. The dashboard shows all lists.

    With a folder, the states are: equal; differs, with the number of entries that a sync would add
    and remove; missing in the app; unknown, because the service does not show the entries; error. A
    note says that a list is not active.

    Examples:
      cometchat-desk keywords status
      cometchat-desk keywords status lists
      cometchat-desk keywords status lists --all-apps --exit-code
    """
    if folder is None:
        if exit_code:
            raise StopError(Code.USAGE, "--exit-code needs a FOLDER")
        return _show_known_lists(target, output_format, all_apps=all_apps)
    # A state shows no entry, so a secret in a file is for keywords sync to refuse.
    with Apps(target, all_apps=all_apps, accepted=[gate.SECRET]) as apps:
        rows = rows_of(apps, folder, quotes)
    return _show_states(rows, output_format, exit_code=exit_code)


def _show_states(rows: Sequence[Row], output_format: OutputFormat, *, exit_code: bool) -> Code:
    states = [_state(row) for row in rows]
    names = {state["state"] for state in states}
    show(states, _COLUMNS, output_format)
    failed = [row for row in rows if _has_failed(row)]
    print_errors(failed)
    if output_format is OutputFormat.TABLE and "differs" in names:
        write_note("keywords sync --dry-run shows the entries that differ")
    codes = [Code.DONE, *(row.code for row in failed)]
    if exit_code and not names <= {"equal", "error"}:
        codes.append(Code.NO)
    return max(codes)


def _show_known_lists(target: Target, output_format: OutputFormat, *, all_apps: bool) -> Code:
    """Show the lists that are known here with the number of their entries, and say that there
    may be more."""
    read, errors = read_lists(target, None, all_apps=all_apps)
    rows = (
        {
            "keyword_id": name,
            "app": app or None,
            "category": content.category,
            "entries": len(content.terms),
        }
        for app, name, content in read
    )
    show(rows, _KNOWN, output_format)
    code = report(errors)
    write_note(
        "the service cannot name its lists; the dashboard shows them, and keywords get LIST shows"
        " each of them"
    )
    return code


def _has_failed(row: Row) -> bool:
    return row.error is not None and not is_missing(row)


def _state(row: Row) -> Record:
    missing = is_missing(row)
    return {
        "keyword_id": row.keyword_id,
        "app": row.app or None,
        "base_url": row.address,
        "state": "missing" if missing else "error",
        **dict.fromkeys(("active", "added", "removed")),
        "changed_fields": (),
        "note": "create it in the dashboard" if missing else "",
        "error": None if row.named_error is None else reason_for(row.named_error),
        **({} if row.plan is None else _compared(row.plan)),
    }


def _compared(plan: KeywordPlan) -> Record:
    hidden = plan.current is None
    notes = {
        "not active": plan.keyword_list.active is False,
        f"changed: {', '.join(plan.changed_fields)}": bool(plan.changed_fields),
        HIDDEN: hidden,
    }
    return {
        "state": "unknown" if hidden else "differs" if plan.has_changes else "equal",
        "active": plan.keyword_list.active,
        "added": None if hidden else len(plan.added),
        "removed": None if hidden else len(plan.removed),
        "changed_fields": plan.changed_fields,
        "note": "; ".join(note for note, applies in notes.items() if applies),
    }
