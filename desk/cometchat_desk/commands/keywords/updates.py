"""Update keyword lists: show all plans, ask once, send the updates, and show the result of each list in each app."""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

import cometchat_rest
from cometchat_desk.exit_codes import (
    UPDATE_UNKNOWN,
    Code,
    StopError,
    code_for,
    print_app_error,
    print_error,
    reason_for,
    warn_if_interrupted,
)
from cometchat_desk.failed_calls import FailedCall, add_call
from cometchat_desk.fleet import Fleet, Outcome
from cometchat_desk.lists.changes import AppliedChanges
from cometchat_desk.settings import connection
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import percent
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import CometChatError, InvalidRequestError, KeywordPlan

from . import lint_check
from . import view as keyword_view
from .journal import apply_journaled, open_journal
from .update_options import UpdateOptions

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal
    from cometchat_desk.lint import Finding

T = TypeVar("T")

#: Sends the updates of one list in the apps, and records them in the journal.
Send = Callable[[Mapping[str, KeywordPlan], "Journal | None"], Mapping[str, Outcome[AppliedChanges]]]

#: The advice after additions or removals with an unknown outcome.
CHANGES_UNKNOWN = (
    "The update may or may not have been made. Wait a minute, and run the same command again: it changes only the "
    "entries that still need a change."
)


@frozen(kw_only=True)
class ListPlans:
    """The plans of one list.

    Attributes:
        list_id: the list's identifier.
        plans: the plan of each app, or its error.
        file: the file with the new content; the settings of the linter are beside it.
        additions: the entries of the file, if the plans add them to the entries that an app has.
    """

    list_id: str
    plans: Mapping[str, Outcome[KeywordPlan]]
    file: Path | None = None
    additions: Sequence[str] = ()


class Apps:
    """The apps that the options name, as a context manager that closes their clients.

    Attributes:
        fleet: the apps that have a client.
        broken: the error of each app that has none.
        names: the names of all apps, in the order of the options.
        lint_files: the settings of the linter that the profiles of the apps name.
    """

    def __init__(self, target: Target, *, all_apps: bool) -> None:
        clients = connection.make_clients(target, all_apps=all_apps)
        self.broken: dict[str, Outcome[KeywordPlan]] = {
            name: Outcome(error=each.error) for name, each in clients.items() if each.error is not None
        }
        self.fleet = Fleet(results(clients))
        self.names = list(clients)
        self.lint_files = connection.lint_files(target, self.fleet.apps)

    def plans(
        self, list_id: str, planning: Callable[[Fleet], Mapping[str, Outcome[KeywordPlan]]]
    ) -> Mapping[str, Outcome[KeywordPlan]]:
        """The plan of each app, or its error, in the order of the options."""
        with ProgressNote(f"Comparing {visible(list_id)}"):
            planned = {**self.named(planning(self.fleet), list_id), **self.broken}
        return {name: planned[name] for name in self.names}

    def named(
        self, outcomes: Mapping[str, Outcome[T]], list_id: str, journal_file: Path | None = None
    ) -> Mapping[str, Outcome[T]]:
        """The same outcomes. Each error of a call gets the name and the address of its app, and the list."""
        for name, outcome in outcomes.items():
            call = FailedCall(
                app=name, base_url=self.fleet.apps[name].base_url, list_id=list_id, journal_file=journal_file
            )
            add_call(outcome.error, call)
        return outcomes

    def addresses(self) -> Mapping[str, str]:
        """The address of each app that has a client."""
        return {name: chat.base_url for name, chat in self.fleet.apps.items()}

    def __enter__(self) -> Apps:
        return self

    def __exit__(self, *_: object) -> None:
        self.fleet.close()


