"""The plan of an update (the changes it would make in a keyword list) and the result of an update (pure).

Entries are compared as sets of texts: order, duplicates and the double quotes of a CSV file are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy

from attrs import field, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import CometChatError, InvalidRequestError, PlanRefusedError
from cometchat_rest.keyword_input.entries import entries_of, list_entries, strip_csv_quotes
from cometchat_rest.keyword_input.inputs import KeywordListInput

# The number of entries of each kind, and of characters of a text, that `str(plan)` shows.
_SHOWN_ENTRIES = 5
_SHOWN_TEXT = 120


@frozen(kw_only=True, repr=False)
class KeywordPlan:
    """The changes that an update of a keyword list would make. Nothing has been sent; `print(plan)` summarises them.

    Attributes:
        keyword_id: the list's identifier.
        keyword_list: the list when the plan was made.
        revision_id: its revision; `None` if the service shows none.
        category: its category.
        current: its entries, each once; `None` if the service does not show them. The added and removed entries are
            then unknown.
        new: the input that will be sent.
        entries: the entries of `new`, in order.
        added: the entries that are new, each once.
        removed: the entries that would be removed, each once.
        unchanged: the entries that would stay, each once.
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
    base_url: str | None = None

    @classmethod
    def compare(
        cls, keyword_id: str, keyword_list: KeywordList, new: KeywordListInput, *, base_url: str | None = None
    ) -> KeywordPlan:
        """Make the plan of an update from a list that was already fetched; `keywords.plan()` also fetches the list.

        Args:
            keyword_id: the list's identifier.
            keyword_list: the list as fetched.
            new: the input to send.
            base_url: the address of the app that has the list, so that no other app accepts the plan.

        Raises:
            InvalidRequestError: `new` is not an input, or its file is not UTF-8.
        """
        return _compared(keyword_id, keyword_list, new, entries_of(new), base_url)

    def remaining(self, now: KeywordList) -> KeywordPlan:
        """The plan of this update for the list as read again: without changes if the update was carried out."""
        # The service does not document whether it shows the quotes of the file that was sent, or only those of the
        # entries.
        return _compared(self.keyword_id, now, self.new, strip_csv_quotes(now, self.entries), self.base_url)

    @property
    def share_removed(self) -> float | None:
        """The share of the entries that would be removed, 0.0 to 1.0; `None` if the service does not show them."""
        if self.current is None:
            return None
        return len(self.removed) / len(self.current) if self.current else 0.0

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """The names of those among `category`, `id`, `name` and `description` that the input would change."""
        names = ("category", "id", "name", "description")
        pairs = ((name, getattr(self.keyword_list, name), getattr(self.new, name)) for name in names)
        return tuple(name for name, current, wanted in pairs if wanted is not None and wanted != current)

    @property
    def has_changes(self) -> bool:
        """Whether the update is known to change anything."""
        return bool(self.added or self.removed or self.changed_fields)

    def check_app(self, base_url: str) -> None:
        """Raise an `InvalidRequestError` if the plan was made for another app than the one with this address."""
        if self.base_url not in (None, base_url):
            raise InvalidRequestError(
                f"the plan was made for {readable(self.base_url)}, not for {base_url}; apply it to that app, or make a "
                "new plan",
                path_values={"keyword_id": self.keyword_id},
            )

    def check_removed(self, max_removed: float) -> None:
        """Make sure that the update does not remove too much, as `keywords.apply()` does.

        Args:
            max_removed: the largest allowed share of removed entries, 0 to 1. If the service does not show the list's
                entries, only 1 is enough.

        Raises:
            PlanRefusedError: more would be removed.
            InvalidRequestError: `max_removed` is not a number from 0 to 1.
        """
        if isinstance(max_removed, bool) or not isinstance(max_removed, int | float) or not 0 <= max_removed <= 1:
            raise InvalidRequestError(f"must be a share from 0 to 1, not {max_removed!r}", argument="max_removed")
        share, before = self.share_removed, self.current or ()
        if share is None and max_removed < 1:
            fault = "the service does not show the entries, so the number of removed entries is unknown"
        elif share is not None and share > max_removed:
            fault = f"{len(self.removed):,} of {_many(len(before))} ({share:.1%}) would be removed"
        else:
            return
        raise PlanRefusedError(
            f"{fault}; max_removed allows {max_removed:.1%}",
            path_values={"keyword_id": self.keyword_id},
            removed=len(self.removed),
            share_removed=share,
            max_removed=max_removed,
        )

    def __str__(self) -> str:
        """A line with the numbers of changes, and the first entries: `- ` is removed, `+ ` is added."""
        lines = [f"{readable(self.keyword_id)}: {_summary(self)}"]
        lines += (*_first("- ", self.removed), *_first("+ ", self.added))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<KeywordPlan {readable(self.keyword_id)}: {_summary(self)}>"


