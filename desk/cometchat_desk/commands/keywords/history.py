"""`cometchat-desk keywords history`, `show` and `rollback`: the journal of updates."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

import typer

from cometchat_desk.commands.command import Yes, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.failed_calls import FailedCall, calls_of
from cometchat_desk.messages import app_place, print_error, reason_for, write_note
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import output as records
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Output
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_desk.terminal.text import visible

from .content import ListId, group
from .journal import JournalFile, NoJournal, find_journal
from .update_options import AllApps, AllEntries, UpdateOptions

if TYPE_CHECKING:
    from datetime import datetime

    from cometchat_desk.journal import Journal, ListState, Revision, RevisionDetail
    from cometchat_desk.settings.connection import App
    from cometchat_rest import KeywordPlan

    from .rows import Row

_STYLES = {"done": "green", "recovered": "green", "unknown": "yellow", "superseded": "yellow"}
_COLUMNS = (
    Column(title="Number", value=itemgetter("number"), width=6),
    Column(title="When (UTC)", value=lambda record: str(record["started_at"])[:19].replace("T", " "), width=19),
    Column(title="App", value=itemgetter("app"), width=12, spare=True),
    Column(title="Added", value=itemgetter("added"), width=7, style="green"),
    Column(title="Removed", value=itemgetter("removed"), width=7, style="red"),
    Column(title="Outcome", value=itemgetter("outcome"), width=10, styles=_STYLES),
    Column(title="Revision before", value=itemgetter("revision_before"), spare=True),
    Column(title="Revision after", value=itemgetter("revision_after"), spare=True),
    Column(title="User", value=itemgetter("user"), width=12, spare=True),
    Column(title="Note", value=itemgetter("note"), least=30, spare=True),
)


@command(
    group,
    examples=[
        "cometchat-desk keywords history profanity-list",
        "cometchat-desk keywords history profanity-list --all-apps -o json",
    ],
)
def history(
    target: Target, list_id: ListId, all_apps: AllApps = False, journal: JournalFile = None, output: Output = None
) -> None:
    """Show the updates of a list that were made on this computer.

    The updates come from the journal, so no API key is needed. An update whose outcome is unknown was interrupted, or
    its response was lost. With a key, the list is read to find out the outcome.
    """
    from cometchat_desk.settings import connection

    found = find_journal(journal)
    apps = connection.find_apps(target, all_apps=all_apps)
    revisions: dict[int, Revision] = {}
    for app in apps:
        if not found.is_settled(list_id, app=app.address):
            _settle(found, app, list_id)
        revisions.update((each.number, each) for each in found.history(list_id, app=app.address))
    if not revisions:
        print(_no_updates(found, list_id, apps), file=sys.stderr)
    records.show((_record(revisions[number]) for number in sorted(revisions)), _COLUMNS, output)
    others = _other_apps(found, list_id, [app.address for app in apps])
    if others:
        write_note(
            f"other apps have updates of {list_id}; to see them: {_commands('history', list_id, others, target)}"
        )


class ShowFormat(StrEnum):
    """The format of the output of `show`."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    TXT = "txt"


@command(
    group,
    examples=[
        "cometchat-desk keywords show profanity-list --revision 7",
        "cometchat-desk keywords show profanity-list --revision 7 --before -o csv",
    ],
)
def show(
    target: Target,
    list_id: ListId,
    revision: Annotated[
        int | None, typer.Option(metavar="N", help="The number of the update, as keywords history shows it.")
    ] = None,
    before: Annotated[bool, typer.Option("--before", help="CSV and text: show the list before the update.")] = False,
    journal: JournalFile = None,
    output: Annotated[
        ShowFormat | None,
        typer.Option(
            "--output", "-o", help="The output format.  [default: table on a terminal, else json]", show_default=False
        ),
    ] = None,
) -> None:
    """Show an update in the journal: its plan, and the list before and after it.

    CSV and text output hold only the entries after the update, in the format of the files for plan and apply. No API
    key is needed.
    """
    if revision is None:
        raise StopError(
            Code.USAGE,
            "name an update with --revision N; to see the numbers, run "
            f"cometchat-desk keywords history {visible(shlex.quote(list_id))}",
        )
    detail = _detail(target, find_journal(journal), list_id, revision)
    output_format = output or (ShowFormat.TABLE if sys.stdout.isatty() else ShowFormat.JSON)
    if output_format is ShowFormat.TABLE:
        _show_detail(detail)
    elif output_format is ShowFormat.JSON:
        print(records.as_json(_detail_record(detail), indent=2))
    else:
        _write_entries(detail.before if before else detail.after, output_format)


