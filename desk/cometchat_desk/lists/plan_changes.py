"""Plans of updates: of new content, or of additions and removals, which keep the other entries in
their order.

The answer about double quotes is for several lists and apps, so it is used only where a list shows
them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from attrs import frozen

from cometchat_rest import (
    Client,
    InvalidRequestError,
    KeywordList,
    KeywordListInput,
    KeywordPlan,
    keyword_input,
)
from cometchat_rest.keyword_input import Quotes

#: The answer about double quotes: as given, or as somebody knows it for a list of the app with an
#: address.
Answer: TypeAlias = Quotes | Callable[[str, str, KeywordList], Quotes | None] | None


def plan_content(
    chat: Client, keyword_id: str, content: KeywordListInput | Sequence[str], quotes: Answer
) -> KeywordPlan:
    """Read the list of an app, and plan to replace its content. Entries are meant exactly."""
    keyword_list = chat.keywords.get(keyword_id)
    used = quotes_of(quotes, chat.base_url, keyword_id, keyword_list)
    # The plan shows a change of the category before anything is sent.
    return KeywordPlan.compare(
        keyword_id,
        keyword_list,
        content if isinstance(content, KeywordListInput) else _as_shown(content, used),
        quotes=used,
        change_category=True,
        base_url=chat.base_url,
    )


def _as_shown(entries: Sequence[str], quotes: Quotes | None) -> Sequence[str]:
    """The entries as a list from a CSV file shows them: the client removes the quotes of the
    file."""
    if quotes != "csv":
        return entries
    return [
        keyword_input.csv_text([entry]).removesuffix("\n")
        if keyword_input.unquoted(entry) != entry
        else entry
        for entry in entries
    ]


def quotes_of(
    answer: Answer, base_url: str, keyword_id: str, keyword_list: KeywordList
) -> Quotes | None:
    """The answer about the double quotes that a list shows; `None` if it shows none, or if
    nobody knows it."""
    if keyword_input.list_entries(keyword_list) == keyword_input.list_entries(
        keyword_list, quotes="csv"
    ):
        return None
    return answer(base_url, keyword_id, keyword_list) if callable(answer) else answer


@frozen(kw_only=True)
class Changes:
    """Entries to add to a list and to remove from it. Each list keeps its other entries."""

    add: Sequence[str] = ()  # the entries to add
    remove: Sequence[str] = ()  # the entries to remove, exactly
    quotes: Answer = None  # the answer about entries that a list shows in double quotes
    category: str | None = None  # the category that a file names for these entries
    # whether nothing is added to a list that has none of the entries to remove
    replaces: bool = False

    def plan(self, chat: Client, keyword_id: str) -> KeywordPlan | None:
        """Read the list of an app, and plan the changes; `None` if they change nothing in an empty
        list."""
        return self.compare(keyword_id, chat.keywords.get(keyword_id), base_url=chat.base_url)

    def compare(
        self, keyword_id: str, keyword_list: KeywordList, *, base_url: str | None = None
    ) -> KeywordPlan | None:
        """Plan the changes of a list that was already read; see `plan`."""
        keyword_input.check_updatable(keyword_list)
        self._check_category(keyword_id, keyword_list)
        quotes = quotes_of(self.quotes, base_url or "", keyword_id, keyword_list)
        entries = keyword_input.list_entries(keyword_list, quotes=quotes)
        if entries is None:
            raise InvalidRequestError(
                "the service does not show the entries, so entries cannot be added or removed one"
                " by one; use keywords apply with a file that holds all entries",
                path_values={"keyword_id": keyword_id},
            )
        kept = _without(entries, self.remove)
        added = () if self.replaces and kept == entries else self.add
        merged = [*kept, *_without(dict.fromkeys(added), kept)]
        if not merged and not entries:
            return None
        if not merged:
            raise InvalidRequestError(
                "no entry would be left, and an empty list cannot be sent; keep at least one entry",
                path_values={"keyword_id": keyword_id},
            )
        return KeywordPlan.compare(
            keyword_id,
            keyword_list,
            _as_shown(merged, quotes),
            quotes=quotes,
            base_url=base_url,
        )

    def _check_category(self, keyword_id: str, keyword_list: KeywordList) -> None:
        if self.category not in (None, keyword_list.category):
            raise InvalidRequestError(
                f"it is a list of category {keyword_list.category}, and the file holds entries of"
                f" category {self.category}: name a list of that category, or use a .txt file with"
                " only the entries. No update was sent.",
                path_values={"keyword_id": keyword_id},
            )

    def already_present(self, plan: KeywordPlan) -> Sequence[str]:
        """The entries to add that the list already had when the plan was made, each once."""
        absent = _without(self.add, plan.current or ())
        return _without(dict.fromkeys(self.add), absent)

    def not_present(self, plan: KeywordPlan) -> Sequence[str]:
        """The entries to remove that the list did not have when the plan was made, each once."""
        return _without(dict.fromkeys(self.remove), plan.current or ())


def _without(entries: Iterable[str], excluded: Iterable[str]) -> Sequence[str]:
    """The entries that are not excluded, in their order."""
    excluded = frozenset(excluded)
    return tuple(entry for entry in entries if entry not in excluded)
