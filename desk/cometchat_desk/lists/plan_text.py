"""Plans, results and differences as text: `- ` is removed, `+ ` is added, `~ ` is changed, `! `
is a warning."""

from collections.abc import Collection, Iterator, Sequence

from cometchat_desk.wording import many
from cometchat_rest import KeywordPlan, KeywordUpdate, keyword_input
from cometchat_rest.keywords.text import readable

from .plan_changes import Changes

#: The number of entries of each kind that a text shows by default.
SHOWN_ENTRIES = 50


def describe_plan(
    plan: KeywordPlan,
    *,
    limit: int | None = SHOWN_ENTRIES,
    changes: Changes | None = None,
    of_others: Collection[str] = (),
) -> list[str]:
    """A plan as lines of text, in which the entries that somebody else has changed are marked."""
    return list(_lines(plan, limit, changes, of_others))


def describe_update(update: KeywordUpdate, *, limit: int | None = SHOWN_ENTRIES) -> list[str]:
    """The entries that differ after an update: `- ` was sent but is missing, `+ ` was not sent
    but is there."""
    return [*listed("- ", update.missing, limit), *listed("+ ", update.unexpected, limit)]


def _lines(
    plan: KeywordPlan, limit: int | None, changes: Changes | None, of_others: Collection[str]
) -> Iterator[str]:
    yield _head(plan)
    for name in plan.changed_fields:
        before = getattr(plan.keyword_list, name)
        after = getattr(plan.new, name)
        yield f"~ {name}: {'none' if before is None else readable(before)} -> {readable(after)}"
    for mark, entries in (("- ", plan.removed), ("+ ", plan.added)):
        marks = ["  (of somebody else)" if entry in of_others else "" for entry in entries]
        yield from listed(mark, entries, limit, marks)
    yield from listed("~ ", plan.changed_quotes, limit)
    # The client's own summary.
    first, _, _ = str(plan).partition("\n")
    yield first.removeprefix(f"{readable(plan.keyword_id)}: ")
    yield from _literal_quotes(plan)
    # An undo restores the entries from before, and cannot send an empty list.
    if not plan.current:
        yield "! keywords undo will not be able to undo this update"
    if plan.keyword_list.active is False:
        yield "! the list is not active"
    if changes is not None:
        yield from _without_effect(plan, changes, limit)


def _literal_quotes(plan: KeywordPlan) -> Iterator[str]:
    quoted = [entry for entry in plan.unchanged if keyword_input.unquoted(entry) != entry]
    if quoted and plan.quotes == "literal":
        yield (
            f"! {many(len(quoted), 'entry', 'entries')} in double quotes"
            " would be sent with the quotes, as a part of the entry"
        )


def _head(plan: KeywordPlan) -> str:
    """The list with the number of its entries, each once, and how they are sent."""
    now = "unknown entries"
    if plan.current is not None:
        now = many(len(plan.current), "entry", "entries")
    entries = set(plan.entries)
    name = f"list {readable(plan.keyword_id)} ({readable(plan.category)})"
    head = f"{name}: {now} now, {len(entries):,} after this"
    if plan.new.file is None:
        return head
    quoted = [entry for entry in entries if keyword_input.SEPARATOR.search(entry)]
    which = f": {len(quoted):,} with a comma or a line break" if quoted else ""
    return f"{head}, sent as a CSV file{which}"


def _without_effect(plan: KeywordPlan, changes: Changes, limit: int | None) -> Iterator[str]:
    if present := changes.already_present(plan):
        yield (
            f"! {many(len(present), 'entry to add is', 'entries to add are')} already in the list:"
        )
        yield from listed("!   ", present, limit)
    if absent := changes.not_present(plan):
        yield (
            f"! {many(len(absent), 'entry to remove is', 'entries to remove are')} not in the list:"
        )
        yield from listed("!   ", absent, limit)


def listed(
    mark: str, entries: Sequence[str], limit: int | None, hints: Sequence[str] = ()
) -> Iterator[str]:
    """One line for each entry, and a line with the number of entries beyond the limit."""
    first = entries if limit is None else entries[: max(0, limit)]
    for index, entry in enumerate(first):
        yield f"{mark}{readable(entry)}{hints[index] if hints else ''}"
    if len(first) < len(entries):
        yield f"{mark.rstrip()} ... and {len(entries) - len(first):,} more"
