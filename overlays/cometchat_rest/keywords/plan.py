"""The plan of an update (the changes it would make in a keyword list) and the result of an update
(pure).

Entries are compared byte for byte, but as sets: order and duplicates are ignored.
"""

from collections.abc import Container, Iterable, Iterator
from typing import Self

from attrs import field, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import CometChatError, InvalidRequestError, PlanRefusedError
from cometchat_rest.keyword_input.entries import (
    check_updatable,
    entries_of,
    list_entries,
    replace_entries,
    unquoted,
)
from cometchat_rest.keyword_input.inputs import KeywordListInput, NewContent, Quotes, check_content
from cometchat_runtime.checks import but_is

from .text import REMOVAL_RULE, first_lines, many, readable


@frozen(kw_only=True, repr=False)
class KeywordPlan:
    """The changes that an update of a keyword list would make. Nothing has been sent; `print(plan)`
    summarises them.

    Attributes:
        keyword_id: the list's identifier.
        keyword_list: the list when the plan was made.
        revision_id: its revision; `None` if the service shows none.
        category: its category.
        current: its entries, each once; `()` if the service shows the list as empty; `None` if it
            does not show the entries. The added and removed entries are then unknown.
        new: the input that will be sent.
        entries: the entries of `new`, in order.
        added: the entries that are new, each once.
        removed: the entries that would be removed, each once.
        unchanged: the entries that would stay, each once.
        quotes: `"csv"` or `"literal"`, as passed to `plan()`; `None` if it was not passed.
        base_url: the address of the app that the plan is for; `None` if it is unknown.
    """

    keyword_id: str
    keyword_list: KeywordList = field(eq=False)
    revision_id: str | None
    category: str
    current: tuple[str, ...] | None
    new: KeywordListInput
    entries: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    quotes: Quotes | None = None
    base_url: str | None = None

    @classmethod
    def compare(
        cls,
        keyword_id: str,
        keyword_list: KeywordList,
        new: NewContent,
        *,
        quotes: Quotes | None = None,
        change_category: bool = False,
        base_url: str | None = None,
    ) -> Self:
        """Make a plan as `keywords.plan()` does, but from a list that was already fetched.

        Only `keywords.plan()` refuses new terms that begin with a byte order mark or are invisible.

        Args:
            keyword_id: the list's identifier.
            keyword_list: the list as fetched.
            new: the new content.
            quotes: as for `keywords.plan()`.
            change_category: as for `keywords.plan()`.
            base_url: the address of the app that has the list, so that no other app accepts the
                plan.

        Raises:
            InvalidRequestError: an argument is invalid, or the category would change.
        """
        shown = list_entries(keyword_list, quotes=quotes)
        current = dict.fromkeys(shown or ())
        content = check_content(new, quotes)
        if isinstance(content, tuple):
            content = replace_entries(keyword_list, content, quotes)
        elif not change_category:
            _check_category(keyword_id, keyword_list, content)
        entries = entries_of(content)
        wanted = dict.fromkeys(entries if shown is not None else ())
        return cls(
            keyword_id=keyword_id,
            keyword_list=keyword_list,
            revision_id=revision_of(keyword_list),
            category=str(keyword_list.category or ""),
            current=None if shown is None else tuple(current),
            new=content,
            entries=entries,
            added=without(wanted, current),
            removed=without(current, wanted),
            unchanged=tuple(entry for entry in wanted if entry in current),
            quotes=quotes,
            base_url=base_url,
        )

    @property
    def share_removed(self) -> float | None:
        """The share of the entries that would be removed, 0.0 to 1.0; `None` if the service does
        not show them."""
        if self.current is None:
            return None
        return len(self.removed) / max(1, len(self.current))

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """The names of those among `category`, `id`, `name` and `description` that the input
        would change."""
        return tuple(
            name
            for name in ("category", "id", "name", "description")
            if getattr(self.new, name) not in (None, getattr(self.keyword_list, name))
        )

    @property
    def unsent_fields(self) -> tuple[str, ...]:
        """The names of those among `name` and `description` that the list has and the input does
        not send."""
        return tuple(
            name
            for name in ("name", "description")
            if getattr(self.keyword_list, name) and getattr(self.new, name) is None
        )

    @property
    def changed_quotes(self) -> tuple[str, ...]:
        """Those added entries that differ from a removed entry only in the double quotes around
        them."""
        removed = {*map(unquoted, self.removed)}
        return tuple(entry for entry in self.added if unquoted(entry) in removed)

    @property
    def has_changes(self) -> bool:
        """Whether the update is known to change anything."""
        return bool(self.added or self.removed or self.changed_fields)

    def check_app(self, base_url: str) -> None:
        """Raise an `InvalidRequestError` if the plan was made for another app than the one with
        this address."""
        if self.base_url not in (None, base_url):
            raise InvalidRequestError(
                f"the plan was made for {readable(self.base_url)}, not for {base_url}; apply it to"
                " that app, or make a new plan",
                path_values={"keyword_id": self.keyword_id},
            )

    def check_removed(self, max_removed: float | None = None) -> None:
        """Make sure that the update does not remove too much, as `keywords.apply()` does.

        Args:
            max_removed: the largest allowed share of removed entries, 0 to 1. By default, an update
                may remove a fifth of the entries, or up to five but not more than half. If the
                service does not show the list's entries, only 1 is enough.

        Raises:
            PlanRefusedError: more would be removed. Its `max_removed` is the share that is allowed,
                also by default.
            InvalidRequestError: `max_removed` is not a number from 0 to 1.
        """
        allowed = self._allowed_share(max_removed)
        share = self.share_removed
        if allowed == 1 or (share is not None and share <= allowed):
            return
        raise PlanRefusedError(
            f"{self._fault()}; {self._rule(max_removed)}",
            path_values={"keyword_id": self.keyword_id},
            removed=len(self.removed),
            share_removed=share,
            max_removed=allowed,
        )

    def _allowed_share(self, max_removed: float | None) -> float:
        if max_removed is not None:
            return _checked_share(max_removed)
        if not self.current:
            return 0.0
        return _usual_removals(len(self.current)) / len(self.current)

    def _fault(self) -> str:
        if self.current is None:
            return (
                "the service does not show the entries, so the number of removed entries is unknown"
            )
        share = f"{self.share_removed:.1%}"
        return f"{len(self.removed):,} of {many(len(self.current))} ({share}) would be removed"

    def _rule(self, max_removed: float | None) -> str:
        """The rule that refuses the removals."""
        if self.current is None:
            return "only max_removed=1.0 allows it, and then all entries that are not sent are lost"
        if max_removed is not None:
            return f"max_removed allows {max_removed:.1%}"
        return (
            f"by default, max_removed allows {_usual_removals(len(self.current)):,}: {REMOVAL_RULE}"
        )

    def __str__(self) -> str:
        """A line with the numbers of changes, and the first entries: `- ` is removed, `+ ` is
        added.

        `~ ` is added in place of an entry that differs only in double quotes. `! ` says which
        removals need a `max_removed`.
        """
        lines = [f"{readable(self.keyword_id)}: {self._summary()}"]
        lines += first_lines("- ", self.removed)
        lines += first_lines("+ ", self.added)
        lines += first_lines("~ ", self.changed_quotes)
        try:
            self.check_removed()
        except PlanRefusedError:
            lines.append(f"! {self._rule(None)}")
        return "\n".join(lines)

    def _summary(self) -> str:
        parts = [*self._summary_of_entries()]
        if self.changed_fields:
            parts.append(f"changed: {', '.join(self.changed_fields)}")
        if self.unsent_fields:
            parts.append(f"not sent: {', '.join(self.unsent_fields)}")
        if self.changed_quotes:
            parts.append(f"{many(len(self.changed_quotes))} changed only in double quotes")
        # With the quotes of a CSV file removed, the list does not show these entries as they are.
        losing_quotes = {*self.unchanged}.difference(list_entries(self.keyword_list) or ())
        if losing_quotes:
            text = f"{many(len(losing_quotes))} without the double quotes that the list shows"
            parts.append(f'quotes="{self.quotes}": {text}')
        return "; ".join(parts)

    def _summary_of_entries(self) -> Iterator[str]:
        if self.current is None:
            yield "the changes are unknown, because the service does not show the entries"
            yield f"{many(len(self.entries))} would be sent"
            return
        if not self.current:
            yield "the service shows this list as empty"
        share = f" ({self.share_removed:.1%} of {len(self.current):,})" if self.removed else ""
        removed = f"{len(self.removed):,} removed{share}"
        yield f"{len(self.added):,} added, {removed}, {len(self.unchanged):,} unchanged"

    def __repr__(self) -> str:
        return f"<KeywordPlan {readable(self.keyword_id)}: {self._summary()}>"


