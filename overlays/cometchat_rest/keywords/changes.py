"""Additions and removals: merge them with the entries of a list (pure).

The other entries keep their order and their duplicates. New entries are appended.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError

from .entries import from_terms, list_entries, strip_csv_quotes
from .inputs import check_terms
from .plan import KeywordPlan, compare, many, readable


@frozen
class Changes:
    """Checked additions and removals, each entry once."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


def check_changes(add: Iterable[str], remove: Iterable[str]) -> Changes:
    """Check additions and removals.

    Raises:
        InvalidRequestError: there are no entries, an entry is blank or cannot be sent, or an entry is in both.
    """
    changes = Changes(_distinct(check_terms(add, "add")), _distinct(check_terms(remove, "remove")))
    if not (changes.add or changes.remove):
        raise InvalidRequestError("add and remove are both empty: name at least one entry")
    _check_separate(changes)
    return changes


def plan_of_changes(
    list_id: str, keyword_list: KeywordList, changes: Changes, *, base_url: str | None = None
) -> KeywordPlan:
    """Plan an update that adds and removes entries.

    An entry in the double quotes of a CSV file is the same entry without them, if the list shows it in this way.

    Args:
        list_id: the list's identifier.
        keyword_list: the list as fetched.
        changes: the result of `check_changes`.
        base_url: the address of the app that has the list.

    Raises:
        InvalidRequestError: the service does not show the entries, an entry is in both, or no entry would be left.
    """
    entries = list_entries(keyword_list)
    if entries is None:
        raise InvalidRequestError(
            f"{readable(list_id)}: the service does not show the entries, so entries cannot be added or removed one by "
            "one; plan an update with all entries instead"
        )
    changes = Changes(
        _distinct(strip_csv_quotes(keyword_list, changes.add)),
        _distinct(strip_csv_quotes(keyword_list, changes.remove)),
    )
    _check_separate(changes)
    current, removed = frozenset(entries), frozenset(changes.remove)
    kept = tuple(entry for entry in entries if entry not in removed)
    merged = (*kept, *(entry for entry in changes.add if entry not in current))
    if not merged:
        raise InvalidRequestError(
            f"{readable(list_id)}: no entry would be left of {many(len(current), 'entry', 'entries')}, and an empty "
            "list cannot be sent; keep at least one entry"
        )
    return evolve(
        compare(list_id, keyword_list, from_terms(keyword_list.category, merged), base_url=base_url),
        from_changes=True,
        already_present=tuple(entry for entry in changes.add if entry in current),
        not_present=tuple(entry for entry in changes.remove if entry not in current),
    )


def _distinct(entries: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entries))


def _check_separate(changes: Changes) -> None:
    removed = frozenset(changes.remove)
    for entry in changes.add:
        if entry in removed:
            raise InvalidRequestError(f"{readable(entry)} cannot be added and removed at the same time")
