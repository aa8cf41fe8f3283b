"""When an entry came into a list, or left it: by an update of this computer, or by somebody else
between two moments."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from cometchat_desk.exit_codes import StopError
from cometchat_desk.messages import app_place, reason_for, write_note
from cometchat_desk.settings.profiles import App
from cometchat_desk.terminal.columns import Record
from cometchat_desk.terminal.output import OutputFormat, show
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import say, visible
from cometchat_rest import CometChatError, keyword_input
from cometchat_rest.keywords.text import readable

from .view import update_text

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal, Revision


def show_entry(
    journal: "Journal",
    apps: Sequence[App],
    keyword_id: str | None,
    entry: str,
    output_format: OutputFormat,
) -> None:
    """Show each change of an entry in a list of these apps, or in all lists of the journal."""
    changes: list[_Change] = []
    all_read = True
    for app in apps:
        for name in [keyword_id] if keyword_id else journal.known_lists(app.address):
            current = _entries_now(app, name)
            changes += _changes(journal, app, name, entry, current)
            all_read = all_read and current is not None
    if output_format is not OutputFormat.TABLE:
        show([change.record() for change in changes], (), output_format)
    else:
        for change in changes:
            write(change.sentence())
    if all_read and not changes:
        say(visible(f"The lists that this computer knows never had the entry {readable(entry)}."))


@frozen(kw_only=True)
class _Change:
    """A change of an entry between two moments: by an update of this computer, or else by somebody
    else."""

    app: App
    keyword_id: str
    entry: str
    is_added: bool
    after: datetime | None  # `None`: this computer had not seen the list before
    until: datetime
    update: "Revision | None" = None

    def record(self) -> Record:
        """The change as a record for programs."""
        update = self.update
        return {
            "app": self.app.name or None,
            "base_url": self.app.address,
            "keyword_id": self.keyword_id,
            "entry": self.entry,
            "change": "added" if self.is_added else "removed",
            "by": "somebody else" if update is None else "this computer",
            "number": None if update is None else update.number,
            "user": None if update is None else update.user,
            "outcome": None if update is None else update.outcome,
            "after": None if self.after is None else self.after.isoformat(timespec="seconds"),
            "until": self.until.isoformat(timespec="seconds"),
        }

    def sentence(self) -> str:
        """The change in words: `Somebody else added spam to my-list in shop, between ... and
        ....`"""
        did, preposition = ("added", "to") if self.is_added else ("removed", "from")
        place = f"{self.keyword_id} in {self.app.name or self.app.address}"
        what = f"{did} {readable(self.entry)} {preposition} {place}"
        update = self.update
        if update is None:
            when = f"before {_time(self.until)}"
            if self.after is not None:
                when = f"between {_time(self.after)} and {_time(self.until)}"
            return f"Somebody else {what}, {when}."
        user = update.user or "Somebody"
        by = f"in {update_text(update)} on this computer"
        if update.outcome == "unknown":
            return f"{user} may have {what}, {by}: its outcome is unknown."
        return f"{user} {what}, {by}."


def _changes(
    journal: "Journal", app: App, keyword_id: str, entry: str, current: Sequence[str] | None
) -> Iterator[_Change]:
    """The changes of an entry in one list, the oldest first."""
    change = partial(_Change, app=app, keyword_id=keyword_id, entry=entry)
    forms = {entry}
    # `None`: nobody knows whether the list had the entry.
    had: bool | None = False
    since: datetime | None = None
    for summary in journal.carried_out(keyword_id, app.address):
        update = journal.revision(summary.number)
        before = _holds(update.before.entries, forms)
        if _has_changed(had, before):
            yield change(is_added=bool(before), after=since, until=update.started_at)
        forms |= update.stored_forms(entry)
        had = _holds(update.after.entries, forms)
        since = update.finished_at or update.started_at
        if _has_changed(before, had):
            yield change(is_added=bool(had), after=update.started_at, until=since, update=update)
            if update.outcome == "unknown":
                had = None
    if current is not None and had is not None:
        now = _holds(current, forms)
        if _has_changed(had, now):
            yield change(is_added=bool(now), after=since, until=datetime.now(UTC))


def _has_changed(old: bool | None, new: bool | None) -> bool:
    """Whether a list is known to have an entry at one of two times only."""
    return None not in (old, new) and old != new


def _holds(entries: Sequence[str] | None, forms: Collection[str]) -> bool | None:
    """Whether a list has an entry; `None` if the service did not show its entries."""
    if entries is None:
        return None
    # The list may show the rows of a CSV file with their double quotes.
    return not {*entries, *map(keyword_input.unquoted, entries)}.isdisjoint(forms)


def _entries_now(app: App, keyword_id: str) -> Sequence[str] | None:
    """The entries that a list has now; `None` if they could not be read."""
    try:
        with app.client() as chat:
            return keyword_input.list_entries(chat.keywords.get(keyword_id))
    except (StopError, CometChatError) as error:
        write_note(
            f"{visible(keyword_id)} in {app_place(app.name, app.address)} could not be read, so"
            f" changes after the last update here are unknown: {reason_for(error)}"
        )
        return None


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S} UTC"