@command(
    group,
    examples=[
        "cometchat-desk keywords rollback profanity-list",
        "cometchat-desk keywords rollback profanity-list --to 7",
        "cometchat-desk keywords rollback profanity-list --app shop --app forum",
    ],
)
def rollback(
    target: Target,
    list_id: ListId,
    to: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Restore the list as it was after update N; 0: before the first update."),
    ] = None,
    max_removed: MaxRemoved = 1.0,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    yes: Yes = False,
    journal: JournalFile = None,
    no_journal: NoJournal = False,
    output: Output = None,
) -> Code:
    """Undo the last update of a list, or restore an earlier content.

    The command shows the plan on stderr, and asks for confirmation. The rollback is recorded as well, so a second
    rollback undoes it. Without --max-removed, it may remove any number of entries: it restores a content that the list
    had before.
    """
    from cometchat_desk import lint

    from .updates import Apps, Run

    found = find_journal(journal)
    with Apps(target, all_apps=all_apps) as apps:
        if to and len(apps.names) > 1:
            raise StopError(Code.USAGE, "--to: a number belongs to one app, so name one app with --app")
        rows = _without_same_app(
            apps.plan(list_id, lambda chat: found.rollback_plan(chat, list_id, to)),
            apps.addresses,
        )
        addresses = apps.addresses
        planned = {row.app: row.plan for row in rows if row.plan is not None}
        if to is None:
            _check_one_command(found, list_id, {name: addresses[name] for name in planned})
        for name, plan in planned.items():
            _show_direction(found, addresses[name], name, plan, to)
            _warn_of_other_changes(found, addresses[name], name, plan)
        if planned:
            there = [addresses[name] for name in planned]
            _name_other_apps(found, list_id, there, target)
            _name_other_lists(found, list_id, there)
        options = UpdateOptions(
            yes=yes,
            all_entries=all_entries,
            output=output,
            # The list had these entries before, so findings are shown and do not stop the rollback.
            accept=list(lint.RULES),
            # The journal is read in any case.
            journal_file=None if no_journal else journal,
            no_journal=no_journal,
        )
        return Run(apps=apps, rows=rows, options=options, max_removed=max_removed, verb="Restore").execute()


def _without_same_app(rows: "Sequence[Row]", addresses: Mapping[str, str]) -> "Sequence[Row]":
    """The rows without those of a second profile of the same app: each list is restored once."""
    first: dict[str, str] = {}
    for name, address in addresses.items():
        if first.setdefault(address, name) != name:
            write_note(f"{name} is the same app as {first[address]}, so it is left out")
    return [row for row in rows if row.app not in addresses or first[addresses[row.app]] == row.app]


def _check_one_command(journal: "Journal", list_id: str, apps: Mapping[str, str]) -> None:
    """Make sure that one command made the last update of the list in all these apps, given with their addresses.

    A command may have changed nothing in an app, for example because the list already had the entry there. The user
    does not expect that an older update of this app is undone, or that a rollback is undone.

    Raises:
        StopError: the last updates are those of several commands; no update was sent.
    """
    done = {name: _carried_out(journal, list_id, address) for name, address in apps.items()}
    commands: dict[str, list[str]] = {}
    for name, updates in sorted(done.items(), key=lambda item: -item[1][-1].number):
        commands.setdefault(updates[-1].session, []).append(name)
    if len(commands) > 1:
        choices = (_choice(journal, list_id, names, done[names[0]]) for names in commands.values())
        raise StopError(
            Code.USAGE,
            f"different commands made the last updates of {visible(list_id)} in these apps. No update was sent. "
            f"Undo one command at a time: {visible('; or '.join(choices))}",
        )


def _choice(journal: "Journal", list_id: str, names: Sequence[str], done: "Sequence[Revision]") -> str:
    """The rollback of the last update of some apps, with a remark about this update."""
    kind = ", a rollback" if _undone_update(journal, done) is not None else ""
    options = " ".join(f"--app {shlex.quote(name)}" for name in names)
    return f"cometchat-desk keywords rollback {shlex.quote(list_id)} {options} (update {_when(done[-1])}{kind})"