def update_lists(
    apps: Apps,
    lists: Sequence[ListPlans],
    send: Send,
    options: UpdateOptions,
    *,
    goal: str,
    verb: str = "Update",
    max_removed: float | None = None,
    to_add: Path | None = None,
    dry_run: bool = False,
    advice: str = UPDATE_UNKNOWN,
) -> Code:
    """Show the plans on stderr, ask, send the updates, and show the results.

    With one list, damaged entries in an app stop all updates. With several lists, they are an error of this list in
    this app only.

    Args:
        apps: the apps.
        lists: the plans of each list.
        send: sends the updates of one list.
        options: the options of the command.
        goal: the source of the new content, for the sentences: `the file`.
        verb: the first word of the question.
        max_removed: the largest share of entries that a plan may remove; `None` for any share.
        to_add: the file with the new content, if it may hold only entries that the user wants to add.
        dry_run: whether to show the plans without sending the updates.
        advice: the advice if the outcome of an update is unknown.

    Returns:
        The highest exit code of the results.

    Raises:
        CometChatError: the error of the only list in the only app.
        StopError: new entries are damaged, the answer is not yes, or there is no terminal.
    """
    single = sum(len(each.plans) for each in lists) == 1
    several_lists = len(lists) > 1
    checked: dict[str, Mapping[str, Outcome[KeywordPlan]]] = {}
    found: dict[str, Mapping[str, Sequence[Finding]]] = {}
    for each in lists:
        found[each.list_id] = _show(each, apps, options)
        checked[each.list_id] = {
            name: _check_removed(plan, max_removed, to_add, _damage(name, plan.result, found[each.list_id], options))
            for name, plan in each.plans.items()
        }
        if several_lists:
            checked[each.list_id] = _check_damaged(checked[each.list_id], found[each.list_id], options)
    if not single:
        _print_errors(checked, advice, several_lists=several_lists)
    pending = _pending(checked)
    if not several_lists:
        for list_id, plans in pending.items():
            lint_check.stop_if_damaged(plans, found[list_id], options.accept)
    sent: Mapping[str, Mapping[str, Outcome[AppliedChanges]]] = {}
    if pending and not dry_run:
        journal = open_journal(options.journal_file, off=options.no_journal)
        prompts.confirm(_question(verb, pending, apps, several_lists=several_lists), yes=options.yes)
        sent = _send_all(apps, pending, send, journal, options, advice)
    shown = [
        _result(
            outcome,
            sent.get(list_id, {}).get(name),
            app=name,
            list_id=list_id,
            goal=goal,
            advice=advice,
            dry_run=dry_run,
        )
        for list_id, outcomes in checked.items()
        for name, outcome in outcomes.items()
    ]
    with _output_after(sent):
        keyword_view.show_results(shown, options.output, all_entries=options.all_entries)
    if single:
        _raise(shown[0].error, advice)
    else:
        _print_errors(sent, advice, several_lists=several_lists)
    return max(each.code for each in shown)


