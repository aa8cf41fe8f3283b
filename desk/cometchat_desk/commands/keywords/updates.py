"""Update keyword lists: show all plans, ask once, send the updates, and report the result of
each list in each app."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import define, field

from cometchat_desk import lint
from cometchat_desk.exit_codes import Code
from cometchat_desk.fleet import Outcome, run_jobs
from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.messages import app_place, warn_if_interrupted, write_note
from cometchat_desk.settings import connection
from cometchat_desk.settings.profiles import LIKE_A_TOKEN
from cometchat_desk.settings.target import Target
from cometchat_desk.terminal import prompts
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_desk.terminal.shares import USUAL_REMOVALS, percent
from cometchat_desk.terminal.table import warn
from cometchat_desk.terminal.text import Command, visible
from cometchat_desk.wording import many
from cometchat_rest import (
    Client,
    CometChatError,
    InvalidRequestError,
    KeywordPlan,
    KeywordUpdate,
    PlanRefusedError,
)

from . import lint_check
from .rows import Row, print_errors
from .typed_entries import is_list
from .update_options import UpdateOptions, find_journal
from .view import show_plan, show_rows

if TYPE_CHECKING:
    from cometchat_desk.journal import Journal

T = TypeVar("T")
#: The message for a file that names another list.
OTHER_LIST = "the file is of the list {}: name that list, or use a .txt file with only the entries"


class Apps:
    """The apps that the options name, as a context manager that closes their clients."""

    def __init__(self, target: Target, *, all_apps: bool) -> None:
        self.target = target
        # each app with its client, or the error in its settings
        self._made = connection.make_clients(target, all_apps=all_apps)
        self._apps = {
            name: made.result for name, made in self._made.items() if made.result is not None
        }
        self.names = list(self._made)  # the names of all apps, in the order of the options
        self.addresses = {name: chat.base_url for name, (_, chat) in self._apps.items()}
        self._keys = connection.known_keys(target, (app for app, _ in self._apps.values()))

    def run(self, jobs: Mapping[str, Callable[[Client], T]]) -> dict[str, Outcome[T]]:
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
        self, keyword_id: str, job: Callable[[Client], KeywordPlan], file: Path | None = None
    ) -> list[Row]:
        """A row for each app, with the result of the job that plans the update of a list there."""
        with ProgressNote(f"Comparing {visible(keyword_id)}"):
            planned = self.run(dict.fromkeys(self.names, job))
        return self.rows(keyword_id, planned, file)

    def rows(
        self, keyword_id: str, planned: Mapping[str, Outcome[KeywordPlan]], file: Path | None = None
    ) -> list[Row]:
        """A row for each app, with the plan of a list, or with the error if there is no plan."""
        rows = []
        for app, outcome in planned.items():
            plan, error = outcome.result, outcome.error
            # A plan shows its entries, so a plan with a secret goes at once.
            if plan is not None and (secret := self.secret_in(plan)) is not None:
                plan, error = None, secret
            address = self.addresses.get(app)
            rows.append(
                Row(
                    app=app,
                    keyword_id=keyword_id,
                    address=address,
                    plan=plan,
                    error=error,
                    file=file,
                )
            )
        return rows

    def secret_in(self, plan: KeywordPlan) -> InvalidRequestError | None:
        """The reason not to send a plan that holds a known API key or an auth token; each plan
        is asked about."""
        text = "\n".join(plan.entries)
        of_app = any(key in text for key in self._keys)
        secret = "the API key of an app" if of_app else "an auth token of a user"
        reason = f"an entry holds {secret}; remove the entry. No update was sent."
        found = of_app or LIKE_A_TOKEN.search(text)
        return (
            InvalidRequestError(reason, path_values={"keyword_id": plan.keyword_id})
            if found
            else None
        )

    def misnamed(self, row: Row, files: Sequence[Path | None] = ()) -> str:
        """A sentence about a file that has the name of another list; empty if each may be of
        this list."""
        chat = self._apps[row.app][1]
        own = row.keyword_id.replace("_", "-")
        stems = ((file, file.stem) for file in files or [row.file] if file is not None)
        others = (
            file for file, stem in stems if stem.replace("_", "-") != own and is_list(stem, chat)
        )
        return next(
            (
                f"{file} has the name of the list {file.stem}, not of {row.keyword_id}"
                for file in others
            ),
            "",
        )

    def undo_command(self, row: Row, number: int | None = None, verb: str = "undo") -> str:
        """The command that undoes the update of a row, or changes its list; with a number, that
        of one command."""
        what = [row.keyword_id] if number is None else ["--command", str(number)]
        words = ["cometchat-desk", "keywords", verb, *what]
        of_app = ("app_id", "region", "base_url", "api_key_file", "config")
        given = {"app": row.app, **{option: getattr(self.target, option) for option in of_app}}
        given["quotes"] = row.plan and row.plan.quotes
        if number is not None:
            # The journal knows the apps of the updates.
            del given["app"]
        for option, value in given.items():
            words += [f"--{option.replace('_', '-')}", str(value)] if value else []
        return shlex.join(words)

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
    additions: Sequence[str] = ()  # the entries of the file, and words before --, that are added
    files: Sequence[Path] = ()  # the files that the user named
    doubtful: Sequence[str] = ()  # entries of these files that may be titles
    remarks: Sequence[str] = ()  # what the user should know before the question
    _printed: set[int] = field(factory=set[int], init=False)

    def execute(self) -> Code:
        """Carry out the command."""
        self._show_plans()
        for remark in self.remarks:
            warn(f"{remark}.", stderr=True)
        pending = {row: row.pending for row in self.rows if row.pending is not None}
        if pending and not self.options.dry_run:
            journal = find_journal(f"keywords {self.command}")
            # An unusable journal is an error before the question.
            journal.check()
            self._print_errors()
            if self.options.yes and not self.options.all_apps:
                connection.check_chosen(self.apps.target)
            prompts.confirm(self._question(list(pending)), yes=self.options.yes)
            self._send(pending, journal)
        show_rows(self.rows, self.options.output_format, all_entries=self.options.all_entries)
        if len({row.keyword_id for row in self.rows}) > 1:
            self._name_undo_of_all(find_journal())
        self._print_errors()
        return max(row.code for row in self.rows)

    def _name_undo_of_all(self, journal: Journal) -> None:
        """Name the one command that undoes all updates."""
        updated = [row for row in self.rows if row.update is not None]
        # The updates were sent, whatever happens to the journal.
        with contextlib.suppress(CometChatError):
            history = (
                []
                if len(updated) < 2
                else journal.history(updated[0].keyword_id, app=updated[0].address)
            )
            before = updated[0].plan and updated[0].plan.revision_id if updated else None
            if numbers := [one.number for one in history if one.revision_before == before]:
                command = self.apps.undo_command(updated[0], numbers[-1])
                write_note(f"to undo all {len(updated)} updates", [Command(command)])

    def _show_plans(self) -> None:
        """Show the plans with the findings of the linter, and refuse those that are not allowed."""
        for row in self.rows:
            # Additions and removals are always shown: an entry that is not in the list may be a
            # typing error.
            if row.plan is not None and (row.pending is not None or self.changes is not None):
                row.findings = lint_check.find(row.plan, row.file, self.additions)
                row.absent = () if self.changes is None else self.changes.not_present(row.plan)
                show_plan(
                    row, all_entries=self.options.all_entries, changes=self.changes, stderr=True
                )
                row.error = self._refusal(row, row.plan)

    def _refusal(self, row: Row, plan: KeywordPlan) -> CometChatError | None:
        """The reason not to send a plan: a secret, too many removals, damaged entries, or both."""
        if (secret := self.apps.secret_in(plan)) is not None:
            return secret
        other, misnamed = _other_list(plan, row.file), self.apps.misnamed(row, self.files)
        if misnamed and self.options.yes:
            other = other or f"{misnamed}; to be asked, leave out --yes"
        elif misnamed:
            warn(f"{misnamed}.", stderr=True)
        titles = [
            one for one in self.doubtful if one in plan.entries and one not in (plan.current or ())
        ]
        if titles and self.options.yes and not other:
            other = (
                f"{lint.shown(titles[0])} may be the title of a column: add --header or --no-header"
            )
        if other:
            return InvalidRequestError(
                f"{other}. No update was sent.", path_values={"keyword_id": plan.keyword_id}
            )
        limit = self.max_removed if row.max_removed is None else row.max_removed
        problem = removal_problem(plan, limit, row.file)
        unseen = (
            (self.additions or plan.entries)
            if self.options.yes and (row.file or self.additions)
            else ()
        )
        damage = lint_check.damage(plan, row.findings, self.options.accept or (), row.file, unseen)
        also = f"{problem}. There is another problem: {damage}" if damage else f"{problem}."
        if not (problem or damage):
            return None
        kind = PlanRefusedError if problem else InvalidRequestError
        reason = also if problem else damage
        return kind(f"{reason} No update was sent.", path_values={"keyword_id": plan.keyword_id})

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
        others = f"Refused: {'; '.join(refused)}. " if refused else ""
        return visible(f"{others}{verb} {'; '.join(parts)}?")

    def _send(self, pending: Mapping[Row, KeywordPlan], journal: Journal) -> None:
        """Send the updates, one list after the other. The apps of a list are updated at the same
        time."""
        lists = dict.fromkeys(row.keyword_id for row in pending)
        by_list = {
            keyword_id: [row for row in pending if row.keyword_id == keyword_id]
            for keyword_id in lists
        }
        note = ProgressNote("Updating lists", len(pending))
        with warn_if_interrupted(), note:
            for rows in by_list.values():
                outcomes = self.apps.run(
                    {
                        row.app: partial(self._apply, row, pending[row], journal, note)
                        for row in rows
                    }
                )
                for row in rows:
                    row.error, row.update = outcomes[row.app].error, outcomes[row.app].result
                    row.undo = self.apps.undo_command(row)

    def _apply(
        self, row: Row, plan: KeywordPlan, journal: Journal, note: ProgressNote, chat: Client
    ) -> KeywordUpdate:
        limit = self.max_removed if row.max_removed is None else row.max_removed
        try:
            return journal.apply(
                chat, plan, app=row.app, reason=self.options.reason, max_removed=limit
            )
        finally:
            note.advance()

    def _print_errors(self) -> None:
        """Print the errors that were not printed before."""
        print_errors([row for row in self.rows if id(row) not in self._printed])
        self._printed = {id(row) for row in self.rows if row.error is not None}


def _other_list(plan: KeywordPlan, file: Path | None) -> str:
    """A sentence about a file for a list with another identifier, or with another category in
    its settings."""
    if plan.new.id not in (None, plan.keyword_id):
        return OTHER_LIST.format(plan.new.id)
    settings = None if file is None else lint.find_settings(file)
    named = settings and file and settings.category_for(file)
    if settings is None or named in (None, plan.new.category):
        return ""
    return (
        f"the file holds entries of category {named}, as {settings.file} says, and not"
        f" {plan.new.category}"
    )


def removal_problem(plan: KeywordPlan, max_removed: float | None, file: Path | None = None) -> str:
    """The reason why a plan removes too much, with what allows it; empty if it does not."""
    with contextlib.suppress(PlanRefusedError):
        plan.check_removed(max_removed)
        return ""
    if plan.current is None or plan.share_removed is None:
        hidden = (
            "the service does not show the entries, so the number of removed entries is unknown"
        )
        return f"{hidden}; --max-removed 100% allows the update"
    limit = f"by default, it may remove {USUAL_REMOVALS}"
    if max_removed is not None:
        limit = f"--max-removed allows {max_removed:.1%}"
    add = shlex.join(["cometchat-desk", "keywords", "add", plan.keyword_id, "--from", str(file)])
    keep = f"{add} adds entries and keeps all others, and " if plan.added and file else ""
    return (
        f"the update would remove {len(plan.removed):,} of"
        f" {many(len(plan.current), 'entry', 'entries')} ({plan.share_removed:.1%}), and {limit};"
        f" {keep}--max-removed {percent(plan.share_removed)} allows the update"
    )