def _show_direction(journal: "Journal", address: str, name: str, plan: "KeywordPlan", to: int | None) -> None:
    """Say which update a rollback undoes, or repeats: the last update may be a rollback already."""
    from cometchat_desk.terminal.table import write

    history = journal.history(plan.list_id, app=address)
    done = _carried_out(journal, plan.list_id, address)
    last, undone, where = done[-1], _undone_update(journal, done), f"{name}: " if name else ""
    # A failed update changed nothing, so it is not the one to undo, although the user may think of it.
    failed = [each for each in history if each.number > last.number]
    before = (
        f"update {failed[-1].number} changed nothing ({failed[-1].outcome.replace('_', ' ')}), so " if failed else ""
    )
    if to:
        text = f"this restores the list as it was after update {to}"
    elif to == 0:
        text = f"this restores the list as it was before update {done[0].number}"
    elif last.outcome == "unknown" and plan.current is not None and not plan.has_changes:
        text = (
            f"the list does not show update {last.number}, whose outcome is unknown, so there is nothing to undo; to "
            "restore an earlier content, use --to with a number of keywords history"
        )
    elif undone is not None:
        text = (
            f"{before}update {last.number} has undone update {undone.number}, so this makes update {undone.number} "
            "again"
        )
    else:
        text = f"{before}this undoes update {_when(last)}"
    write(f"{where}{text}", "bold", stderr=True)


def _when(update: "Revision") -> str:
    return f"{update.number} of {update.started_at:%Y-%m-%d %H:%M} UTC"


def _carried_out(journal: "Journal", list_id: str, address: str) -> "Sequence[Revision]":
    """The updates of a list in an app, except those that cannot have changed it.

    Raises:
        StopError: there are no such updates any more.
    """
    found = [each for each in journal.history(list_id, app=address) if each.outcome not in ("refused", "not_sent")]
    if not found:
        raise StopError(
            Code.FILE, f"the journal {visible(str(journal.path))} was deleted or replaced just now. No update was sent."
        )
    return found


def _undone_update(journal: "Journal", done: "Sequence[Revision]") -> "Revision | None":
    """The update before the last one, if the last one has undone it."""
    last = journal.revision(done[-1].number)
    # An update without a name or a description leaves the one that the list has.
    texts = (last.planned.name or last.before.name, last.planned.description or last.before.description)
    restored = (last.planned.category, last.planned.entries, *texts)
    for each in done[-2:-1]:
        if each.revision_after != last.revision_before:
            # The list changed in between, or nobody knows whether that update was carried out.
            return None
        before = journal.revision(each.number).before
        if (before.category, before.entries, before.name, before.description) == restored:
            return each
    return None


def _name_other_apps(journal: "Journal", list_id: str, addresses: Sequence[str], target: Target) -> None:
    """Name the other apps that the same command has updated. Elsewhere, a rollback would undo something else."""
    sessions = {_carried_out(journal, list_id, address)[-1].session for address in addresses}
    others = {
        address: each for address, each in _other_apps(journal, list_id, addresses).items() if each.session in sessions
    }
    if others:
        write_note(
            "the same command updated the list in other apps as well; to undo it there: "
            f"{_commands('rollback', list_id, others, target)}"
        )


def _name_other_lists(journal: "Journal", list_id: str, addresses: Sequence[str]) -> None:
    """Name the other lists whose last update is of the same command, such as sync."""
    others: dict[str, None] = {}
    for address in addresses:
        session = _carried_out(journal, list_id, address)[-1].session
        for each in journal.known_lists(address, session=session):
            last = journal.last_update(each, app=address)
            if each != list_id and last is not None and last.session == session:
                others[each] = None
    if others:
        write_note(
            f"the same command updated other lists as well, and each needs its own rollback: {', '.join(others)}"
        )


def _other_apps(journal: "Journal", list_id: str, addresses: Sequence[str]) -> "dict[str, Revision]":
    """The last update of a list in each other app, by the address of the app."""
    found = {each.base_url: each for each in journal.history(list_id) if each.outcome not in ("refused", "not_sent")}
    return {address: each for address, each in found.items() if address not in addresses}


def _commands(command: str, list_id: str, apps: "Mapping[str, Revision]", target: Target) -> str:
    """The command for other apps: one for all apps with a profile, and one for each other app."""
    from cometchat_desk.settings import connection

    # The profile may have another name than at the time of the update, and its old name may be that of another app.
    profiles = connection.names_by_address(target)
    names = [f"--app {shlex.quote(profiles[address])}" for address in apps if address in profiles]
    options = [" ".join(names)] if names else []
    options += [f"--base-url {address}" for address in apps if address not in profiles]
    return ", ".join(f"cometchat-desk keywords {command} {shlex.quote(list_id)} {each}" for each in options)


def _settle(journal: "Journal", app: "App", list_id: str) -> None:
    """Find out unknown outcomes, if there is a key. The history is shown in any case."""
    from cometchat_rest import CometChatError

    if not app.key_from:
        return
    try:
        call = FailedCall(app=app.name, base_url=app.address, journal_file=journal.path)
        with app.client() as chat, calls_of(call), ProgressNote(f"Reading {visible(list_id)}"):
            journal.settle(chat, list_id)
    except CometChatError as error:
        print_error(f"an outcome is still unknown: {reason_for(error)}")


