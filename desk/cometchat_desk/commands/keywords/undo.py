"""`cometchat-desk keywords undo`: undo the last update of a list, or restore an earlier content."""

import contextlib
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from attrs import evolve

from cometchat_desk import lint
from cometchat_desk.commands.command import command
from cometchat_desk.exit_codes import Code, StopError
from cometchat_desk.messages import app_place, similar_lists, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import app_names
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal.shares import USUAL_REMOVALS, parse_share
from cometchat_desk.terminal.table import warn, write
from cometchat_desk.terminal.text import Command, visible
from cometchat_desk.wording import many
from cometchat_rest import (
    Client,
    CometChatError,
    InvalidRequestError,
    KeywordPlan,
    PlanRefusedError,
    keyword_input,
)
from cometchat_rest.keyword_input import Quotes

from .content import OneList
from .history import check_list, update_of
from .rows import Row
from .update_options import UpdateOptions, find_journal
from .updates import Apps, Run

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal, Revision

#: From a verb, such as `remove`, to the command that changes the list of an app.
CommandFor: TypeAlias = Callable[[str], str]


@command(without=("accept",))
def undo(
    target: Target,
    keyword_id: OneList = None,
    number: Annotated[str | None, typer.Argument(hidden=True)] = None,
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
    max_removed: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            parser=parse_share,
            help=(
                "The largest share of the entries that it may remove. Default: all entries of the"
                " last update, and of "
                f"the entries that came later, {USUAL_REMOVALS}."
            ),
        ),
    ] = None,
    *,
    options: UpdateOptions,
) -> Code:
    """Undo the last update of a list or of a whole command, or restore an earlier content.

    The command shows the plan on stderr, and asks for confirmation. This is recorded as well, so a
    second undo reverses it. If the list was changed in another way since, for example in the
    dashboard, an undo that would remove many of the new entries is refused; --max-removed allows
    it. LIST and a number show the commands that undo one earlier update alone.

    Examples:
      cometchat-desk keywords undo profanity-list
      cometchat-desk keywords undo profanity-list --to 7
      cometchat-desk keywords undo --command 7
    """
    if number is not None:
        right = f"cometchat-desk keywords undo {shlex.quote(str(keyword_id))}"
        problem = f"undo takes one LIST, and {visible(number)} is too much; use:"
        if number.isdecimal():
            raise StopError(Code.USAGE, *_of_one(find_journal(), str(keyword_id), int(number)))
        if number in app_names(target.config):
            right, problem = (
                f"{right} --app {shlex.quote(number)}",
                f"{visible(number)} is the name of an app; use:",
            )
        raise StopError(Code.USAGE, problem, Command(right))
    journal = find_journal()
    # The lists had these entries before, so findings are shown and do not stop it.
    options = replace(options, accept=[*lint.RULES])
    if (keyword_id is None) == (of_command is None) or (of_command is not None and to is not None):
        raise StopError(Code.USAGE, "name either a LIST, with or without --to, or a --command")
    if keyword_id is None:
        return _undo_command(
            journal, journal.revision(of_command or 0), target, max_removed, options
        )
    check_list(journal, keyword_id, "undo --command")
    with Apps(target, all_apps=options.all_apps) as apps:
        if to and len(apps.names) > 1:
            raise StopError(
                Code.USAGE, "--to: a number belongs to one app, so name one app with --app"
            )
        rows = apps.plan(
            keyword_id, lambda chat: journal.plan_undo(chat, keyword_id, to, options.quotes)
        )
        for row in rows:
            address = row.address or ""
            # The journal reports its own errors.
            with contextlib.suppress(CometChatError):
                if (
                    row.error is not None
                    and address
                    and not journal.history(keyword_id, app=address)
                ):
                    near = similar_lists(journal, address, keyword_id)
                    row.error.add_note(near or "Check the identifier of the list.")
        plans = {row.app: row.plan for row in rows if row.plan is not None}
        undos = {name: journal.carried_out(keyword_id, apps.addresses[name]) for name in plans}
        # The user expects that only one command is undone.
        if to is None and len({undo[-1].session for undo in undos.values()}) > 1:
            problem = (
                f"different commands made the last updates of {keyword_id} in these apps. No update"
                " was sent."
            )
            updates = "; ".join(
                f"in {name}: update {_when(undo[-1])}" for name, undo in undos.items()
            )
            raise StopError(Code.USAGE, f"{problem} Undo them with one --app at a time: {updates}")
        if (
            plans
            and options.yes
            and to is None
            and not (target.app or target.names_address or options.all_apps)
        ):
            made = [one for one in journal.history(keyword_id) if one.may_be_carried_out]
            of_last = {one.base_url: one for one in made if one.session == made[-1].session}
            if others := [
                one for one in of_last.values() if one.base_url not in apps.addresses.values()
            ]:
                places = ", ".join(app_place(one.app, one.base_url) for one in others)
                last = (
                    f"the last command, with update {_when(others[-1])}, changed the list in"
                    f" {places}"
                )
                raise StopError(
                    Code.USAGE,
                    visible(f"{last}: name the app to undo with --app, or use --all-apps"),
                )
        for name, plan in plans.items():
            _show_direction(name, plan, undos[name], to)
        _limit_removals(journal, rows, max_removed)
        return Run("undo", apps=apps, rows=rows, options=options, max_removed=max_removed).execute()


