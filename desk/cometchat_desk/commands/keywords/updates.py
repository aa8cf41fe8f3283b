"""Update keyword lists: show all plans, ask once, send the updates, and report the result of
each list in each app."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import define, field

from cometchat_desk.exit_codes import Code
from cometchat_desk.fleet import Outcome, run_jobs
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.messages import app_place, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.keys import known_keys
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import percent
from cometchat_desk.terminal.text import Command, visible
from cometchat_desk.wording import many
from cometchat_rest import (
    Client,
    CometChatError,
    InvalidRequestError,
    KeywordPlan,
    PlanRefusedError,
)
from cometchat_rest.keywords.text import REMOVAL_RULE

from . import gate
from .rows import Row, print_errors
from .update_options import UpdateOptions, find_journal
from .view import show_plan, show_rows

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal

T = TypeVar("T")
#: One change or several changes that an undo should keep.
CHANGES_OF_OTHERS = ("change that somebody else made", "changes that somebody else made")
_INTERRUPTED = "An update may or may not have been made. The history shows all updates:"


class Apps:
    """The apps that the options name, as a context manager that closes their clients."""

    def __init__(
        self, target: Target, *, all_apps: bool, accepted: Sequence[str] | None = None
    ) -> None:
        self.target = target
        # each app with its client, or the error in its settings
        self._made = connection.make_clients(target, all_apps=all_apps)
        self._apps = {
            name: made.result for name, made in self._made.items() if made.result is not None
        }
        self.names = list(self._made)  # the names of all apps, in the order of the options
        self.addresses = {name: chat.base_url for name, (_, chat) in self._apps.items()}
        self._keys = known_keys(target.config, (app for app, _ in self._apps.values()))
        self._accepted = accepted or ()

    def run(self, jobs: Mapping[str, Callable[[Client], T | None]]) -> dict[str, Outcome[T]]:
        """Run a job for each named app, for several apps at the same time. An app without a
        client has its error."""
        done = run_jobs(
            {
                name: partial(job, self._apps[name][1])
                for name, job in jobs.items()
                if name in self._apps
            }
        )
        return {
            name: done[name] if name in done else Outcome(error=self._made[name].error)
            for name in jobs
        }

    def plan(
        self, keyword_id: str, job: Callable[[Client], KeywordPlan | None], file: Path | None = None
    ) -> list[Row]:
        """A row for each app, with the result of the job that plans the update of a list there;
        without a plan or an error, there is nothing to update."""
        with ProgressNote(f"Comparing {visible(keyword_id)}"):
            planned = self.run(dict.fromkeys(self.names, job))
        return self.rows(keyword_id, planned, file)

    def rows(
        self, keyword_id: str, planned: Mapping[str, Outcome[KeywordPlan]], file: Path | None = None
    ) -> list[Row]:
        """A row for each app, with the plan of a list, or with the error if there is no plan."""
        return [self._row(app, keyword_id, outcome, file) for app, outcome in planned.items()]

    def _row(
        self, app: str, keyword_id: str, outcome: Outcome[KeywordPlan], file: Path | None
    ) -> Row:
        row = Row(
            app=app,
            keyword_id=keyword_id,
            address=self.addresses.get(app),
            plan=outcome.result,
            error=outcome.error,
            file=file,
        )
        if row.plan is not None:
            secret = gate.secret_problem(row.plan, self._keys, self._accepted, file)
            if secret is not None:
                # A plan shows its entries, so a plan with a secret goes at once.
                row.plan = None
                row.error = secret
                row.stops_all = True
        return row

    def command(self, *words: str, apps: Iterable[str] = ()) -> Command:
        """A command of `keywords` for these apps, or for no named app, with the other options that
        name an app."""
        options = self.target.words([app for app in apps if app])
        return Command(shlex.join(["cometchat-desk", "keywords", *words, *options]))

    def __enter__(self) -> Apps:
        return self

    def __exit__(self, *_: object) -> None:
        for _app, chat in self._apps.values():
            chat.close()


@define(kw_only=True, eq=False)
class Run:
    """A command that updates lists. It shows all plans on stderr, asks once, sends, and reports
    each row once."""

    command: str = field(kw_only=False)  # the name of the command in its group
    apps: Apps  # the apps
    rows: Sequence[Row]  # the plan of each list in each app
    options: UpdateOptions  # the options of the command
    # the largest share of entries that a plan may remove; `None`: the default of the client
    max_removed: float | None = None
    changes: Changes | None = None  # the additions and removals, if the plans were made for them
    batches: Sequence[gate.Batch] = ()  # the entries to add
    _printed: set[int] = field(factory=set[int], init=False)

    def execute(self) -> Code:
        """Carry out the command."""
        journal = find_journal(f"keywords {self.command}")
        self._show_plans()
        self._stop_all()
        pending = {row: row.pending for row in self.rows if row.pending is not None}
        if pending and not self.options.dry_run:
            self._ask_and_send(pending, journal)
        self._report(self.rows, journal)
        return max(row.code for row in self.rows)

    def _show_plans(self) -> None:
        for row in self.rows:
            if row.plan is not None:
                self._show(row, row.plan)
            elif row.error is None and self.changes is not None:
                row.absent = [*dict.fromkeys(self.changes.remove)]

    def _show(self, row: Row, plan: KeywordPlan) -> None:
        """Show a plan with the findings of the linter, and refuse it if it is not allowed."""
        # Additions and removals are always shown: an entry that is not in the list may be a typing
        # error.
        if row.pending is None and self.changes is None:
            return
        if self.changes is not None:
            row.findings = gate.find(plan, self.batches, beside=plan.current or ())
            row.absent = self.changes.not_present(plan)
        # The list had the entries of an undo before, so the linter does not check them.
        elif row.file is not None:
            row.findings = gate.find(plan, [gate.Batch(plan.entries, row.file)])
        show_plan(row, plan, self.changes, all_entries=self.options.all_entries)
        # Without --yes, a person sees the findings, and decides.
        unseen = gate.problem(row.findings, self.options.accept or ()) if self.options.yes else ""
        row.stops_all = bool(unseen)
        row.error = self._refusal(row, plan, unseen)

    def _refusal(self, row: Row, plan: KeywordPlan, unseen: str) -> CometChatError | None:
        """The error of a plan that must not be sent: it removes too much, or changes of others, or
        has entries that nobody has seen."""
        limits = [removal_problem(plan, self._limit(row))]
        if self.options.yes:
            limits.append(_problem_of_others(row))
        reasons = [reason for reason in (*limits, unseen) if reason]
        if not reasons:
            return None
        kind = PlanRefusedError if any(limits) else InvalidRequestError
        return _not_sent(kind, "; ".join(reasons), plan)

    def _stop_all(self) -> None:
        """Send nothing at all if the new entries of one list must not be sent."""
        if not (self.options.yes and any(row.stops_all for row in self.rows)):
            return
        for row in self.rows:
            if row.pending is not None:
                reason = "the command updates all lists or no list, and it refused another list"
                row.error = _not_sent(InvalidRequestError, reason, row.pending)

    def _limit(self, row: Row) -> float | None:
        return self.max_removed if row.max_removed is None else row.max_removed

    def _ask_and_send(self, pending: Mapping[Row, KeywordPlan], journal: Journal) -> None:
        # An unusable journal is an error before the question.
        journal.check()
        self._print_errors()
        prompts.confirm(self._question(list(pending)), yes=self.options.yes)
        try:
            self._send(pending, journal)
        except KeyboardInterrupt as interruption:
            finished = [row for row in pending if row.update is not None or row.error is not None]
            self._report(finished, journal)
            interruption.add_note(_INTERRUPTED)
            interruption.add_note(self.apps.command("history", apps=self.apps.names))
            raise

    def _report(self, rows: Sequence[Row], journal: Journal) -> None:
        """Show results, and the one command that undoes several updates."""
        show_rows(rows, self.options.output_format, all_entries=self.options.all_entries)
        undoable = [row for row in self.rows if row.undo is not None]
        if len(undoable) > 1:
            number = max(journal.numbers.values())
            # The journal knows the apps.
            command = self.apps.command("undo", "--command", str(number))
            write_note(f"to undo these {len(undoable)} updates together", [command])
        self._print_errors()

    def _question(self, pending: Sequence[Row]) -> str:
        """The question names each list that will be updated, and each one that is refused, with
        its app."""
        verb = "Restore" if self.command == "undo" else "Update"
        refused = [
            f"{row.keyword_id} in {app_place(row.app, row.address)}"
            for row in self.rows
            if row.error
        ]
        lists: dict[str, list[str]] = {}
        for row in pending:
            lists.setdefault(app_place(row.app, row.address), []).append(row.keyword_id)
        places: dict[str, list[str]] = {}
        for place, names in lists.items():
            places.setdefault(", ".join(names), []).append(place)
        parts = [f"{names} in {', '.join(of_names)}" for names, of_names in places.items()]
        not_sent = f"Refused: {'; '.join(refused)}. " if refused else ""
        return visible(f"{not_sent}{verb} {'; '.join(parts)}?")

    def _send(self, pending: Mapping[Row, KeywordPlan], journal: Journal) -> None:
        """Send the updates, one list after the other. The apps of a list are updated at the same
        time."""
        lists = dict.fromkeys(row.keyword_id for row in pending)
        note = ProgressNote("Updating lists", len(pending))
        with note:
            for keyword_id in lists:
                jobs = {
                    row.app: partial(self._apply, row, plan, journal, note)
                    for row, plan in pending.items()
                    if row.keyword_id == keyword_id
                }
                self.apps.run(jobs)

    def _apply(
        self, row: Row, plan: KeywordPlan, journal: Journal, note: ProgressNote, chat: Client
    ) -> None:
        """Send one update. Its row has the result at once: Ctrl-C may end another update."""
        limit = self._limit(row)
        try:
            row.update = journal.apply(
                chat, plan, app=row.app, reason=self.options.reason, max_removed=limit
            )
            if plan.current:
                number = journal.numbers[chat.base_url, row.keyword_id]
                row.undo = self.apps.command("undo", row.keyword_id, str(number), apps=[row.app])
        except CometChatError as error:
            row.error = error
        finally:
            note.advance()

    def _print_errors(self) -> None:
        """Print the errors that were not printed before."""
        print_errors([row for row in self.rows if id(row) not in self._printed])
        self._printed = {id(row) for row in self.rows if row.error is not None}


def _not_sent(kind: type[InvalidRequestError], reason: str, plan: KeywordPlan) -> CometChatError:
    return kind(f"{reason}. No update was sent.", path_values={"keyword_id": plan.keyword_id})


def _problem_of_others(row: Row) -> str:
    """Why a command that does not ask must not undo changes of others; an empty text if the plan
    has none."""
    if not row.of_others:
        return ""
    changes = many(len(row.of_others), *CHANGES_OF_OTHERS)
    return f"this would undo {changes}; to see them and decide, leave out --yes"


def removal_problem(plan: KeywordPlan, max_removed: float | None) -> str:
    """The reason why a plan removes too much, with what allows it; empty if it does not."""
    try:
        plan.check_removed(max_removed)
    except PlanRefusedError as error:
        share = error.share_removed
        if share is None:
            return (
                "the service does not show the entries, so the number of removed entries is"
                " unknown; only --max-removed 100% allows the update, and then all entries that"
                " are not sent are lost"
            )
        count = len(plan.current or ())
        rule = f"--max-removed allows {error.max_removed:.1%}"
        if max_removed is None:
            allowed = round(error.max_removed * count)
            rule = f"by default, --max-removed allows {allowed:,}: {REMOVAL_RULE}"
        return (
            f"{error.removed:,} of {many(count, 'entry', 'entries')} ({share:.1%}) would be"
            f" removed; {rule}; look at the plan: --max-removed {percent(share)} allows the update"
        )
    return ""
