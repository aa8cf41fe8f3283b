"""`cometchat-desk keywords history` and `undo`: the journal of updates."""

import shlex
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cometchat_desk import lint
from cometchat_desk.commands.command import AllApps, DryRun, Yes, command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.failed_calls import FailedCall, calls_of
from cometchat_desk.lists.folder import list_files
from cometchat_desk.messages import app_place, print_error, reason_for, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.connection import App
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.columns import Column, Record
from cometchat_desk.terminal.output import Format, OutputFormat, as_json, show
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import MaxRemoved
from cometchat_desk.terminal.table import write, write_lines
from cometchat_desk.terminal.text import say, visible
from cometchat_rest import CometChatError, KeywordPlan

from .content import ListId, write_entries
from .journal import JournalFile, NoJournal, find_journal
from .rows import Row
from .update_options import AllEntries, UpdateOptions
from .updates import Apps, Run
from .view import style_of

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal, ListState, Revision, RevisionDetail, Undo


_STYLES = {"done": "green", "recovered": "green", "unknown": "yellow"}
_COLUMNS = (
    Column(title="Number", value=itemgetter("number"), width=6),
    Column(title="When (UTC)", value=lambda record: _minute(record["started_at"]), width=16),
    Column(title="App", value=itemgetter("app"), width=8),
    Column(title="User", value=itemgetter("user"), width=8),
    Column(title="Command", value=lambda record: str(record["command"]).removeprefix("keywords "), width=7),
    Column(title="Added", value=itemgetter("added"), width=5, style="green"),
    Column(title="Removed", value=itemgetter("removed"), width=7, style="red"),
    Column(title="Outcome", value=itemgetter("outcome"), width=9, styles=_STYLES),
    Column(title="Revision before", value=itemgetter("revision_before"), spare=True),
    Column(title="Revision after", value=itemgetter("revision_after"), spare=True),
    Column(title="Note", value=itemgetter("note"), least=30, spare=True),
)


_KNOWN = (
    Column(title="List", value=itemgetter("list_id"), least=16, style="bold"),
    Column(title="App", value=itemgetter("app"), width=12),
    Column(title="Updates", value=itemgetter("updates"), width=7),
    Column(title="Last update (UTC)", value=lambda record: _minute(record["last_update"]), width=17),
    Column(title="File", value=itemgetter("file"), least=12, spare=True),
)


@command()
def list_(
    target: Target,
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A folder of lists, whose lists are shown as well.")
    ] = None,
    all_apps: AllApps = False,
    journal: JournalFile = None,
    *,
    output_format: Format,
) -> None:
    """Show the lists that this computer knows: those that it has updated, and those with a file in a folder.

    The service has no operation to list its keyword lists. The dashboard of CometChat shows all of them.

    Examples:
      cometchat-desk keywords list
      cometchat-desk keywords list lists --all-apps
    """
    known = find_journal(journal)
    files = {} if folder is None else list_files(folder)
    rows: list[Record] = []
    for app in connection.find_apps(target, all_apps=all_apps):
        for list_id in dict.fromkeys((*known.known_lists(app.address), *files)):
            updates = known.history(list_id, app=app.address)
            rows.append(
                {
                    "list_id": list_id,
                    "app": app.name or None,
                    "base_url": app.address,
                    "updates": len(updates),
                    "last_update": updates[-1].started_at.isoformat(timespec="seconds") if updates else None,
                    "file": str(files[list_id]) if list_id in files else None,
                }
            )
    show(rows, _KNOWN, output_format)
    write_note("the service cannot list its keyword lists, so only those are shown that this computer knows")