def _no_updates(journal: "Journal", list_id: str, apps: "Sequence[App]") -> str:
    if not journal.path.exists():
        return visible(f"There is no journal {journal.path} yet: no update was recorded.")
    where = ", ".join(app.name or app.address for app in apps)
    known = dict.fromkeys(each for app in apps for each in journal.known_lists(app.address))
    others = f" It has updates of {', '.join(known)}." if known else ""
    return visible(f"The journal {journal.path} has no update of {list_id} in {where}.{others}")


def _time(when: "datetime | None") -> str | None:
    return None if when is None else when.isoformat(timespec="seconds")


def _record(revision: "Revision") -> Record:
    return {
        "number": revision.number,
        "app": revision.app or None,
        "base_url": revision.base_url,
        "list_id": revision.list_id,
        "started_at": _time(revision.started_at),
        "finished_at": _time(revision.finished_at),
        "user": revision.user,
        "program": revision.program,
        "revision_before": revision.revision_before,
        "revision_after": revision.revision_after,
        "added": revision.added,
        "removed": revision.removed,
        "outcome": revision.outcome,
        "note": revision.note
        or ("It is still running, or it was interrupted." if revision.outcome == "unknown" else ""),
    }


def _detail(target: Target, journal: "Journal", list_id: str, number: int) -> "RevisionDetail":
    """An update of this list, in the app that the options name, or in any app if they name none."""
    from cometchat_desk.settings import connection

    detail = journal.revision(number)
    if detail.list_id != list_id:
        raise StopError(
            Code.USAGE, f"update {number} is an update of {visible(detail.list_id)}, not of {visible(list_id)}"
        )
    if target.app or target.names_address:
        app = connection.find_app(target, key_needed=False)
        if app.address != detail.base_url:
            there, here = app_place(detail.app, detail.base_url), app_place(app.name, app.address)
            command = _commands("show", list_id, {detail.base_url: detail}, target)
            raise StopError(
                Code.USAGE,
                f"update {number} belongs to {visible(there)}, not to {visible(here)}; to see it: "
                f"{visible(command)} --revision {number}",
            )
    return detail


def _detail_record(detail: "RevisionDetail") -> Record:
    return {
        **_record(detail),
        "added_entries": detail.added_entries,
        "removed_entries": detail.removed_entries,
        "before": _state_record(detail.before),
        "after": _state_record(detail.after),
    }


def _state_record(state: "ListState") -> Record:
    return {
        "category": state.category,
        "name": state.name,
        "description": state.description,
        "entries": state.entries,
    }


def _show_detail(detail: "RevisionDetail") -> None:
    from cometchat_desk.terminal.table import write

    from .view import style_of

    app = detail.app or detail.base_url
    write(f"Update {detail.number} of {detail.list_id} in {app}", "bold")
    user = f" by {detail.user}" if detail.user else ""
    write(f"{detail.started_at:%Y-%m-%d %H:%M:%S} UTC{user}, {detail.outcome.replace('_', ' ')}", "dim")
    if detail.note:
        write(detail.note, "yellow")
    for line in detail.plan.split("\n"):
        write(line, style_of(line))


def _write_entries(state: "ListState", output_format: ShowFormat) -> None:
    from cometchat_rest import keyword_input

    from .rows import HIDDEN

    if state.entries is None:
        raise StopError(Code.CONTRACT, HIDDEN.replace("does not", "did not"))
    if output_format is ShowFormat.CSV:
        text = keyword_input.csv_text(state.entries)
    elif any("\n" in entry or "\r" in entry for entry in state.entries):
        raise StopError(Code.USAGE, "an entry holds a line break, which a text file cannot hold: use -o csv")
    else:
        text = "".join(f"{entry}\n" for entry in state.entries)
    sys.stdout.write(text if not sys.stdout.isatty() else "".join(f"{visible(each)}\n" for each in text.splitlines()))


def _warn_of_other_changes(journal: "Journal", address: str, name: str, plan: "KeywordPlan") -> None:
    """Warn if the list was changed by another program: the rollback undoes these changes as well."""
    from cometchat_desk.terminal.table import write

    last = _carried_out(journal, plan.list_id, address)[-1]
    # Without a revision, a superseded update still shows that the list has changed.
    is_known = last.revision_after is not None or last.outcome == "superseded"
    if not is_known or last.revision_after == plan.revision_id:
        return
    where = f"{name}: " if name else ""
    write(
        f"! {where}the list has changed since update {last.number}, but not with this journal. "
        "The rollback undoes these changes as well.",
        "yellow",
        stderr=True,
    )