def _count(entries: tuple[str, ...]) -> str:
    return f"<{many(len(entries))}>"


@frozen(kw_only=True)
class KeywordUpdate:
    """The result of an update.

    Attributes:
        keyword_list: the list when it was read after the update.
        matches: whether the list matches the update; `None` if that is unknown because the service
            does not show the entries or the list could not be read (see `error`).
        missing: entries that were sent but are not in the list.
        unexpected: entries that are in the list but were not sent.
        differing_fields: the names of those among `category`, `id`, `name` and `description` that
            are not as sent, or that were not sent and have changed, and of those among `active` and
            `default` that have changed.
        recovered: whether the response to the update was lost or a failure, and the list showed
            that the update was carried out.
        error: the reason why the list could not be read after a confirmed update; `keyword_list` is
            then the list from the response to the update. Otherwise `None`.
    """

    keyword_list: KeywordList = field(eq=False, repr=False)
    matches: bool | None
    missing: tuple[str, ...] = field(default=(), repr=_count)
    unexpected: tuple[str, ...] = field(default=(), repr=_count)
    differing_fields: tuple[str, ...] = ()
    recovered: bool = False
    error: CometChatError | None = None


def without(entries: Iterable[str], excluded: Container[str]) -> tuple[str, ...]:
    """The entries that are not excluded."""
    return tuple(entry for entry in entries if entry not in excluded)


