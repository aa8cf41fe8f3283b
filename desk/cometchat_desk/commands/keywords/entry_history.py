"""When an entry came into a list, or left it: by an update of this computer, or by somebody else
between two moments."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cometchat_desk.exit_codes import StopError
from cometchat_desk.messages import app_place, reason_for, write_note
from cometchat_desk.settings.profiles import App
from cometchat_desk.terminal.columns import Record
from cometchat_desk.terminal.output import OutputFormat, show
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import say, visible
from cometchat_rest import CometChatError, keyword_input
from cometchat_rest.keywords.text import readable

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal, Revision


def show_entry(
    journal: "Journal",
    apps: Iterable[App],
    keyword_id: str | None,
    entry: str,
    output_format: OutputFormat,
) -> None:
    """Show each change of an entry in a list, or in all lists of the journal."""
    records: list[Record] = []
    for app in apps:
        lists = [keyword_id] if keyword_id else journal.known_lists(app.address)
        for name in lists:
            place = {"app": app.name or None, "base_url": app.address, "keyword_id": name}
            changes = _changes(journal, app, name, entry)
            records += [{**place, "entry": entry, **change} for change in changes]
    if output_format is not OutputFormat.TABLE:
        show(records, (), output_format)
    else:
        for record in records:
            write(_sentence(record))
    if not records:
        say(visible(f"No list that is known here has had the entry {readable(entry)}."))


def _changes(journal: "Journal", app: App, keyword_id: str, entry: str) -> Iterator[Record]:
    """The changes of an entry in one list, the oldest first."""
    had = False
    since: datetime | None = None
    for summary in journal.carried_out(keyword_id, app.address):
        update = journal.revision(summary.number)
        before = _holds(update.before.entries, entry)
        if before != had:
            yield _change(before, since, update.started_at)
        had = _holds(update.after.entries, entry)
        since = update.finished_at or update.started_at
        if had != before:
            yield _change(had, update.started_at, since, update)
    now = _has_now(app, keyword_id, entry)
    if now is not None and now != had:
        yield _change(now, since, datetime.now(UTC))


def _holds(entries: Sequence[str] | None, entry: str) -> bool:
    # The list may show the rows of a CSV file with their double quotes.
    return entry in (entries or ()) or entry in map(keyword_input.unquoted, entries or ())


def _has_now(app: App, keyword_id: str, entry: str) -> bool | None:
    """Whether the list has an entry now; `None` without an answer of the service."""
    try:
        with app.client() as chat:
            return _holds(keyword_input.list_entries(chat.keywords.get(keyword_id)), entry)
    except (StopError, CometChatError) as error:
        write_note(
            f"{visible(keyword_id)} in {app_place(app.name, app.address)} could not be read, so"
            f" changes after the last update here are unknown: {reason_for(error)}"
        )
        return None


def _change(
    is_there: bool, after: datetime | None, until: datetime, update: "Revision | None" = None
) -> Record:
    """A change between two moments: by an update of this computer, or else by somebody else."""
    return {
        "change": "added" if is_there else "removed",
        "by": "somebody else" if update is None else "this computer",
        "number": None if update is None else update.number,
        "user": None if update is None else update.user,
        "after": None if after is None else after.isoformat(timespec="seconds"),
        "until": until.isoformat(timespec="seconds"),
    }


def _sentence(record: Record) -> str:
    """A change in words: `Somebody else added spam to my-list in shop, between ... and ....`"""
    preposition = "to" if record["change"] == "added" else "from"
    place = f"{record['keyword_id']} in {record['app'] or record['base_url']}"
    did = f"{record['change']} {readable(record['entry'])} {preposition} {place}"
    until = _shown(record["until"])
    if record["number"] is not None:
        who = record["user"] or "Somebody"
        return f"{who} {did}, in update {record['number']} of {until} on this computer."
    if record["after"] is None:
        return f"Somebody else {did}, before {until}."
    return f"Somebody else {did}, between {_shown(record['after'])} and {until}."


def _shown(time: object) -> str:
    return f"{str(time)[:19].replace('T', ' ')} UTC"
