"""`cometchat-desk keywords undo`: undo an update of a list, or restore an earlier content."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.lists.plan_text import SHOWN_ENTRIES, listed
from cometchat_desk.messages import write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.table import warn, write
from cometchat_desk.wording import many
from cometchat_rest import KeywordPlan, PlanRefusedError

from . import gate
from .list_argument import OneList
from .rows import Row
from .update_options import UpdateOptions, find_journal
from .updates import CHANGES_OF_OTHERS, Apps, Run
from .view import update_text, write_marked

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal, Revision, RevisionDetail


@command()
def undo(
    target: Target,
    keyword_id: OneList = None,
    number: Annotated[
        int | None,
        typer.Argument(metavar="NUMBER", help="The update to undo. Default: the last one."),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=0,
            help="Restore the list as it was after this update; 0: before the first update.",
        ),
    ] = None,
    of_command: Annotated[
        int | None,
        typer.Option(
            "--command",
            metavar="NUMBER",
            help="Undo all updates of the command that made this update, such as sync.",
        ),
    ] = None,
    *,
    options: UpdateOptions,
) -> Code:
    """Undo one update of a list, or all updates of a command, and keep what others did since.

    The command removes what the update added, and adds what it removed. It shows the plan on
    stderr, and asks for confirmation. An undo is recorded too, so a second undo reverses it. --to
    restores a whole list: lines that undo changes of somebody else are marked, and --yes refuses
    them.

    Examples:
      cometchat-desk keywords undo profanity-list
      cometchat-desk keywords undo profanity-list 7
      cometchat-desk keywords undo profanity-list --to 7
      cometchat-desk keywords undo --command 7
    """
    _check_choice(keyword_id, number, to, of_command)
    gate.check_rules(options.accept or ())
    journal = find_journal()
    if of_command is not None:
        target = _apps_of(journal.revision(of_command), journal, target, options)
    with Apps(target, all_apps=options.all_apps, accepted=options.accept) as apps:
        if (number or to) and len(apps.names) > 1:
            raise StopError(Code.USAGE, "a number belongs to one app, so name one app with --app")
        if of_command is not None:
            rows = _undo_command(journal, journal.revision(of_command), apps, options)
        elif to is not None:
            rows = _restore(journal, str(keyword_id), to, apps, options)
        else:
            rows = _undo_list(journal, str(keyword_id), number, apps, options)
        for row in rows:
            # The user sees in the plan what it removes, or that this is unknown.
            row.max_removed = 1.0
        return Run("undo", apps=apps, rows=rows, options=options).execute()


def _check_choice(
    keyword_id: str | None, number: int | None, to: int | None, of_command: int | None
) -> None:
    if (keyword_id is None) == (of_command is None) or [number, to, of_command].count(None) < 2:
        raise StopError(
            Code.USAGE,
            "name a LIST, and at most one of NUMBER and --to; or use only --command NUMBER",
        )


def _undo_list(
    journal: "Journal", keyword_id: str, number: int | None, apps: Apps, options: UpdateOptions
) -> list[Row]:
    """Plan to undo one update of a list in each app, and say which."""
    rows = apps.plan(
        keyword_id, lambda chat: journal.plan_undo(chat, keyword_id, number, options.quotes)
    )
    for row in rows:
        if row.plan is not None:
            update = journal.update_to_undo(keyword_id, str(row.address), number)
            _say(row, _undoes(row, update))
            _name_absent(row, row.plan, update)
    return rows


def _undoes(row: Row, update: "Revision") -> str:
    if update.outcome == "unknown" and row.pending is None:
        return (
            f"the list does not show update {update.number}, whose outcome is unknown, so there is"
            " nothing to undo; --to restores an earlier content"
        )
    return f"this undoes {update_text(update)}"


def _name_absent(row: Row, plan: KeywordPlan, update: "RevisionDetail") -> None:
    """Name the entries of an update that the list does not have any more, if it had them."""
    if update.outcome == "unknown":
        return
    present = frozenset(plan.current or ())
    added = update.after.without(update.before) or ()
    row.absent = [entry for entry in added if entry not in present]
    if row.absent:
        absent = many(len(row.absent), "entry", "entries")
        lines = listed("!   ", row.absent, SHOWN_ENTRIES)
        head = f"! the list no longer has {absent} that this update added:"
        write_marked([head, *lines], stderr=True)


def _restore(
    journal: "Journal", keyword_id: str, to: int, apps: Apps, options: UpdateOptions
) -> list[Row]:
    """Plan to restore a list in each app, and mark what somebody else did since."""
    rows = apps.plan(
        keyword_id, lambda chat: journal.plan_restore(chat, keyword_id, to, options.quotes)
    )
    when = f"after update {to}" if to else "before the first update"
    for row in rows:
        if row.plan is not None:
            _say(row, f"this restores the list as it was {when}")
            row.of_others = journal.changes_of_others(row.plan, str(row.address), to)
            if row.of_others:
                changes = many(len(row.of_others), *CHANGES_OF_OTHERS)
                warn(f"It also undoes {changes}, marked below.", stderr=True)
            if options.yes and row.plan.current is None:
                row.error = PlanRefusedError(
                    "the service does not show the entries, so nobody knows whether this would undo"
                    " changes of somebody else; to decide, leave out --yes. No update was sent.",
                    path_values={"keyword_id": keyword_id},
                )
    return rows


def _updates_of(update: "Revision", journal: "Journal") -> Sequence["Revision"]:
    """The updates of the command that made this one."""
    return [
        other
        for other in journal.history()
        if other.session == update.session and other.may_be_carried_out
    ]


def _apps_of(
    update: "Revision", journal: "Journal", target: Target, options: UpdateOptions
) -> Target:
    """The options for the apps of a command, unless they name apps already."""
    if target.app or target.names_address or options.all_apps:
        return target
    profiles = connection.names_by_address(target)
    addresses = dict.fromkeys(each.base_url for each in _updates_of(update, journal))
    names = [profiles[address] for address in addresses if address in profiles]
    return replace(target, app=names or None)


def _undo_command(
    journal: "Journal", update: "Revision", apps: Apps, options: UpdateOptions
) -> list[Row]:
    """Plan to undo all updates of the command that made this one, in these apps."""
    updates = _updates_of(update, journal)
    lists: dict[str, dict[str, int]] = {}
    for each in updates:
        lists.setdefault(each.keyword_id, {})[each.base_url] = each.number
    rows: list[Row] = []
    for keyword_id, numbers in lists.items():
        jobs = {
            name: partial(
                journal.plan_undo,
                keyword_id=keyword_id,
                number=numbers[address],
                quotes=options.quotes,
            )
            for name, address in apps.addresses.items()
            if address in numbers
        }
        rows += apps.rows(keyword_id, apps.run(jobs))
    _note_other_apps(updates, apps.addresses, apps.target)
    if not rows:
        problem = f"the command of update {update.number} changed no list in these apps"
        raise StopError(Code.USAGE, f"{problem}; name the other app")
    made = f"{update.command or 'the command'} of {update.started_at:%Y-%m-%d %H:%M} UTC"
    write(f"this undoes {many(len(rows), 'update', 'updates')} of {made}", "bold", stderr=True)
    for row in rows:
        if row.plan is not None:
            number = lists[row.keyword_id][str(row.address)]
            _name_absent(row, row.plan, journal.revision(number))
    return rows


def _note_other_apps(
    updates: Sequence["Revision"], addresses: Mapping[str, str], target: Target
) -> None:
    left = dict.fromkeys(
        update.base_url for update in updates if update.base_url not in addresses.values()
    )
    if left:
        profiles = connection.names_by_address(target)
        named = " or ".join(
            f"--app {profiles[address]}" if address in profiles else f"--base-url {address}"
            for address in left
        )
        write_note(
            "the command also updated other apps; this undo leaves them unchanged. To undo there,"
            f" use {named}"
        )


def _say(row: Row, text: str) -> None:
    write(f"{row.app}: {text}" if row.app else text, "bold", stderr=True)
