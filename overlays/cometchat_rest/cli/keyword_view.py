"""How keyword lists, plans for them, and what came of those look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from attrs import frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.keywords.plan import SHOWN_ENTRIES, KeywordPlan, KeywordUpdate, listed, many

from .columns import Column, Record, time_of
from .exit_codes import Code, code_for, reason_for
from .output import Output, OutputFormat, chosen, show
from .table import write

_STYLES = {"-": "red", "+": "green", "~": "cyan", "!": "yellow"}

#: A row of CSV for each change of a plan.
CHANGES = (
    Column(title="App", value=itemgetter("app")),
    Column(title="Change", value=itemgetter("change")),
    Column(title="Entry", value=itemgetter("entry")),
)


#: What is said of a list without entries, which is not the same as one that has none.
HIDDEN = "the service does not show its entries"


def show_list(found: KeywordList, entries: Sequence[str] | None) -> None:
    """A list for people: what it is, and its entries, one to a line; `None` where they are not shown."""
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


def show_plans(plans: Mapping[str, KeywordPlan], *, whole: bool, stderr: bool = False) -> None:
    """Plans for people, one below the other; under the app's name where it has one."""
    for name, plan in plans.items():
        if name:
            write(f"# {name}", "bold", stderr=stderr)
        for line in plan.describe(None if whole else SHOWN_ENTRIES).split("\n"):
            write(line, _STYLES.get(line[:1], ""), stderr=stderr)


def would_change(plan: KeywordPlan) -> bool:
    """Whether there is anything to be done; so too where the service does not show what there is."""
    return plan.has_changes or plan.current is None


def plan_records(plans: Mapping[str, KeywordPlan]) -> Iterator[Record]:
    """Plans for programs."""
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
    """What plans would change, one thing at a time."""
    for name, plan in plans.items():
        for change, entries in (("removed", plan.removed), ("added", plan.added), ("field", plan.changed_fields)):
            for entry in entries:
                yield {"app": name, "change": change, "entry": entry}


@frozen
class Result:
    """What came of a plan in one app; without an update where there was nothing to change."""

    app: str
    plan: KeywordPlan
    update: KeywordUpdate | None

    @property
    def outcome(self) -> str:
        """In a word, for programs."""
        if self.update is None:
            return "unchanged"
        return {True: "updated", False: "different", None: "unverified"}[self.update.matches]

    @property
    def code(self) -> Code:
        """How the command ends because of this."""
        if self.update is not None and self.update.error is not None:
            return code_for(self.update.error)
        return Code.CONFLICT if self.outcome == "different" else Code.DONE

    def record(self) -> Record:
        """The result for programs."""
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
        """The result for people."""
        update, list_id = self.update, self.plan.list_id
        if update is None:
            return f"{list_id} is as the file has it already: nothing was changed."
        now = f"now at revision {update.keyword_list.revision_id}"
        if update.matches:
            recovered = (
                " (its answer was lost; reading it back showed that it was carried out)" if update.recovered else ""
            )
            return f"{list_id} is as planned, {now}{recovered}."
        if update.error is not None:
            return f"{list_id} was updated, but could not be read back: {reason_for(update.error)}"
        if update.matches is None:
            return f"{list_id} was updated, {now}; {HIDDEN}."
        missing = many(len(update.missing), "entry is missing", "entries are missing")
        different = ", ".join([missing, f"{len(update.unexpected):,} unexpected", *update.differing_fields])
        return f"{list_id} is not what was sent: {different}; {now}."


def show_results(results: Sequence[Result], output: Output, *, whole: bool) -> None:
    """What came of plans: for people a sentence each, and which entries differ; a record each for programs."""
    form = chosen(output)
    if form is not OutputFormat.TABLE:
        show((result.record() for result in results), _RESULTS, form)
        return
    for result in results:
        name = f"{result.app}: " if result.app else ""
        write(name + result.sentence(), "" if result.code is Code.DONE else "yellow")
        if result.update is not None:
            _write_entries("- ", result.update.missing, whole=whole)
            _write_entries("+ ", result.update.unexpected, whole=whole)


def _write_entries(mark: str, entries: Sequence[str], *, whole: bool) -> None:
    for line in listed(mark, entries, None if whole else SHOWN_ENTRIES):
        write(line, _STYLES[mark[0]])


_RESULTS = tuple(
    Column(title=name, value=itemgetter(name))
    for name in ("app", "list_id", "outcome", "revision_id", "missing", "unexpected", "differing_fields", "recovered")
)