@command()
def history(
    target: Target,
    list_id: ListId,
    number: Annotated[
        int | None,
        typer.Argument(metavar="NUMBER", help="Show one update: its plan, and the list before and after it."),
    ] = None,
    before: Annotated[bool, typer.Option("--before", help="For CSV: the entries before the update.")] = False,
    all_apps: AllApps = False,
    journal: JournalFile = None,
    *,
    output_format: Format,
) -> None:
    """Show the updates of a list that were made on this computer, or one of them.

    The updates come from the journal, so no API key is needed. An update whose outcome is unknown was interrupted, or
    its response was lost. With a key, the list is read to see the outcome. CSV output of one update holds only the
    entries after it, in the format of the files for plan and apply.

    Examples:
      cometchat-desk keywords history profanity-list
      cometchat-desk keywords history profanity-list --all-apps -f json
      cometchat-desk keywords history profanity-list 7 --before -f csv
    """
    found = find_journal(journal)
    if number is not None:
        _show_update(_detail(target, found, list_id, number), output_format, before=before)
        return
    apps = connection.find_apps(target, all_apps=all_apps)
    for app in apps:
        if not found.is_settled(list_id, app=app.address):
            _settle(found, app, list_id)
    # Two profiles may name the same app.
    revisions = {revision.number: revision for app in apps for revision in found.history(list_id, app=app.address)}
    if not revisions:
        say(_no_updates(found, list_id, apps))
    show((_record(revisions[number]) for number in sorted(revisions)), _COLUMNS, output_format)
    others = _other_apps(found, list_id, [app.address for app in apps])
    if others:
        write_note(
            f"other apps have updates of {list_id}; to see them: {_commands(['history', list_id], others, target)}"
        )


def _minute(time: object) -> str:
    """A time of a record for people; empty if there is none."""
    return "" if time is None else str(time)[:16].replace("T", " ")


@command()
def undo(
    target: Target,
    list_id: ListId,
    to: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=0, help="Restore the list as it was after this update; 0: before the first update."
        ),
    ] = None,
    max_removed: MaxRemoved = 1.0,
    all_apps: AllApps = False,
    all_entries: AllEntries = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    journal: JournalFile = None,
    no_journal: NoJournal = False,
    *,
    output_format: Format,
) -> Code:
    """Undo the last update of a list, or restore an earlier content.

    The command shows the plan on stderr, and asks for confirmation. This is recorded as well, so a second undo
    reverses it. Without --max-removed, it may remove any number of entries: it restores a content that the list
    had before.

    Examples:
      cometchat-desk keywords undo profanity-list
      cometchat-desk keywords undo profanity-list --to 7
      cometchat-desk keywords undo profanity-list --app shop --app forum
    """
    found = find_journal(journal)
    with Apps(target, all_apps=all_apps) as apps:
        if to and len(apps.names) > 1:
            raise StopError(Code.USAGE, "--to: a number belongs to one app, so name one app with --app")
        rows = _without_same_app(
            apps.plan(list_id, lambda chat: found.rollback_plan(chat, list_id, to)), apps.addresses
        )
        addresses = apps.addresses
        planned = {row.app: row.plan for row in rows if row.plan is not None}
        undos = {name: found.undo(list_id, app=addresses[name]) for name in planned}
        if to is None:
            _check_one_command(list_id, undos)
        for name, plan in planned.items():
            _show_direction(name, plan, undos[name], to)
        if planned:
            _name_other_apps(found, list_id, undos.values(), target)
            _name_other_lists(found, list_id, undos.values())
        options = UpdateOptions(
            dry_run=dry_run,
            yes=yes,
            all_entries=all_entries,
            output_format=output_format,
            # The list had these entries before, so findings are shown and do not stop it.
            accept=list(lint.RULES),
            # The journal is read in any case.
            journal_file=None if no_journal else journal,
            no_journal=no_journal,
        )
        return Run("undo", apps=apps, rows=rows, options=options, max_removed=max_removed).execute()


def _without_same_app(rows: Sequence[Row], addresses: Mapping[str, str]) -> Sequence[Row]:
    """The rows without those of a second profile of the same app: each list is restored once."""
    first: dict[str, str] = {}
    for name, address in addresses.items():
        if first.setdefault(address, name) != name:
            write_note(f"{name} is the same app as {first[address]}, so it is left out")
    return [row for row in rows if row.app not in addresses or first[addresses[row.app]] == row.app]


