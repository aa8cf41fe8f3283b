"""Show keyword lists, plans and the results of updates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from attrs import frozen

from cometchat_desk.exit_codes import UPDATE_UNKNOWN, Code, code_for, reason_for
from cometchat_desk.failed_calls import HOSTED
from cometchat_desk.terminal.columns import Column, Record, time_of
from cometchat_desk.terminal.output import Output, OutputFormat, format_for, show
from cometchat_desk.terminal.table import write, write_lines
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import CometChatError, KeywordList, KeywordPlan, KeywordUpdate

_STYLES = {"-": "red", "+": "green", "~": "cyan", "!": "yellow"}

#: The columns of CSV for plans, which has a row for each change.
CHANGES = (
    Column(title="App", value=itemgetter("app")),
    Column(title="Change", value=itemgetter("change")),
    Column(title="Entry", value=itemgetter("entry")),
)

#: The message if a response has no entries, which does not mean that the list is empty.
HIDDEN = "the service does not show its entries"


def show_list(found: KeywordList, entries: Sequence[str] | None) -> None:
    """Show a list to people: a description, then one entry in a line. `None`: the service does not show the entries."""
    about = [str(found.category), HIDDEN if entries is None else many(len(entries), "entry", "entries")]
    about += ["not active"] if found.active is False else []
    about += ["a default list"] if found.default is True else []
    write(str(found.name or found.id), "bold")
    when = f"revision {found.revision_id}, updated {time_of(found.updated_at)} UTC"
    for line in (", ".join(about), found.description, when):
        if line:
            write(str(line), "dim")
    write("")
    write_lines([(entry, "") for entry in entries or ()])


def show_plans(
    plans: Mapping[str, KeywordPlan],
    *,
    all_entries: bool,
    addresses: Mapping[str, str],
    refusal: Callable[[KeywordPlan], str | None] | None = None,
    stderr: bool = False,
) -> None:
    """Show plans to people, each below the name and the address of its app.

    Args:
        plans: the plan of each app.
        all_entries: whether to show all entries.
        addresses: the address of each app.
        refusal: returns the reason why `apply` would refuse a plan, which becomes a warning.
        stderr: whether to write to stderr.
    """
    for name, plan in plans.items():
        if name:
            write(f"# {place(name, addresses[name])}", "bold", stderr=stderr)
        lines = _described(plan, all_entries=all_entries).split("\n")
        if refusal is not None and (reason := refusal(plan)) is not None:
            lines.append(f"! apply would refuse this plan: {reason}")
        write_lines([(line, style_of(line)) for line in lines], stderr=stderr)


def place(name: str, base_url: str) -> str:
    """The name and the address of an app, for a question: `shop (253179cf5f665257, eu)`."""
    hosted = HOSTED.fullmatch(base_url)
    address = f"{hosted['app']}, {hosted['region']}" if hosted else base_url
    if name:
        return f"{visible(name)} ({visible(address)})"
    return f"app {hosted['app']} ({hosted['region']})" if hosted else f"the app at {visible(address)}"


def style_of(line: str) -> str:
    """The style of a line of a plan."""
    return _STYLES.get(line[:1], "")


def _described(plan: KeywordPlan | KeywordUpdate, *, all_entries: bool) -> str:
    return plan.describe(None) if all_entries else plan.describe()


def may_change(plan: KeywordPlan) -> bool:
    """Whether the update may change the list; true if the service does not show the current entries."""
    return plan.has_changes or plan.current is None


def plan_records(plans: Mapping[str, KeywordPlan], refusal: Callable[[KeywordPlan], str | None]) -> Iterator[Record]:
    """Plans as records for programs. `refusal` returns the reason why `apply` would refuse a plan."""
    for name, plan in plans.items():
        yield {
            "app": name or None,
            "base_url": plan.base_url,
            "list_id": plan.list_id,
            "revision_id": plan.revision_id,
            "active": plan.keyword_list.active,
            "category": plan.category,
            "new_category": plan.new.category,
            "sent_as": plan.sent_as,
            "has_changes": plan.has_changes,
            "changed_fields": plan.changed_fields,
            "entries_before": None if plan.current is None else len(plan.current),
            "entries_after": len(plan.entries),
            "share_removed": plan.share_removed,
            "refused": refusal(plan),
            "added": plan.added,
            "removed": plan.removed,
            "duplicates": plan.duplicates,
            "case_variants": plan.case_variants,
            "too_long": plan.too_long,
            "invalid_patterns": plan.invalid_patterns,
            "unbounded": plan.unbounded,
            "terms_with_separator": plan.terms_with_separator,
        }


def changes(plans: Mapping[str, KeywordPlan]) -> Iterator[Record]:
    """The changes of all plans, one record for each."""
    for name, plan in plans.items():
        for change, entries in (("removed", plan.removed), ("added", plan.added), ("field", plan.changed_fields)):
            for entry in entries:
                yield {"app": name, "change": change, "entry": entry}


@frozen(kw_only=True)
class Result:
    """The result in one app.

    Attributes:
        app: the name of the app; empty if it has none.
        list_id: the list's identifier.
        goal: the source of the new content: `the file`.
        plan: the plan; `None` if planning failed.
        update: the result of the update; `None` if there was nothing to change, or an error.
        planned_again: how many times the changes were planned again, because the list had changed.
        error: the error.
        advice: the advice for an error that leaves the outcome unknown.
        dry_run: whether the plan was only shown.
    """

    app: str
    list_id: str
    goal: str
    plan: KeywordPlan | None
    update: KeywordUpdate | None
    planned_again: int = 0
    error: CometChatError | None = None
    advice: str = UPDATE_UNKNOWN
    dry_run: bool = False

    @property
    def outcome(self) -> str:
        """The result in one word, for programs."""
        if self.error is not None:
            return "unknown" if self.error.outcome_unknown else "failed"
        if self.update is None:
            planned = self.dry_run and self.plan is not None and may_change(self.plan)
            return "planned" if planned else "unchanged"
        return {True: "updated", False: "different", None: "unverified"}[self.update.matches]

    @property
    def code(self) -> Code:
        """The exit code for this result."""
        error = self.error if self.update is None else self.update.error
        if error is not None:
            return code_for(error)
        return Code.CONFLICT if self.outcome == "different" else Code.DONE

    def record(self) -> Record:
        """The result as a record for programs."""
        update, plan = self.update, self.plan
        was_sent = plan is not None and self.outcome not in ("failed", "unchanged")
        before = None if plan is None else plan.revision_id
        now = before if self.outcome in ("unchanged", "planned") else None
        return {
            "app": self.app or None,
            "list_id": self.list_id,
            "outcome": self.outcome,
            "previous_revision": before,
            "revision_id": now if update is None else update.keyword_list.revision_id,
            "added": plan.added if plan is not None and was_sent else (),
            "removed": plan.removed if plan is not None and was_sent else (),
            "missing": () if update is None else update.missing,
            "unexpected": () if update is None else update.unexpected,
            "differing_fields": () if update is None else update.differing_fields,
            "recovered": update is not None and update.recovered,
            "planned_again": self.planned_again,
            "exit_code": int(self.code),
            "error": None if self.error is None else reason_for(self.error, self.advice),
        }

    def sentence(self) -> str:
        """The result as a sentence for people."""
        again = " The list had changed since the plan was shown, so the same changes were planned again."
        return self._sentence() + (again if self.planned_again else "")

    def _sentence(self) -> str:
        update, list_id = self.update, self.list_id
        if self.outcome == "planned" and self.plan is not None:
            counts = f"{len(self.plan.added):,} added, {len(self.plan.removed):,} removed"
            return f"{list_id} would be updated: {counts}. No update was sent."
        if update is None:
            return f"{list_id} already matches {self.goal}: no update was sent."
        now = f"now at revision {update.keyword_list.revision_id}"
        if update.matches:
            lost = " The response to the update was lost, but the list was read back." if update.recovered else ""
            return f"{list_id} matches {self.goal}, {now}.{lost}"
        if update.error is not None:
            return f"{list_id} was updated, but reading it back failed: {reason_for(update.error)}"
        if update.matches is None:
            return f"{list_id} was updated, {now}. The entries are not verified: {HIDDEN}."
        missing = many(len(update.missing), "entry is missing", "entries are missing")
        different = ", ".join([missing, f"{len(update.unexpected):,} unexpected", *update.differing_fields])
        return f"{list_id} differs from {self.goal}: {different}; {now}."


def show_results(results: Sequence[Result], output: Output, *, all_entries: bool) -> None:
    """Show each result: to people as a sentence with the entries that differ, to programs as a record.

    People see errors on stderr only.
    """
    output_format = format_for(output)
    if output_format is not OutputFormat.TABLE:
        show((result.record() for result in results), _RESULTS, output_format)
        return
    for result in results:
        if result.error is not None:
            continue
        name = f"{result.app}: " if result.app else ""
        write(name + result.sentence(), "" if result.code is Code.DONE else "yellow")
        if result.update is not None:
            lines = _described(result.update, all_entries=all_entries).splitlines()
            write_lines([(line, style_of(line)) for line in lines])


_RESULTS = tuple(
    Column(title=name, value=itemgetter(name))
    for name in (
        "app",
        "list_id",
        "outcome",
        "previous_revision",
        "revision_id",
        "added",
        "removed",
        "missing",
        "unexpected",
        "differing_fields",
        "recovered",
        "planned_again",
        "exit_code",
        "error",
    )
)
