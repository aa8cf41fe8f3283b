"""Additions and removals: the plan that merges them with the entries of a list, which keep their order."""

from collections.abc import Sequence

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
        if both := frozenset(self.add).intersection(self.remove):
            raise InvalidRequestError(f"{min(both)!r} cannot be added and removed at the same time")

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
        current, remove = frozenset(entries), frozenset(self.remove)
        kept = [entry for entry in entries if entry not in remove]
        merged = [*kept, *(entry for entry in dict.fromkeys(self.add) if entry not in current)]
        if not merged:
            raise InvalidRequestError(
                "no entry would be left, and an empty list cannot be sent; keep at least one entry",
                path_values={"keyword_id": list_id},
            )
        return KeywordPlan.compare(list_id, keyword_list, merged, base_url=base_url)

    def already_present(self, plan: KeywordPlan) -> tuple[str, ...]:
        """The entries to add that the list already had when the plan was made, each once."""
        current = frozenset(plan.current or ())
        return tuple(entry for entry in dict.fromkeys(self.add) if entry in current)

    def not_present(self, plan: KeywordPlan) -> tuple[str, ...]:
        """The entries to remove that the list did not have when the plan was made, each once."""
        current = frozenset(plan.current or ())
        return tuple(entry for entry in dict.fromkeys(self.remove) if entry not in current)