@contextlib.contextmanager
def _output_after(sent: Mapping[str, object]) -> Iterator[None]:
    """Write the output of this block. If that fails, say that the updates were sent: nobody should repeat them."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if not sent:
            raise
        raise StopError(
            Code.FILE,
            f"the results cannot be written ({error.strerror}), but the updates were sent. To see them, run "
            f"cometchat-desk keywords history {visible(next(iter(sent)))}",
        ) from None


def _show(each: ListPlans, apps: Apps, options: UpdateOptions) -> Mapping[str, Sequence[Finding]]:
    """Show the plans of a list with the findings of the linter, and return the findings."""
    # Additions and removals are always shown: an entry that is not in the list may be a typing error.
    to_show = {
        name: plan for name, plan in results(each.plans).items() if plan.from_changes or keyword_view.may_change(plan)
    }
    keyword_view.show_plans(to_show, all_entries=options.all_entries, addresses=apps.addresses(), stderr=True)
    found = lint_check.find(to_show, each.file, apps.lint_files, each.additions)
    lint_check.show(found, all_entries=options.all_entries, stderr=True)
    return found


def _check_damaged(
    outcomes: Mapping[str, Outcome[KeywordPlan]], found: Mapping[str, Sequence[Finding]], options: UpdateOptions
) -> Mapping[str, Outcome[KeywordPlan]]:
    """The same outcomes, with an error for each plan that would add damaged entries."""
    checked = dict(outcomes)
    for name, plan in results(outcomes).items():
        if damage := _damage(name, plan, found, options):
            checked[name] = Outcome(error=InvalidRequestError(damage))
    return checked


def _damage(
    name: str, plan: KeywordPlan | None, found: Mapping[str, Sequence[Finding]], options: UpdateOptions
) -> str | None:
    """The message about damaged entries that a plan would add; `None` if it adds no such entries."""
    try:
        lint_check.stop_if_damaged({} if plan is None else {name: plan}, found, options.accept)
    except StopError as stop:
        return str(stop)
    return None


def _pending(checked: Mapping[str, Mapping[str, Outcome[KeywordPlan]]]) -> dict[str, dict[str, KeywordPlan]]:
    """The plans to apply, by list and app; without lists that need no update."""
    changing = {
        list_id: {name: plan for name, plan in results(outcomes).items() if keyword_view.may_change(plan)}
        for list_id, outcomes in checked.items()
    }
    return {list_id: plans for list_id, plans in changing.items() if plans}


def _send_all(
    apps: Apps,
    pending: Mapping[str, Mapping[str, KeywordPlan]],
    send: Send,
    journal: Journal | None,
    options: UpdateOptions,
    advice: str,
) -> Mapping[str, Mapping[str, Outcome[AppliedChanges]]]:
    """Send the updates, one list after the other. The apps of a list are updated at the same time."""
    text, total = f"Updating {len(pending)} lists", len(pending)
    note = ProgressNote(f"Updating {visible(next(iter(pending)))}") if total == 1 else ProgressNote(text, total)
    sent: dict[str, Mapping[str, Outcome[AppliedChanges]]] = {}
    with warn_if_interrupted(advice), note:
        for list_id, plans in pending.items():
            outcomes = send(plans, journal)
            # With several lists, each error is printed with its list and its app.
            sent[list_id] = outcomes if total > 1 else apps.named(outcomes, list_id, options.journal_file)
            note.advance()
    return sent


def results(outcomes: Mapping[str, Outcome[T]]) -> dict[str, T]:
    """The results of the jobs that succeeded."""
    return {name: outcome.result for name, outcome in outcomes.items() if outcome.result is not None}


def apply_plans(
    fleet: Fleet, max_removed: float, settle_within: float, plans: Mapping[str, KeywordPlan], journal: Journal | None
) -> dict[str, Outcome[AppliedChanges]]:
    """Apply the plan of each app, and record each update.

    Args:
        fleet: the clients of the apps.
        max_removed: the largest share of a list's entries that may be removed.
        settle_within: seconds to continue reading a list after an update whose outcome is unknown.
        plans: the plans.
        journal: the result of `open_journal`.
    """
    outcomes = apply_journaled(
        fleet,
        {name: Outcome(result=plan) for name, plan in plans.items()},
        journal,
        max_removed=max_removed,
        settle_within=settle_within,
    )
    return {
        name: Outcome(error=each.error)
        if each.result is None
        else Outcome(result=AppliedChanges(plan=plans[name], update=each.result))
        for name, each in outcomes.items()
    }


def print_plan_errors(outcomes: Mapping[str, Outcome[KeywordPlan]]) -> Code:
    """Print the error of each app, and return the highest exit code.

    Raises:
        CometChatError: the error of the only app.
    """
    if len(outcomes) == 1:
        for outcome in outcomes.values():
            outcome.unwrap()
    print_errors(outcomes)
    return max((code_for(each.error) for each in outcomes.values() if each.error is not None), default=Code.DONE)


def refusal(plan: KeywordPlan, max_removed: float) -> str | None:
    """The reason why the plan removes too much, and the option that allows it; `None` if it does not."""
    try:
        plan.check_removed(max_removed)
    except cometchat_rest.PlanRefusedError:
        if plan.current is None or plan.share_removed is None:
            return (
                "the service does not show the entries, so the number of removed entries is unknown; "
                "--max-removed 100% allows the update"
            )
        entries = many(len(plan.current), "entry", "entries")
        removed = f"{len(plan.removed):,} of {entries} ({plan.share_removed:.1%})"
        return (
            f"the update would remove {removed}, and --max-removed allows {max_removed:.1%}; "
            f"--max-removed {percent(plan.share_removed)} allows the update"
        )
    return None


def how_to_add(plan: KeywordPlan, file: Path | None) -> str | None:
    """How to add the new entries of a file and keep all others; `None` if there are no new entries, or no file."""
    if file is None or plan.current is None or not plan.added:
        return None
    command = visible(f"keywords add {shlex.quote(plan.list_id)} --from {shlex.quote(str(file))}")
    return f"to add {many(len(plan.added), 'new entry', 'new entries')} and keep all others, use {command}"


def _check_removed(
    outcome: Outcome[KeywordPlan], max_removed: float | None, to_add: Path | None, damage: str | None
) -> Outcome[KeywordPlan]:
    """The same outcome, or an error if the plan removes too much. The check comes before the question.

    Args:
        outcome: the plan, or its error.
        max_removed: the largest share of entries that a plan may remove; `None` for any share.
        to_add: the file for `how_to_add`.
        damage: a second reason to refuse the plan: the result of `_damage`.
    """
    plan = outcome.result
    if plan is None or max_removed is None:
        return outcome
    reason = refusal(plan, max_removed)
    if reason is None:
        return outcome
    list_id = visible(plan.list_id)
    if (hint := how_to_add(plan, to_add)) is not None:
        reason = f"{hint}. {reason[0].upper()}{reason[1:]}"
    rest = (
        "No update was sent." if damage is None else f"There is another problem: {damage.removeprefix(f'{list_id}: ')}"
    )
    return Outcome(
        error=cometchat_rest.PlanRefusedError(
            f"{list_id}: {reason}. {rest}",
            removed=len(plan.removed),
            share_removed=plan.share_removed,
            max_removed=max_removed,
        )
    )


def _question(verb: str, pending: Mapping[str, Mapping[str, KeywordPlan]], apps: Apps, *, several_lists: bool) -> str:
    """The question. It names each app with its address."""
    addresses = apps.addresses()
    if not several_lists:
        ((list_id, plans),) = pending.items()
        places = [keyword_view.place(name, addresses[name]) for name in plans]
        return f"{verb} {visible(list_id)} {'in' if any(plans) else 'of'} {', '.join(places)}?"
    parts = []
    for name, address in addresses.items():
        count = sum(name in plans for plans in pending.values())
        if count:
            parts.append(f"{many(count, 'list', 'lists')} {'in' if name else 'of'} {keyword_view.place(name, address)}")
    return f"{verb} {', '.join(parts)}?"


def _result(
    planned: Outcome[KeywordPlan],
    sent: Outcome[AppliedChanges] | None,
    *,
    app: str,
    list_id: str,
    goal: str,
    advice: str,
    dry_run: bool,
) -> keyword_view.Result:
    applied = None if sent is None else sent.result
    return keyword_view.Result(
        app=app,
        list_id=list_id,
        goal=goal,
        advice=advice,
        plan=planned.result if applied is None else applied.plan,
        update=None if applied is None else applied.update,
        planned_again=0 if applied is None else applied.planned_again,
        error=planned.error if sent is None else sent.error,
        dry_run=dry_run,
    )


def print_errors(outcomes: Mapping[str, Outcome[T]], advice: str = UPDATE_UNKNOWN) -> None:
    """Print the error of each app."""
    for app, outcome in outcomes.items():
        if outcome.error is not None:
            print_app_error(app, outcome.error, advice)


def print_errors_of_lists(outcomes: Mapping[str, Mapping[str, Outcome[T]]], advice: str = UPDATE_UNKNOWN) -> None:
    """Print the errors of several lists with `list in app`. An error that all lists of an app share is printed once.

    Args:
        outcomes: the outcomes of each list by app.
        advice: the advice if the outcome of an update is unknown.
    """
    found: dict[int, tuple[str, str, CometChatError]] = {}
    for list_id, by_app in outcomes.items():
        for app, each in by_app.items():
            if each.error is None:
                continue
            # The same error means that no list of this app could be read.
            place = app if id(each.error) in found else f"{list_id} in {app}" if app else list_id
            found[id(each.error)] = (place, app, each.error)
    for place, app, error in found.values():
        print_app_error(app, error, advice, place=place)


def _print_errors(outcomes: Mapping[str, Mapping[str, Outcome[T]]], advice: str, *, several_lists: bool) -> None:
    if several_lists:
        print_errors_of_lists(outcomes, advice)
        return
    for by_app in outcomes.values():
        print_errors(by_app, advice)


def _raise(error: CometChatError | None, advice: str) -> None:
    """Raise the error of the only app. The line for an unknown outcome has its own advice."""
    if error is None:
        return
    if error.outcome_unknown and advice != UPDATE_UNKNOWN:
        print_error(reason_for(error, advice))
        return
    raise error
