"""The plan of an update (the changes it would make in a keyword list) and the result of an update
(pure).

Entries are compared byte for byte, but as sets: order and duplicates are ignored.
"""

from collections.abc import Container, Iterable, Iterator
from typing import Self

from attrs import field, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import CometChatError, InvalidRequestError, PlanRefusedError
from cometchat_rest.keyword_input.entries import entries_of, list_entries, replace_entries, unquoted
from cometchat_rest.keyword_input.inputs import KeywordListInput, NewContent, Quotes, check_content
from cometchat_runtime.checks import but_is

from .text import first_lines, many, readable

# The share and the number of entries that an update may remove by default.
_SHARE = 0.2
_FEW = 5
_RULE = "by default, max_removed allows a fifth of the entries, or up to five, but not all of them"


@frozen(kw_only=True, repr=False)
class KeywordPlan:
    """The changes that an update of a keyword list would make. Nothing has been sent; `print(plan)`
    summarises them.

    Attributes:
        keyword_id: the list's identifier.
        keyword_list: the list when the plan was made.
        revision_id: its revision; `None` if the service shows none.
        category: its category.
        current: its entries, each once; `None` if the service does not show them. The added and
            removed entries are then unknown.
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
        base_url: str | None = None,
    ) -> Self:
        """Make a plan as `keywords.plan()` does, but from a list that was already fetched.

        Args:
            keyword_id: the list's identifier.
            keyword_list: the list as fetched.
            new: the new content.
            quotes: as for `keywords.plan()`.
            base_url: the address of the app that has the list, so that no other app accepts the
                plan.

        Raises:
            InvalidRequestError: an argument is invalid, or a file is not UTF-8.
        """
        content = check_content(new, quotes)
        if isinstance(content, tuple):
            content = replace_entries(keyword_list, content, quotes)
        # A list cannot be made empty, so if the service shows no entry, it may just not show them.
        shown = list_entries(keyword_list, quotes=quotes) or None
        entries = entries_of(content)
        current = dict.fromkeys(shown or ())
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
        return len(self.removed) / len(self.current) if self.current else 0.0

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """The names of those among `category`, `id`, `name` and `description` that the input
        would change."""
        names = ("category", "id", "name", "description")
        return tuple(name for name in names if self._changes(name))

    def _changes(self, name: str) -> bool:
        wanted = getattr(self.new, name)
        return wanted not in (None, getattr(self.keyword_list, name))

    @property
    def unsent_fields(self) -> tuple[str, ...]:
        """The names of those among `name` and `description` that the list has and the input does
        not send."""
        names = ("name", "description")
        return tuple(
            name
            for name in names
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
                may remove a fifth of the entries, or up to five, but not all of them. If the
                service does not show the list's entries, only 1 is enough.

        Raises:
            PlanRefusedError: more would be removed.
            InvalidRequestError: `max_removed` is not a number from 0 to 1.
        """
        share = self.share_removed
        if max_removed is None:
            if share is not None and share < 1 and len(self.removed) <= _FEW:
                return
            allowed = _SHARE
            rule = _RULE
        else:
            allowed = _checked_share(max_removed)
            rule = f"max_removed allows {max_removed:.1%}"
        fault = self._fault(allowed)
        if fault is not None:
            raise PlanRefusedError(
                f"{fault}; {rule}",
                path_values={"keyword_id": self.keyword_id},
                removed=len(self.removed),
                share_removed=share,
                max_removed=allowed,
            )

    def _fault(self, allowed: float) -> str | None:
        """The reason why the removals exceed the allowed share; `None` if they do not."""
        share = self.share_removed
        if share is None:
            reason = "so the number of removed entries is unknown"
            return f"the service does not show the entries, {reason}" if allowed < 1 else None
        if share <= allowed:
            return None
        listed = many(len(self.current or ()))
        return f"{len(self.removed):,} of {listed} ({share:.1%}) would be removed"

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
            lines.append(f"! {_RULE}")
        return "\n".join(lines)

    def _summary(self) -> str:
        parts = [*self._summary_of_entries()]
        if self.changed_fields:
            parts.append(f"changed: {', '.join(self.changed_fields)}")
        if self.unsent_fields:
            parts.append(f"not sent: {', '.join(self.unsent_fields)}")
        if self.changed_quotes:
            parts.append(f"{many(len(self.changed_quotes))} changed only in double quotes")
        lost = {*self.unchanged}.difference(list_entries(self.keyword_list) or ())
        if lost:
            text = f"{many(len(lost))} without the double quotes that the list shows"
            parts.append(f'quotes="{self.quotes}": {text}')
        return "; ".join(parts)

    def _summary_of_entries(self) -> Iterator[str]:
        if self.current is None:
            yield "the changes are unknown, because the service does not show the entries"
            yield f"{many(len(self.entries))} would be sent"
            return
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


def _checked_share(share: object) -> float:
    if isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1:
        return share
    reason = f"must be a share from 0 to 1{but_is(share)}"
    raise InvalidRequestError(reason, argument="max_removed")


def revision_of(keyword_list: KeywordList) -> str | None:
    """The revision of a list as a text, whatever type the service sends; `None` if it shows
    none."""
    return None if keyword_list.revision_id is None else str(keyword_list.revision_id)
