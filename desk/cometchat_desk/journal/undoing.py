"""How an update is undone, and which changes between two contents are of somebody else (pure)."""

from collections.abc import Collection, Iterable, Sequence

from cometchat_rest import (
    InvalidRequestError,
    KeywordList,
    KeywordListInput,
    KeywordPlan,
    keyword_input,
)
from cometchat_rest.keyword_input import Quotes

from .records import RevisionDetail


def without_update(
    shown: KeywordList,
    quotes: Quotes | None,
    update: RevisionDetail,
    before: KeywordListInput,
    later: Iterable[RevisionDetail],
) -> KeywordListInput | None:
    """The content of a list without what an update did: without what it added, and with what it
    removed; `None` if that changes nothing in an empty list.

    What others did since stays, also if somebody has removed an entry and added it again: a list
    before one of the `later` updates shows that. `quotes` is the answer about the double quotes
    that the list shows, and `before` is the content before the update.
    """
    old = keyword_input.entries_of(before)
    # The old entries, with the category and the texts that the list has now.
    now = KeywordPlan.compare(update.keyword_id, shown, old, quotes=quotes)
    if now.current is None:
        raise InvalidRequestError(
            "the service does not show the entries, so one update cannot be undone; undo --to"
            " restores the whole list",
            path_values={"keyword_id": update.keyword_id},
        )
    planned = update.planned
    added, removed = _effects(update, old)
    gone, returned = _changed_since(added, removed, later)
    wanted = set(now.current).difference(added - gone) | (removed - returned)
    # The entries have the order that they had before the update, and their repetitions if nobody
    # has changed anything since.
    entries: Sequence[str] = old
    if wanted != set(old):
        entries = [entry for entry in dict.fromkeys([*old, *now.current]) if entry in wanted]
    if not entries and not now.current:
        return None
    if not entries:
        raise InvalidRequestError(
            "no entry would be left, and an empty list cannot be sent; add another entry first, and"
            " undo again",
            path_values={"keyword_id": update.keyword_id},
        )
    return keyword_input.from_terms(
        _undone(now.new.category, planned.category, before.category) or now.category,
        entries,
        name=_undone(now.new.name, planned.name, before.name),
        description=_undone(now.new.description, planned.description, before.description),
        shown=wanted,
    )


def _effects(update: RevisionDetail, before: Collection[str]) -> tuple[set[str], set[str]]:
    """The entries that an update added and removed.

    The service may store an entry in another form, such as lower case: the list that was read after
    the update shows it.
    """
    sent = set(update.planned.entries or ())
    stored = sent if update.stored is None else set(update.stored)
    return (sent | stored).difference(before), set(before).difference(sent & stored)


def _changed_since(
    added: set[str], removed: set[str], later: Iterable[RevisionDetail]
) -> tuple[set[str], set[str]]:
    """The added entries that somebody else has removed since, and the removed entries that somebody
    else has added, unless a later update did the same again."""
    gone: set[str] = set()
    returned: set[str] = set()
    for update in later:
        if update.before.entries is None:
            continue
        before = set(update.before.meant())
        added_again, removed_again = _effects(update, before)
        gone = (gone | (added - before)) - added_again
        returned = (returned | (removed & before)) - removed_again
    return gone, returned


def _undone(now: str | None, sent: str | None, before: str | None) -> str | None:
    """A text of a list after an undo: as before the update, if the update set it, and nobody else
    has since."""
    return before if sent is not None and now == sent else now


def changes_of_others(plan: KeywordPlan, updates: Iterable[RevisionDetail]) -> frozenset[str]:
    """The entries that a plan adds or removes because of somebody else's changes.

    A change is the user's own if the first and the last of these updates explain it: an entry that
    was first removed and then added was there before. An update whose outcome is unknown does not
    count as the last one.
    """
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for update in updates:
        if update.before.entries is None:  # nobody knows what the update changed
            continue
        added, removed = _effects(update, update.before.meant())
        changes = dict.fromkeys(added, "added") | dict.fromkeys(removed, "removed")
        first = {**changes, **first}
        if update.outcome != "unknown":
            last.update(changes)
    of_others = [
        entry
        for entries, change in ((plan.removed, "added"), (plan.added, "removed"))
        for entry in entries
        if {first.get(entry), last.get(entry, change)} != {change}
    ]
    return frozenset(of_others)
