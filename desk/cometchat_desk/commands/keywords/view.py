"""Show keyword lists, plans and the results of updates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cometchat_desk.lists.plan_changes import Changes
from cometchat_desk.lists.plan_text import SHOWN_ENTRIES, describe_plan, describe_update
from cometchat_desk.messages import app_place
from cometchat_desk.terminal.columns import Record, named_columns, time_of
from cometchat_desk.terminal.table import write, write_lines
from cometchat_desk.terminal.text import visible
from cometchat_desk.wording import many
from cometchat_rest import KeywordList, KeywordPlan, KeywordUpdate
from cometchat_rest.endpoint import hosted_app

_STYLES = {"-": "red", "+": "green", "~": "cyan", "!": "yellow"}

#: The columns of CSV for plans, which has a row for each change.
CHANGES = named_columns("app", "change", "entry")

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
    changes: Changes | None = None,
    stderr: bool = False,
) -> None:
    """Show plans to people, each below the name and the address of its app.

    Args:
        plans: the plan of each app.
        all_entries: whether to show all entries.
        addresses: the address of each app.
        refusal: returns the reason why `apply` would refuse a plan, which becomes a warning.
        changes: the additions and removals, if the plans were made for them.
        stderr: whether to write to stderr.
    """
    for name, plan in plans.items():
        if name:
            write(f"# {place(name, addresses[name])}", "bold", stderr=stderr)
        lines = describe_plan(plan, limit=None if all_entries else SHOWN_ENTRIES, changes=changes)
        if refusal is not None and (reason := refusal(plan)) is not None:
            lines.append(f"! apply would refuse this plan: {reason}")
        write_lines([(line, style_of(line)) for line in lines], stderr=stderr)


def place(name: str, base_url: str) -> str:
    """The name and the address of an app, for a question: `shop (253179cf5f665257, eu)`."""
    hosted = hosted_app(base_url)
    address = f"{hosted[0]}, {hosted[1]}" if hosted else base_url
    if name:
        return f"{visible(name)} ({visible(address)})"
    return visible(app_place("", base_url))


def style_of(line: str) -> str:
    """The style of a line of a plan."""
    return _STYLES.get(line[:1], "")


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
        }


def changes(plans: Mapping[str, KeywordPlan]) -> Iterator[Record]:
    """The changes of all plans, one record for each."""
    for name, plan in plans.items():
        for change, entries in (("removed", plan.removed), ("added", plan.added), ("field", plan.changed_fields)):
            for entry in entries:
                yield {"app": name, "change": change, "entry": entry}


def show_differences(update: KeywordUpdate, *, all_entries: bool) -> None:
    """Show the entries that differ after an update."""
    lines = describe_update(update, limit=None if all_entries else SHOWN_ENTRIES)
    write_lines([(line, style_of(line)) for line in lines])