def _undo_command(
    journal: "Journal",
    one: "Revision",
    target: Target,
    max_removed: float | None,
    options: UpdateOptions,
) -> Code:
    """Undo all updates of the command that made this one: in the apps that the options name,
    else in all its apps."""
    updates = [
        each
        for each in journal.history()
        if each.session == one.session and each.may_be_carried_out
    ]
    addresses = dict.fromkeys(each.base_url for each in updates)
    if not (target.app or target.names_address or options.all_apps):
        profiles = connection.names_by_address(target)
        names = [profiles[address] for address in addresses if address in profiles]
        target = replace(target, app=names or None)
    with Apps(target, all_apps=options.all_apps) as apps:
        rows: list[Row] = []
        for keyword_id in dict.fromkeys(each.keyword_id for each in updates):
            of_list = {each.base_url for each in updates if each.keyword_id == keyword_id}
            names = [name for name, address in apps.addresses.items() if address in of_list]
            commands = {
                name: partial(apps.undo_command, Row(app=name, keyword_id=keyword_id), None)
                for name in names
            }
            plan = partial(_plan_if_last, journal, keyword_id, one.session, options.quotes)
            rows += apps.rows(
                keyword_id, apps.run({name: partial(plan, commands[name]) for name in names})
            )
        if left := [address for address in addresses if address not in apps.addresses.values()]:
            options_left = [f"--base-url {address}" for address in left]
            write_note(
                "the command updated other apps as well, which stay as they are:"
                f" {', '.join(options_left)}"
            )
        if not rows:
            raise StopError(Code.USAGE, f"update {one.number} has nothing to undo in these apps")
        made = f"{one.command or 'the command'} of {one.started_at:%Y-%m-%d %H:%M} UTC"
        write(f"this undoes {many(len(rows), 'update', 'updates')} of {made}", "bold", stderr=True)
        _limit_removals(journal, rows, max_removed)
        return Run("undo", apps=apps, rows=rows, options=options, max_removed=max_removed).execute()