def _check_category(keyword_id: str, keyword_list: KeywordList, new: KeywordListInput) -> None:
    """Make sure that an input does not change the category of the list."""
    if keyword_list.category is None:
        return
    check_updatable(keyword_list)
    if keyword_list.category != new.category:
        raise InvalidRequestError(
            f"the plan would change the category from {keyword_list.category} to {new.category};"
            " pass change_category=True if it should",
            path_values={"keyword_id": keyword_id},
        )


def _usual_removals(count: int) -> int:
    """The number of entries that an update may remove by default from a list of so many."""
    # Few entries may be removed even if they are more than a fifth.
    return max(count // 5, min(5, count // 2))


def check_unlimited(max_removed: float | None) -> None:
    """Refuse a limit for an update before which nobody reads the list."""
    if max_removed is not None and _checked_share(max_removed) < 1:
        raise InvalidRequestError(
            "limits only an update with terms alone: an input is sent as it is; use plan() and"
            " apply()",
            argument="max_removed",
        )


def _checked_share(share: object) -> float:
    if isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1:
        return share
    raise InvalidRequestError(f"must be a share from 0 to 1{but_is(share)}", argument="max_removed")


def revision_of(keyword_list: KeywordList) -> str | None:
    """The revision of a list as a text, whatever type the service sends; `None` if it shows
    none."""
    return None if keyword_list.revision_id is None else str(keyword_list.revision_id)