def _check_one_command(list_id: str, undos: "Mapping[str, Undo]") -> None:
    """Make sure that one command made the last update of the list in all these apps.

    A command may have changed nothing in an app, for example because the list already had the entry there. The user
    does not expect that an older update of this app is undone, or that an undo is undone.
    """
    commands: dict[str, list[str]] = {}
    for name, undo in sorted(undos.items(), key=lambda item: -item[1].last.number):
        commands.setdefault(undo.last.session, []).append(name)
    if len(commands) > 1:
        choices = []
        for names in commands.values():
            undo = undos[names[0]]
            options = " ".join(f"--app {shlex.quote(name)}" for name in names)
            kind = "" if undo.undone is None else ", which undid another one"
            choices.append(
                f"cometchat-desk keywords undo {shlex.quote(list_id)} {options} (update {_when(undo.last)}{kind})"
            )
        raise StopError(
            Code.USAGE,
            f"different commands made the last updates of {visible(list_id)} in these apps. No update was sent. "
            f"Undo one command at a time: {visible('; or '.join(choices))}",
        )


def _show_direction(name: str, plan: KeywordPlan, undo: "Undo", to: int | None) -> None:
    """Say which update a rollback undoes or repeats, and warn if it also undoes changes of other programs."""
    last, where = undo.last, f"{name}: " if name else ""
    write(f"{where}{_direction(plan, undo, to)}", "bold", stderr=True)
    known = last.revision_before if last.outcome == "unknown" else last.revision_after
    if known is not None and known != plan.revision_id:
        write(
            f"! {where}the list has changed since update {last.number}, but not with this journal. "
            "This undoes these changes as well.",
            "yellow",
            stderr=True,
        )


def _direction(plan: KeywordPlan, undo: "Undo", to: int | None) -> str:
    last = undo.last
    # A failed update changed nothing, so it is not the one to undo, although the user may think of it.
    failed = "" if undo.failed is None else f"update {undo.failed.number} changed nothing ({_words(undo.failed)}), so "
    if to:
        return f"this restores the list as it was after update {to}"
    if to == 0:
        return f"this restores the list as it was before update {undo.first.number}"
    if last.outcome == "unknown" and plan.current is not None and not plan.has_changes:
        return (
            f"the list does not show update {last.number}, whose outcome is unknown, so there is nothing to undo; to "
            "restore an earlier content, use --to with a number of keywords history"
        )
    if undo.undone is not None:
        again = undo.undone.number
        return f"{failed}update {last.number} has undone update {again}, so this makes update {again} again"
    return f"{failed}this undoes update {_when(last)}"


def _when(update: "Revision") -> str:
    return f"{update.number} of {update.started_at:%Y-%m-%d %H:%M} UTC"


def _words(update: "Revision") -> str:
    return update.outcome.replace("_", " ")


def _name_other_apps(journal: "Journal", list_id: str, undos: "Collection[Undo]", target: Target) -> None:
    """Name the other apps that the same command has updated. Elsewhere, an undo would undo something else."""
    sessions = {undo.last.session for undo in undos}
    elsewhere = _other_apps(journal, list_id, [undo.last.base_url for undo in undos])
    others = {address: last for address, last in elsewhere.items() if last.session in sessions}
    if others:
        write_note(
            "the same command updated the list in other apps as well; to undo it there: "
            f"{_commands(['undo', list_id], others, target)}"
        )


def _name_other_lists(journal: "Journal", list_id: str, undos: "Collection[Undo]") -> None:
    """Name the other lists whose last update is of the same command, such as sync."""
    others: dict[str, None] = {}
    for undo in undos:
        address, session = undo.last.base_url, undo.last.session
        for other in journal.known_lists(address):
            done = [update for update in journal.history(other, app=address) if update.may_be_carried_out]
            if other != list_id and done and done[-1].session == session:
                others[other] = None
    if others:
        write_note(f"the same command updated other lists as well, and each needs its own undo: {', '.join(others)}")


def _other_apps(journal: "Journal", list_id: str, addresses: Sequence[str]) -> "dict[str, Revision]":
    """The last update of a list in each other app, by the address of the app."""
    last = {update.base_url: update for update in journal.history(list_id) if update.may_be_carried_out}
    return {address: update for address, update in last.items() if address not in addresses}


