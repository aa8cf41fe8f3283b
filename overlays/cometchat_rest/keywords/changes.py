"""Additions and removals: merge them with the entries of a list (pure).

The other entries keep their order and their duplicates. New entries are appended.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import InvalidRequestError

from .entries import from_terms, list_entries, strip_csv_quotes
from .inputs import check_terms
from .plan import KeywordPlan, compare, many, readable


def check_changes(add: Iterable[str], remove: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Check additions and removals, and return each entry of them once.

    Raises:
        InvalidRequestError: there are no entries, an entry is blank or cannot be sent, or an entry is in both.
    """
    added, removed = check_terms(add, "add"), check_terms(remove, "remove")
    if not (added or removed):
        raise InvalidRequestError("add and remove are both empty: name at least one entry")
    return _distinct(added, removed)


def plan_of_changes(
    list_id: str, keyword_list: KeywordList, add: Iterable[str], remove: Iterable[str], *, base_url: str | None = None
) -> KeywordPlan:
    """Plan an update that adds and removes entries.

    An entry in the double quotes of a CSV file is the same entry without them, if the list shows it in this way.

    Args:
        list_id: the list's identifier.
        keyword_list: the list as fetched.
        add: the additions that `check_changes` returned.
        remove: the removals that it returned.
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
    add, remove = _distinct(strip_csv_quotes(keyword_list, add), strip_csv_quotes(keyword_list, remove))
    current, removed = frozenset(entries), frozenset(remove)
    kept = tuple(entry for entry in entries if entry not in removed)
    merged = (*kept, *(entry for entry in add if entry not in current))
    if not merged:
        raise InvalidRequestError(
            f"{readable(list_id)}: no entry would be left of {many(len(current), 'entry', 'entries')}, and an empty "
            "list cannot be sent; keep at least one entry"
        )
    return evolve(
        compare(list_id, keyword_list, from_terms(keyword_list.category, merged), base_url=base_url),
        from_changes=True,
        already_present=tuple(entry for entry in add if entry in current),
        not_present=tuple(entry for entry in remove if entry not in current),
    )


def _distinct(add: Iterable[str], remove: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Each entry once; an error if an entry is in both."""
    added, removed = dict.fromkeys(add), dict.fromkeys(remove)
    for entry in added:
        if entry in removed:
            raise InvalidRequestError(f"{readable(entry)} cannot be added and removed at the same time")
    return tuple(added), tuple(removed)
