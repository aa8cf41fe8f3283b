"""`cometchat-desk keywords history`, and the lists that the journal of updates knows."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import fields

from cometchat_desk.commands.command import AllApps, Since, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import App
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, show
from cometchat_desk.terminal.table import write
from cometchat_desk.terminal.text import say, visible
from cometchat_desk.times import start_of

from .entry_history import show_entry
from .list_argument import OneList
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
        str | None, typer.Option(metavar="NAME", help="Show only updates of this user.")
    ] = None,
    entry: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="Show when this entry was added to a list or removed. The list is read now, too.",
        ),
    ] = None,
    all_apps: AllApps = False,
    *,
    output_format: Format,
) -> None:
    """Show the updates that were made on this computer: of all lists, of one list, or one update.

    The updates come from the journal, so no API key is needed. An update whose outcome is unknown
    was interrupted, or its response was lost. --format csv has a row for each entry that was
    added or removed. With --entry, a change of somebody else, for example in the dashboard, has
    two times: it was made between them.

    Examples:
      cometchat-desk keywords history profanity-list
      cometchat-desk keywords history --since 7d --user alice --format csv > week.csv
      cometchat-desk keywords history profanity-list --entry phishing
      cometchat-desk keywords history profanity-list 7
    """
    journal = find_journal()
    if keyword_id is not None and number is not None:
        _show_update(_update_of(journal, keyword_id, number, target), output_format)
        return
    apps = _apps(target, all_apps=all_apps)
    if entry is not None:
        show_entry(journal, apps, keyword_id, entry, output_format)
        return
    all_updates = _updates(journal, keyword_id, apps)
    updates = _chosen(all_updates, since, user)
    if output_format is OutputFormat.CSV:
        details = (journal.revision(update.number) for update in updates)
        show(_entries(details), (), output_format)
    else:
        show(map(_record, updates), _columns(updates, keyword_id), output_format)
    if not all_updates:
        of_list = f" of {keyword_id}" if keyword_id else ""
        say(visible(f"The journal has no update{of_list} in {_names(apps)}."))
    others = connection.names_by_address(target).keys() - {app.address for app in apps}
    advice = "; --all-apps shows the updates in all apps" if others else ""
    write_note(f"only updates in {_names(apps)} that were made on this computer are shown{advice}")


def _updates(
    journal: "Journal", keyword_id: str | None, apps: Sequence[App]
) -> Sequence["Revision"]:
    """The updates in these apps, the oldest first."""
    updates = [update for app in apps for update in journal.history(keyword_id, app=app.address)]
    return sorted(updates, key=attrgetter("number"))


def _chosen(
    updates: Sequence["Revision"], since: str | None, user: str | None
) -> Sequence["Revision"]:
    start = start_of(since)
    if start is not None:
        updates = [update for update in updates if update.started_at >= start]
    if user is not None:
        updates = [update for update in updates if update.user == user]
    return updates


def _apps(target: Target, *, all_apps: bool) -> Sequence[App]:
    """The apps that the options name, each once: two profiles may name the same app."""
    by_address: dict[str, App] = {}
    for of_app in connection.app_targets(target, all_apps=all_apps).values():
        app = connection.find_app(of_app, key_needed=False, several=of_app is not target)
        by_address.setdefault(app.address, app)
    return list(by_address.values())


def _names(apps: Sequence[App]) -> str:
    return ", ".join(app.name or app.address for app in apps)


def _columns(updates: Sequence["Revision"], keyword_id: str | None) -> Sequence[Column]:
    """The columns of the table. A terminal has little room, and few updates have a reason."""
    unneeded = set[str]()
    if keyword_id is not None:
        unneeded.add("List")
    if not any(update.reason for update in updates):
        unneeded.add("Reason")
    return [column for column in _COLUMNS if column.title not in unneeded]


def _show_update(detail: "RevisionDetail", output_format: OutputFormat) -> None:
    if output_format is OutputFormat.TABLE:
        _show_to_people(detail)
    elif output_format is OutputFormat.CSV:
        show(_entries([detail]), (), output_format)
    else:
        record = {
            **_record(detail),
            "added_entries": detail.added_entries,
            "removed_entries": detail.removed_entries,
        }
        show([record], (), output_format)


def _entries(updates: Iterable["RevisionDetail"]) -> Iterator[Record]:
    """A record for each entry that the updates add or remove; one without an entry for an update
    that has none."""
    for detail in updates:
        changes = [("added", entry) for entry in detail.added_entries or ()]
        changes += [("removed", entry) for entry in detail.removed_entries or ()]
        for change, entry in changes or [("", "")]:
            yield {**_record(detail), "change": change, "entry": entry}


def _record(update: "Revision") -> Record:
    from cometchat_desk.journal import Revision

    shown = {
        attribute.name: getattr(update, attribute.name)
        for attribute in fields(Revision)
        if attribute.name != "session"
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


def _update_of(
    journal: "Journal", keyword_id: str, number: int, target: Target
) -> "RevisionDetail":
    """An update of this list, in the apps that the options name, or else in any app."""
    detail = journal.revision(number)
    apps = _apps(target, all_apps=False) if target.app or target.names_address else []
    if apps and detail.base_url not in [app.address for app in apps]:
        place = detail.app or detail.base_url
        problem = f"update {number} is an update in {place}, not in {_names(apps)}"
        raise StopError(Code.USAGE, visible(problem))
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
