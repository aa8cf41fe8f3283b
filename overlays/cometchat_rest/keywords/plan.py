"""The plan of an update (the changes it would make in a keyword list) and the result of an update
(pure).

Entries are compared byte for byte, but as sets: order and duplicates are ignored.
"""

from collections.abc import Iterator, Sequence
from typing import Self

from attrs import field, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import CometChatError, InvalidRequestError, PlanRefusedError
from cometchat_rest.keyword_input.entries import entries_of, list_entries, replace_entries, unquoted
from cometchat_rest.keyword_input.inputs import KeywordListInput, NewContent, Quotes, check_content
from cometchat_runtime.checks import but_is

# The number of entries of each kind, and of characters of a text, that `str(plan)` shows.
_SHOWN_ENTRIES = 5
_SHOWN_TEXT = 120
# What `check_removed` allows by default, and the sentence that says it.
_SHARE, _FEW = 0.2, 5
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
        shown, entries = list_entries(keyword_list, quotes=quotes) or None, entries_of(content)
        current, wanted = (
            dict.fromkeys(shown or ()),
            dict.fromkeys(() if shown is None else entries),
        )
        return cls(
            keyword_id=keyword_id,
            keyword_list=keyword_list,
            revision_id=revision_of(keyword_list),
            category=str(keyword_list.category or ""),
            current=None if shown is None else tuple(current),
            new=content,
            entries=entries,
            added=tuple(entry for entry in wanted if entry not in current),
            removed=tuple(entry for entry in current if entry not in wanted),
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
        pairs = (
            (name, getattr(self.keyword_list, name), getattr(self.new, name)) for name in names
        )
        return tuple(
            name for name, current, wanted in pairs if wanted is not None and wanted != current
        )

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
        share, removed, allowed = self.share_removed, len(self.removed), _SHARE
        if max_removed is not None:
            if (
                isinstance(max_removed, bool)
                or not isinstance(max_removed, int | float)
                or not 0 <= max_removed <= 1
            ):
                raise InvalidRequestError(
                    f"must be a share from 0 to 1{but_is(max_removed)}", argument="max_removed"
                )
            allowed = max_removed
        elif share is not None and share < 1 and removed <= _FEW:
            return
        if share is None and allowed < 1:
            fault = (
                "the service does not show the entries, so the number of removed entries is unknown"
            )
        elif share is not None and share > allowed:
            fault = (
                f"{removed:,} of {_many(len(self.current or ()))} ({share:.1%}) would be removed"
            )
        else:
            return
        raise PlanRefusedError(
            f"{fault}; {_RULE if max_removed is None else f'max_removed allows {max_removed:.1%}'}",
            path_values={"keyword_id": self.keyword_id},
            removed=removed,
            share_removed=share,
            max_removed=allowed,
        )

    def __str__(self) -> str:
        """A line with the numbers of changes, and the first entries: `- ` is removed, `+ ` is
        added.

        `~ ` is added in place of an entry that differs only in double quotes. `! ` says which
        removals need a `max_removed`.
        """
        lines = [f"{readable(self.keyword_id)}: {_summary(self)}"]
        lines += (
            *_first("- ", self.removed),
            *_first("+ ", self.added),
            *_first("~ ", self.changed_quotes),
        )
        try:
            self.check_removed()
        except PlanRefusedError:
            lines.append(f"! {_RULE}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<KeywordPlan {readable(self.keyword_id)}: {_summary(self)}>"


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
    missing: tuple[str, ...] = field(default=(), repr=lambda entries: f"<{_many(len(entries))}>")
    unexpected: tuple[str, ...] = field(default=(), repr=lambda entries: f"<{_many(len(entries))}>")
    differing_fields: tuple[str, ...] = ()
    recovered: bool = False
    error: CometChatError | None = None


def _summary(plan: KeywordPlan) -> str:
    if plan.current is None:
        parts = ["the changes are unknown, because the service does not show the entries"]
        parts.append(f"{_many(len(plan.entries))} would be sent")
    else:
        share = f" ({plan.share_removed:.1%} of {len(plan.current):,})" if plan.removed else ""
        unchanged = f"{len(plan.unchanged):,} unchanged"
        parts = [f"{len(plan.added):,} added, {len(plan.removed):,} removed{share}, {unchanged}"]
    parts += (
        f"{kind}: {', '.join(names)}"
        for kind, names in (("changed", plan.changed_fields), ("not sent", plan.unsent_fields))
        if names
    )
    if plan.changed_quotes:
        parts.append(f"{_many(len(plan.changed_quotes))} changed only in double quotes")
    if plan.quotes is not None:
        lost = {*plan.unchanged}.difference(list_entries(plan.keyword_list) or ())
        parts.append(
            f'quotes="{plan.quotes}": {_many(len(lost))} without the double quotes that the list'
            " shows"
        )
    return "; ".join(parts)


def _first(mark: str, entries: Sequence[str]) -> Iterator[str]:
    yield from (mark + readable(entry) for entry in entries[:_SHOWN_ENTRIES])
    if len(entries) > _SHOWN_ENTRIES:
        yield f"{mark}... and {len(entries) - _SHOWN_ENTRIES:,} more"


def _many(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def revision_of(keyword_list: KeywordList) -> str | None:
    """The revision of a list as a text, whatever type the service sends; `None` if it shows
    none."""
    return None if keyword_list.revision_id is None else str(keyword_list.revision_id)


def readable(value: object) -> str:
    """A text for people: unchanged if it cannot be mistaken for anything else, and otherwise as
    a Python literal."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN_TEXT:
        return f"{readable(text[:_SHOWN_TEXT])}... ({len(text):,} characters)"
    plain = text.isprintable() and text == text.strip() and text[:1] not in ("", "'", '"')
    return text if plain else repr(text)
