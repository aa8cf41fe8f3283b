"""Show keyword lists, plans and the results of updates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from attrs import frozen

from cometchat_rest import KeywordList, KeywordPlan, KeywordUpdate

from .columns import Column, Record, time_of
from .exit_codes import Code, code_for, reason_for
from .output import Output, OutputFormat, format_for, show
from .table import write
from .wording import many

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
    for entry in entries or ():
        write(entry)


def show_plans(plans: Mapping[str, KeywordPlan], *, all_entries: bool, stderr: bool = False) -> None:
    """Show plans to people, each below the name of its app."""
    for name, plan in plans.items():
        if name:
            write(f"# {name}", "bold", stderr=stderr)
        for line in _described(plan, all_entries=all_entries).split("\n"):
            write(line, style_of(line), stderr=stderr)


def style_of(line: str) -> str:
    """The style of a line of a plan."""
    return _STYLES.get(line[:1], "")


def _described(plan: KeywordPlan | KeywordUpdate, *, all_entries: bool) -> str:
    return plan.describe(None) if all_entries else plan.describe()


def may_change(plan: KeywordPlan) -> bool:
    """Whether the update may change the list; true if the service does not show the current entries."""
    return plan.has_changes or plan.current is None


def plan_records(plans: Mapping[str, KeywordPlan]) -> Iterator[Record]:
    """Plans as records for programs."""
    for name, plan in plans.items():
        yield {
            "app": name or None,
            "list_id": plan.list_id,
            "revision_id": plan.revision_id,
            "category": plan.category,
            "new_category": plan.new.category,
            "sent_as": plan.sent_as,
            "has_changes": plan.has_changes,
            "changed_fields": plan.changed_fields,
            "entries_before": None if plan.current is None else len(plan.current),
            "entries_after": len(plan.entries),
            "share_removed": plan.share_removed,
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


@frozen
class Result:
    """The result of a plan in one app. `update` is `None` if there was nothing to change."""

    app: str
    plan: KeywordPlan
    update: KeywordUpdate | None
    #: The source of the planned entries, for sentences.
    source: str = "the file"

    @property
    def outcome(self) -> str:
        """The result in one word, for programs."""
        if self.update is None:
            return "unchanged"
        return {True: "updated", False: "different", None: "unverified"}[self.update.matches]

    @property
    def code(self) -> Code:
        """The exit code for this result."""
        if self.update is not None and self.update.error is not None:
            return code_for(self.update.error)
        return Code.CONFLICT if self.outcome == "different" else Code.DONE

    def record(self) -> Record:
        """The result as a record for programs."""
        update = self.update
        return {
            "app": self.app or None,
            "list_id": self.plan.list_id,
            "outcome": self.outcome,
            "revision_id": self.plan.revision_id if update is None else update.keyword_list.revision_id,
            "missing": () if update is None else update.missing,
            "unexpected": () if update is None else update.unexpected,
            "differing_fields": () if update is None else update.differing_fields,
            "recovered": update is not None and update.recovered,
        }

    def sentence(self) -> str:
        """The result as a sentence for people."""
        update, list_id = self.update, self.plan.list_id
        if update is None:
            return f"{list_id} already matches {self.source}: no update was sent."
        now = f"now at revision {update.keyword_list.revision_id}"
        if update.matches:
            lost = " The response to the update was lost, but the list was read back." if update.recovered else ""
            return f"{list_id} matches {self.source}, {now}.{lost}"
        if update.error is not None:
            return f"{list_id} was updated, but reading it back failed: {reason_for(update.error)}"
        if update.matches is None:
            return f"{list_id} was updated, {now}. The entries are not verified: {HIDDEN}."
        missing = many(len(update.missing), "entry is missing", "entries are missing")
        different = ", ".join([missing, f"{len(update.unexpected):,} unexpected", *update.differing_fields])
        return f"{list_id} differs from {self.source}: {different}; {now}."


def show_results(results: Sequence[Result], output: Output, *, all_entries: bool) -> None:
    """Show each result: to people as a sentence with the entries that differ, to programs as a record."""
    output_format = format_for(output)
    if output_format is not OutputFormat.TABLE:
        show((result.record() for result in results), _RESULTS, output_format)
        return
    for result in results:
        name = f"{result.app}: " if result.app else ""
        write(name + result.sentence(), "" if result.code is Code.DONE else "yellow")
        if result.update is not None:
            for line in _described(result.update, all_entries=all_entries).splitlines():
                write(line, _STYLES[line[0]])


_RESULTS = tuple(
    Column(title=name, value=itemgetter(name))
    for name in ("app", "list_id", "outcome", "revision_id", "missing", "unexpected", "differing_fields", "recovered")
)