def _plan_if_last(
    journal: "Journal",
    keyword_id: str,
    session: str,
    quotes: Quotes | None,
    command_for: CommandFor,
    chat: Client,
) -> KeywordPlan:
    plan = journal.plan_undo(chat, keyword_id, quotes=quotes)
    done = journal.carried_out(keyword_id, chat.base_url)
    last = done[-1]
    if last.session != session:
        number = next(each.number for each in done if each.session == session)
        reason = (
            f"update {last.number} ({last.command}) came later, so this one is not the last one of"
            " the list"
        )
        before, advice = journal.revision(number).before, list[str]()
        if (
            last.command == "keywords undo"
            and journal.revision(last.number).after.entries == before.entries
        ):
            reason = f"update {last.number} ({last.command}) has already undone update {number}"
        else:
            advice = _of_one(journal, keyword_id, number, command_for)
        error = InvalidRequestError(
            f"{reason}. Nothing was undone there", path_values={"keyword_id": keyword_id}
        )
        error.__notes__ = advice
        raise error
    return plan


def _of_one(
    journal: "Journal", keyword_id: str, number: int, command_for: CommandFor | None = None
) -> list[str]:
    """Sentences and commands that undo one update, and that restore the list as it was before
    it."""
    one = update_of(journal, keyword_id, number)
    of_app = ["--app", one.app] if one.app else []
    made = command_for or (
        lambda verb: shlex.join(["cometchat-desk", "keywords", verb, keyword_id, *of_app])
    )
    back = {"remove": one.added_entries or (), "add": one.removed_entries or ()}
    commands = [
        f"{made(verb)} -- {shlex.join(entries)}" for verb, entries in back.items() if entries
    ]
    named, how = [*back["remove"], *back["add"]], f"To undo only update {number}, use:"
    if not 0 < len(named) <= 5 or not "".join(named).isprintable():
        how = (
            f"keywords add and remove change the entries of update {number} back. To see them, use:"
        )
        commands = [shlex.join(["cometchat-desk", "keywords", "history", keyword_id, str(number)])]
    done = journal.carried_out(keyword_id, one.base_url)
    to = max((each.number for each in done if each.number < number), default=0)
    restore = (
        f"To restore the list as it was before update {number}, without all later changes, use:"
    )
    return [how, *map(Command, commands), restore, Command(f"{made('undo')} --to {to}")]


def _limit_removals(journal: "Journal", rows: Sequence[Row], max_removed: float | None) -> None:
    """By default, only removals of entries that came after the last update in the journal are
    limited."""
    for row in rows:
        if max_removed is None and row.plan is not None:
            last = journal.carried_out(row.keyword_id, str(row.address))[-1]
            left = journal.revision(last.number).after.entries or ()
            # The list may show the rows of a CSV file with their double quotes.
            later = set(row.plan.removed).difference(left, map(keyword_input.unquoted, left))
            with contextlib.suppress(PlanRefusedError):
                evolve(row.plan, removed=tuple(later)).check_removed()
                row.max_removed = 1.0


def _show_direction(
    name: str, plan: KeywordPlan, undo: "Sequence[Revision]", to: int | None
) -> None:
    """Say which update an undo undoes or repeats, and warn if it also undoes changes of other
    programs."""
    last, where = undo[-1], f"{name}: " if name else ""
    write(f"{where}{_direction(plan, undo, to)}", "bold", stderr=True)
    known = last.revision_before if last.outcome == "unknown" else last.revision_after
    if known is not None and known != plan.revision_id:
        warning = f"the list has changed since update {last.number}, but not with this journal"
        warn(f"{where}{warning}. This undoes these changes as well.", stderr=True)


def _direction(plan: KeywordPlan, undo: "Sequence[Revision]", to: int | None) -> str:
    last = undo[-1]
    if to is not None:
        when = f"after update {to}" if to else f"before update {undo[0].number}"
        return f"this restores the list as it was {when}"
    if last.outcome == "unknown" and plan.current is not None and not plan.has_changes:
        return (
            f"the list does not show update {last.number}, whose outcome is unknown, so there is"
            " nothing to undo; to restore an earlier content, use --to with a number of keywords"
            " history"
        )
    return f"this undoes update {_when(last)}"


def _when(update: "Revision") -> str:
    return f"{update.number} ({update.command}) of {update.started_at:%Y-%m-%d %H:%M} UTC"