def _commands(words: Sequence[str], apps: "Mapping[str, Revision]", target: Target) -> str:
    """The command for other apps: one for all apps with a profile, and one for each other app."""
    # The profile may have another name than at the time of the update, and its old name may be that of another app.
    profiles = connection.names_by_address(target)
    names = [f"--app {shlex.quote(profiles[address])}" for address in apps if address in profiles]
    options = [" ".join(names)] if names else []
    options += [f"--base-url {address}" for address in apps if address not in profiles]
    return ", ".join(f"cometchat-desk keywords {shlex.join(words)} {option}" for option in options)


def _settle(journal: "Journal", app: App, list_id: str) -> None:
    """Find out unknown outcomes, if there is a key. The history is shown in any case."""
    if not app.key_from:
        return
    try:
        call = FailedCall(app=app.name, base_url=app.address, journal_file=journal.path)
        with app.client() as chat, calls_of(call), ProgressNote(f"Reading {visible(list_id)}"):
            journal.settle(chat, list_id)
    except CometChatError as error:
        print_error(f"an outcome is still unknown: {reason_for(error)}")


def _no_updates(journal: "Journal", list_id: str, apps: Sequence[App]) -> str:
    if not journal.path.exists():
        return visible(f"There is no journal {journal.path} yet: no update was recorded.")
    where = ", ".join(app.name or app.address for app in apps)
    known = dict.fromkeys(each for app in apps for each in journal.known_lists(app.address))
    others = f" It has updates of {', '.join(known)}." if known else ""
    return visible(f"The journal {journal.path} has no update of {list_id} in {where}.{others}")


def _record(revision: "Revision") -> Record:
    return {
        "number": revision.number,
        "app": revision.app or None,
        "base_url": revision.base_url,
        "list_id": revision.list_id,
        "started_at": revision.started_at.isoformat(timespec="seconds"),
        "finished_at": revision.finished_at and revision.finished_at.isoformat(timespec="seconds"),
        "user": revision.user,
        "command": revision.command,
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
    detail = journal.revision(number)
    if detail.list_id != list_id:
        raise StopError(
            Code.USAGE, f"update {number} is an update of {visible(detail.list_id)}, not of {visible(list_id)}"
        )
    if target.app or target.names_address:
        app = connection.find_app(target, key_needed=False)
        if app.address != detail.base_url:
            there, here = app_place(detail.app, detail.base_url), app_place(app.name, app.address)
            command = _commands(["history", list_id, str(number)], {detail.base_url: detail}, target)
            raise StopError(
                Code.USAGE,
                f"update {number} belongs to {visible(there)}, not to {visible(here)}; to see it: {visible(command)}",
            )
    return detail


def _show_update(detail: "RevisionDetail", output_format: OutputFormat, *, before: bool) -> None:
    if output_format is OutputFormat.CSV:
        entries = (detail.before if before else detail.after).entries
        if entries is None:
            raise StopError(Code.CONTRACT, "the service did not show its entries at that time")
        write_entries(entries)
    elif output_format is not OutputFormat.TABLE:
        record = {
            **_record(detail),
            "added_entries": detail.added_entries,
            "removed_entries": detail.removed_entries,
            "before": _state_record(detail.before),
            "after": _state_record(detail.after),
        }
        print(as_json(record, indent=2 if output_format is OutputFormat.JSON else None))
    else:
        write(f"Update {detail.number} of {detail.list_id} in {detail.app or detail.base_url}", "bold")
        user = f" by {detail.user}" if detail.user else ""
        user += f" with {detail.command}" if detail.command else ""
        write(f"{detail.started_at:%Y-%m-%d %H:%M:%S} UTC{user}, {_words(detail)}", "dim")
        if detail.note:
            write(detail.note, "yellow")
        write_lines([(line, style_of(line)) for line in detail.plan.split("\n")])


def _state_record(state: "ListState") -> Record:
    return {name: getattr(state, name) for name in ("category", "name", "description", "entries")}