def _compared(
    keyword_id: str, keyword_list: KeywordList, new: KeywordListInput, entries: tuple[str, ...], base_url: str | None
) -> KeywordPlan:
    shown = list_entries(keyword_list)
    current, wanted = dict.fromkeys(shown or ()), dict.fromkeys(() if shown is None else entries)
    return KeywordPlan(
        keyword_id=keyword_id,
        keyword_list=keyword_list,
        revision_id=keyword_list.revision_id,
        category=keyword_list.category,
        current=None if shown is None else tuple(current),
        new=new,
        entries=entries,
        added=tuple(entry for entry in wanted if entry not in current),
        removed=tuple(entry for entry in current if entry not in wanted),
        unchanged=tuple(entry for entry in wanted if entry in current),
        base_url=base_url,
    )


def _count(entries: Sequence[str]) -> str:
    return f"<{_many(len(entries))}>"


@frozen(kw_only=True)
class KeywordUpdate:
    """The result of an update.

    Attributes:
        keyword_list: the list when it was read after the update.
        matches: whether the list matches the update; `None` if that is unknown because the service does not show the
            entries or the list could not be read (see `error`).
        missing: entries that were sent but are not in the list.
        unexpected: entries that are in the list but were not sent.
        differing_fields: the names of those among `category`, `id`, `name` and `description` that were sent but are
            different.
        recovered: whether the response to the update was lost or a failure, and the list showed that the update was
            carried out.
        error: the reason why the list could not be read after a confirmed update; `keyword_list` is then the list from
            the response to the update. Otherwise `None`.
    """

    keyword_list: KeywordList = field(eq=False, repr=False)
    matches: bool | None
    missing: tuple[str, ...] = field(default=(), repr=_count)
    unexpected: tuple[str, ...] = field(default=(), repr=_count)
    differing_fields: tuple[str, ...] = ()
    recovered: bool = False
    error: CometChatError | None = None

    def to_dict(self) -> dict[str, object]:
        """The result as JSON values, for example for a log; `error` is `CometChatError.to_dict()`, or `None`."""
        return {
            "revision_id": self.keyword_list.revision_id,
            "matches": self.matches,
            "missing": list(self.missing),
            "unexpected": list(self.unexpected),
            "differing_fields": list(self.differing_fields),
            "recovered": self.recovered,
            "error": None if self.error is None else self.error.to_dict(),
            "keyword_list": deepcopy(self.keyword_list.to_dict()),
        }


def _summary(plan: KeywordPlan) -> str:
    if plan.current is None:
        return (
            "the changes are unknown, because the service does not show the entries; "
            f"{_many(len(plan.entries))} would be sent"
        )
    share = f" ({plan.share_removed:.1%} of {len(plan.current):,})" if plan.removed else ""
    fields = f", changed: {', '.join(plan.changed_fields)}" if plan.changed_fields else ""
    return f"{len(plan.added):,} added, {len(plan.removed):,} removed{share}, {len(plan.unchanged):,} unchanged{fields}"


def _first(mark: str, entries: Sequence[str]) -> Iterator[str]:
    yield from (mark + readable(entry) for entry in entries[:_SHOWN_ENTRIES])
    if len(entries) > _SHOWN_ENTRIES:
        yield f"{mark}... and {len(entries) - _SHOWN_ENTRIES:,} more"


def _many(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def readable(value: object) -> str:
    """A text for people: unchanged if it cannot be mistaken for anything else, and otherwise as a Python literal."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN_TEXT:
        return f"{readable(text[:_SHOWN_TEXT])}... ({len(text):,} characters)"
    plain = text.isprintable() and text == text.strip() and text[:1] not in ("", "'", '"')
    return text if plain else repr(text)
