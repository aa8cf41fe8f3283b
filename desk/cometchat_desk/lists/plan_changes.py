"""Additions and removals: the plan that merges them with the entries of a list, which keep their order."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from cometchat_rest import Client, InvalidRequestError, KeywordList, KeywordPlan, keyword_input


@frozen(kw_only=True)
class Changes:
    """Entries to add to a list and to remove from it. Each list keeps its other entries."""

    add: Sequence[str] = ()  # the entries to add
    remove: Sequence[str] = ()  # the entries to remove, exactly as the list has them

    def __attrs_post_init__(self) -> None:
        if not (self.add or self.remove):
            raise InvalidRequestError("add and remove are both empty: name at least one entry")
        _check_distinct(self.add, self.remove)

    def plan(self, chat: Client, list_id: str) -> KeywordPlan:
        """Read the list of an app, and plan the changes."""
        return self.compare(list_id, chat.keywords.get(list_id), base_url=chat.base_url)

    def compare(self, list_id: str, keyword_list: KeywordList, *, base_url: str | None = None) -> KeywordPlan:
        """Plan the changes of a list that was already read."""
        entries = keyword_input.list_entries(keyword_list)
        if entries is None:
            raise InvalidRequestError(
                "the service does not show the entries, so entries cannot be added or removed one by one; plan an "
                "update with all entries instead",
                path_values={"keyword_id": list_id},
            )
        # An entry in the double quotes of a CSV file is the same entry without them, if the list shows it in this way.
        add, remove = self._requested(keyword_list)
        _check_distinct(add, remove)
        current = frozenset(entries)
        kept = [entry for entry in entries if entry not in remove]
        merged = [*kept, *(entry for entry in add if entry not in current)]
        if not merged:
            raise InvalidRequestError(
                "no entry would be left, and an empty list cannot be sent; keep at least one entry",
                path_values={"keyword_id": list_id},
            )
        new = keyword_input.from_terms(keyword_list.category, merged)
        return KeywordPlan.compare(list_id, keyword_list, new, base_url=base_url)

    def already_present(self, plan: KeywordPlan) -> tuple[str, ...]:
        """The entries to add that the list already had when the plan was made, each once."""
        current = frozenset(plan.current or ())
        return tuple(entry for entry in self._requested(plan.keyword_list)[0] if entry in current)

    def not_present(self, plan: KeywordPlan) -> tuple[str, ...]:
        """The entries to remove that the list did not have when the plan was made, each once."""
        current = frozenset(plan.current or ())
        return tuple(entry for entry in self._requested(plan.keyword_list)[1] if entry not in current)

    def _requested(self, keyword_list: KeywordList) -> tuple[dict[str, None], dict[str, None]]:
        """The additions and the removals as the list would show them, each once."""
        add, remove = (keyword_input.strip_csv_quotes(keyword_list, terms) for terms in (self.add, self.remove))
        return dict.fromkeys(add), dict.fromkeys(remove)


def _check_distinct(add: Iterable[str], remove: Iterable[str]) -> None:
    if both := frozenset(add).intersection(remove):
        raise InvalidRequestError(f"{min(both)!r} cannot be added and removed at the same time")
