"""Update keyword lists: show the plan of each app, ask once, send the updates, and show the result of each app."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

import cometchat_rest
from cometchat_rest import CometChatError, Fleet, KeywordPlan, Outcome
from cometchat_rest.desk.changes import AppliedChanges

from . import connection, keyword_view, lint_check, prompts
from .escaping import visible
from .exit_codes import UPDATE_UNKNOWN, Code, code_for, print_error, reason_for, warn_if_interrupted
from .journal import apply_journaled, open_journal
from .output import Output
from .progress import ProgressNote
from .shares import percent
from .target import Target
from .wording import many

if TYPE_CHECKING:
    from cometchat_rest.desk.journal import Journal

T = TypeVar("T")

#: Sends the updates of the apps, and records them in the journal.
Send = Callable[[Mapping[str, KeywordPlan], "Journal | None"], Mapping[str, Outcome[AppliedChanges]]]

#: The advice after additions or removals with an unknown outcome.
CHANGES_UNKNOWN = (
    "The update may or may not have been made. Wait a minute, and run the same command again: it changes only the "
    "entries that still need a change."
)


@frozen(kw_only=True)
class UpdateOptions:
    """The options of all commands that update lists.

    Attributes:
        yes: whether to send the updates without a question.
        all_entries: whether to show all entries.
        output: the format of the results.
        accept: the rules of the linter whose errors the user accepts.
        journal_file: the journal; `None` for the default journal.
        no_journal: whether to send the updates without a journal.
    """

    yes: bool
    all_entries: bool
    output: Output
    accept: Sequence[str] | None = None
    journal_file: Path | None = None
    no_journal: bool = False


class Apps:
    """The apps that the options name, as a context manager that closes their clients.

    Attributes:
        fleet: the apps that have a client.
        broken: the error of each app that has none.
        lint_files: the settings of the linter that the profiles of the apps name.
    """

    def __init__(self, target: Target, *, all_apps: bool) -> None:
        clients = connection.make_clients(target, all_apps=all_apps)
        self.broken: dict[str, Outcome[KeywordPlan]] = {
            name: Outcome(error=each.error) for name, each in clients.items() if each.error is not None
        }
        self.fleet = Fleet(results(clients))
        self._names = list(clients)
        self.lint_files = connection.lint_files(target, self.fleet.apps)

    def plans(
        self, list_id: str, planning: Callable[[Fleet], Mapping[str, Outcome[KeywordPlan]]]
    ) -> Mapping[str, Outcome[KeywordPlan]]:
        """The plan of each app, or its error, in the order of the options."""
        with ProgressNote(f"Comparing {visible(list_id)}"):
            planned = {**planning(self.fleet), **self.broken}
        return {name: planned[name] for name in self._names}

    def addresses(self) -> Mapping[str, str]:
        """The address of each app that has a client."""
        return {name: chat.base_url for name, chat in self.fleet.apps.items()}

    def __enter__(self) -> Apps:
        return self

    def __exit__(self, *_: object) -> None:
        self.fleet.close()


def update_lists(
    apps: Apps,
    list_id: str,
    plans: Mapping[str, Outcome[KeywordPlan]],
    send: Send,
    options: UpdateOptions,
    *,
    goal: str,
    verb: str = "Update",
    file: Path | None = None,
    max_removed: float | None = None,
    advice: str = UPDATE_UNKNOWN,
) -> Code:
    """Show the plans on stderr, ask, send the updates, and show the results.

    Args:
        apps: the apps.
        list_id: the list's identifier.
        plans: the plan of each app, or its error.
        send: sends the updates.
        options: the options of the command.
        goal: the source of the new content, for the sentences: `the file`.
        verb: the first word of the question.
        file: the file with the new content; the settings of the linter are beside it.
        max_removed: the largest share of entries that a plan may remove; `None` for any share.
        advice: the advice if the outcome of an update is unknown.

    Returns:
        The highest exit code of the apps.

    Raises:
        CometChatError: the error of the only app.
        StopError: new entries are damaged, the answer is not yes, or there is no terminal.
    """
    one_app = len(plans) == 1
    checked = {name: _check_removed(each, max_removed) for name, each in plans.items()}
    # Additions and removals are always shown: an entry that is not in the list may be a typing error.
    to_show = {
        name: each for name, each in results(plans).items() if each.from_changes or keyword_view.may_change(each)
    }
    keyword_view.show_plans(to_show, all_entries=options.all_entries, addresses=apps.addresses(), stderr=True)
    found = lint_check.find(to_show, file, apps.lint_files)
    lint_check.show(found, all_entries=options.all_entries, stderr=True)
    if not one_app:
        _print_errors(checked, advice)
    pending = {name: each for name, each in results(checked).items() if keyword_view.may_change(each)}
    lint_check.stop_if_damaged(pending, found, options.accept)
    sent: Mapping[str, Outcome[AppliedChanges]] = {}
    if pending:
        journal = open_journal(options.journal_file, off=options.no_journal)
        prompts.confirm(_question(verb, list_id, pending, apps), yes=options.yes)
        with warn_if_interrupted(advice), ProgressNote(f"Updating {visible(list_id)}"):
            sent = send(pending, journal)
    shown = [
        _result(each, sent.get(name), app=name, list_id=list_id, goal=goal, advice=advice)
        for name, each in checked.items()
    ]
    keyword_view.show_results(shown, options.output, all_entries=options.all_entries)
    if one_app:
        _raise(shown[0].error, advice)
    else:
        _print_errors(sent, advice)
    return max(each.code for each in shown)


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
    _print_errors(outcomes, UPDATE_UNKNOWN)
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


def _check_removed(outcome: Outcome[KeywordPlan], max_removed: float | None) -> Outcome[KeywordPlan]:
    """The same outcome, or an error if the plan removes too much. The check comes before the question."""
    plan = outcome.result
    if plan is None or max_removed is None:
        return outcome
    reason = refusal(plan, max_removed)
    if reason is None:
        return outcome
    return Outcome(
        error=cometchat_rest.PlanRefusedError(
            f"{visible(plan.list_id)}: {reason}. No update was sent.",
            removed=len(plan.removed),
            share_removed=plan.share_removed,
            max_removed=max_removed,
        )
    )


def _question(verb: str, list_id: str, pending: Mapping[str, object], apps: Apps) -> str:
    addresses = apps.addresses()
    places = [keyword_view.place(name, addresses[name]) for name in pending]
    return f"{verb} {visible(list_id)} {'in' if any(pending) else 'of'} {', '.join(places)}?"


def _result(
    planned: Outcome[KeywordPlan],
    sent: Outcome[AppliedChanges] | None,
    *,
    app: str,
    list_id: str,
    goal: str,
    advice: str,
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
    )


def _print_errors(outcomes: Mapping[str, Outcome[T]], advice: str) -> None:
    for name, outcome in outcomes.items():
        if outcome.error is not None:
            print_error(f"{visible(name)}: {reason_for(outcome.error, advice)}")


def _raise(error: CometChatError | None, advice: str) -> None:
    """Raise the error of the only app. The line for an unknown outcome has its own advice."""
    if error is None:
        return
    if error.outcome_unknown and advice != UPDATE_UNKNOWN:
        print_error(reason_for(error, advice))
        return
    raise error
