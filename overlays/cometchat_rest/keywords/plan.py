"""The plan of an update (the changes it would make in a keyword list) and the result of an update (pure).

Entries are compared as sets of texts: order and duplicates are ignored. A list made from CSV may show its entries in
double quotes; an entry with these quotes and the same entry without them are equal. The service does not document
whether it keeps every entry (service.md, section 4.2), so only the list read after an update shows its result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal, TypeAlias
from unicodedata import normalize

from attrs import evolve, field, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import CometChatError, InvalidRequestError, PlanRefusedError

from .entries import entries_of, list_entries
from .files import SEPARATOR
from .inputs import KeywordListInput, check_terms
from .patterns import folded, invalid_patterns, is_unbounded

#: The longest word or pattern, in characters; the vendor's limit.
LONGEST_TERM = 100
#: The number of entries of each kind that `describe()` shows by default.
SHOWN_ENTRIES = 50

# The number of characters of a text, and of variants in a group, that a plan shows.
_SHOWN_TEXT = 120
_SHOWN_VARIANTS = 5

#: The field of the form that carries the entries.
SentAs: TypeAlias = Literal["searchTerms", "disallowedSentences", "file"]


@frozen(kw_only=True, repr=False)
class KeywordPlan:
    """The changes that an update of a keyword list would make. Nothing has been sent; `print(plan)` shows the changes.

    Attributes:
        list_id: the list's identifier.
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
        duplicates: the entries that `new` holds more than once.
        case_variants: groups of entries of `new` that differ only in case. The case of an escape in a pattern counts.
        too_long: words or patterns of `new` with more than `LONGEST_TERM` characters.
        invalid_patterns: patterns of `new` that Python's `re` does not compile, each with the reason. This is only a
            hint: the service does not document its dialect.
        unbounded: patterns of `new` with a quantifier without an upper bound: `*`, `+` or `{n,}`. The service refuses
            them.
        terms_with_separator: words or patterns of `new` that hold a comma or a line break. Because of them, all entries
            are sent as a file.
        base_url: the address of the app that the plan is for; `None` if it is unknown.
        from_changes: whether the plan was made by `plan_changes()`. Each removed entry was then named by the caller, so
            `max_removed` does not apply.
        already_present: entries that should be added, and that the list already has.
        not_present: entries that should be removed, and that the list does not have.
    """

    list_id: str
    keyword_list: KeywordList = field(eq=False)
    revision_id: str | None
    category: str
    current: tuple[str, ...] | None
    new: KeywordListInput
    entries: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    duplicates: tuple[str, ...]
    case_variants: tuple[tuple[str, ...], ...]
    too_long: tuple[str, ...]
    invalid_patterns: tuple[tuple[str, str], ...]
    unbounded: tuple[str, ...]
    terms_with_separator: tuple[str, ...]
    base_url: str | None = None
    from_changes: bool = False
    already_present: tuple[str, ...] = ()
    not_present: tuple[str, ...] = ()

    @property
    def sent_as(self) -> SentAs:
        """The field of the form that carries the entries (service.md, section 2.2)."""
        if self.new.file is not None:
            return "file"
        return "disallowedSentences" if self.new.category == "sentence-similarity" else "searchTerms"

    @property
    def share_removed(self) -> float | None:
        """The share of the entries that would be removed, 0.0 to 1.0; `None` if the service does not show them."""
        if self.current is None:
            return None
        return len(self.removed) / len(self.current) if self.current else 0.0

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """The names of those among `category`, `id`, `name` and `description` that the input would change."""
        return differing_fields(self.keyword_list, self.new)

    @property
    def has_changes(self) -> bool:
        """Whether the update is known to change anything."""
        return bool(self.added or self.removed or self.changed_fields)

    def check_app(self, base_url: str) -> None:
        """Make sure that the plan was made for an app; `keywords.apply()` does the same check.

        Args:
            base_url: the address of the app.

        Raises:
            InvalidRequestError: the plan was made for another app.
        """
        if self.base_url not in (None, base_url):
            raise InvalidRequestError(
                f"the plan for {readable(self.list_id)} was made for {readable(self.base_url)}, not for {base_url}; "
                "apply it to that app, or make a new plan"
            )

    def check_removed(self, max_removed: float) -> None:
        """Make sure that the update does not remove too much; `keywords.apply()` does the same check.

        A plan from `plan_changes()` always passes: the caller named each entry to remove.

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
        if self.from_changes:
            return
        if share is None and max_removed < 1:
            fault = "the service does not show the entries, so the number of removed entries is unknown"
        elif share is not None and share > max_removed:
            fault = f"{len(self.removed):,} of {many(len(before), 'entry', 'entries')} ({share:.1%}) would be removed"
        else:
            return
        raise PlanRefusedError(
            f"{readable(self.list_id)}: {fault}; max_removed allows {max_removed:.1%}",
            removed=len(self.removed),
            share_removed=share,
            max_removed=max_removed,
        )

    def describe(self, limit: int | None = SHOWN_ENTRIES) -> str:
        """The plan as lines of text: `- ` is removed, `+ ` is added, `~ ` is changed, `! ` is a warning.

        Args:
            limit: the number of entries of each kind to show; `None` for all.

        Returns:
            Text without a line break at its end. An entry that could be mistaken for something else (control
            characters, line breaks, spaces at its ends) is shown as a Python literal, in quotes.
        """
        return "\n".join(_lines(self, limit))

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON values, to store it, to have it approved elsewhere, and to apply it later.

        Applying a stored plan is guarded like any other plan: the list must still have the revision of the plan. The
        result also has a checksum. It protects from accidents and edits, but not from an attacker, who can compute a
        new checksum. Protect the stored plan like the program that applies it.

        Returns:
            `"version": 1`, `list_id`, `base_url`, `revision_id`, `category`, `added`, `removed`, the new content `new`
            and the list `keyword_list` with the names of the service, and `checksum`.
        """
        from .stored import input_to_dict, seal  # noqa: PLC0415 - most plans are not stored

        return seal(
            {
                "list_id": self.list_id,
                "base_url": self.base_url,
                "revision_id": self.revision_id,
                "category": self.category,
                "added": self.added,
                "removed": self.removed,
                "from_changes": self.from_changes,
                "already_present": self.already_present,
                "not_present": self.not_present,
                "new": input_to_dict(self.new),
                "keyword_list": self.keyword_list.to_dict(),
            }
        )

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> KeywordPlan:
        """Make a plan from the result of `to_dict()`.

        Args:
            stored: the stored plan, for example parsed JSON.

        Raises:
            InvalidRequestError: it is not a stored plan, it was changed after it was stored, or a newer release of this
                package stored it.
        """
        from .stored import unseal  # noqa: PLC0415 - see above

        plan = _from_content(unseal(stored))
        # The comparison was made again: the entries that the stored plan shows must be those that will change.
        if plan.to_dict()["checksum"] != stored["checksum"]:
            raise InvalidRequestError(
                f"{readable(plan.list_id)}: another release of cometchat-rest made this plan; make a new plan"
            )
        return plan

    def __str__(self) -> str:
        return self.describe()

    def __repr__(self) -> str:
        return f"<KeywordPlan {readable(self.list_id)}: {_summary(self)}>"


@frozen(kw_only=True, repr=False)
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

    keyword_list: KeywordList = field(eq=False)
    matches: bool | None
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    differing_fields: tuple[str, ...] = ()
    recovered: bool = False
    error: CometChatError | None = None

    def describe(self, limit: int | None = SHOWN_ENTRIES) -> str:
        """The differing entries as lines of text: `- ` was sent but is missing, `+ ` was not sent but is there.

        Args:
            limit: the number of entries of each kind to show; `None` for all.

        Returns:
            Text without a line break at its end, empty if no entry differs. Entries look as in
            `KeywordPlan.describe()`.
        """
        return "\n".join((*listed("- ", self.missing, limit), *listed("+ ", self.unexpected, limit)))

    def to_dict(self) -> dict[str, Any]:
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

    def __repr__(self) -> str:
        return (
            f"<KeywordUpdate matches={self.matches} missing={len(self.missing)} unexpected={len(self.unexpected)} "
            f"differing_fields={self.differing_fields} recovered={self.recovered} error={self.error!r}>"
        )


def compare(
    list_id: str, keyword_list: KeywordList, new: KeywordListInput, *, base_url: str | None = None
) -> KeywordPlan:
    """Plan an update of a list.

    Args:
        list_id: the list's identifier.
        keyword_list: the list as fetched.
        new: the input to send.
        base_url: the address of the app that has the list.

    Raises:
        InvalidRequestError: `new` is not an input, or its file is not UTF-8.
    """
    entries = entries_of(new)
    difference = difference_between(keyword_list, entries)
    distinct = tuple(dict.fromkeys(entries))
    terms = () if new.category == "sentence-similarity" else distinct
    patterns = terms if new.category == "pattern" else ()
    return KeywordPlan(
        list_id=list_id,
        keyword_list=keyword_list,
        revision_id=keyword_list.revision_id,
        category=keyword_list.category,
        current=difference.current,
        new=new,
        entries=entries,
        added=difference.missing,
        removed=difference.unexpected,
        unchanged=difference.common,
        duplicates=tuple(entry for entry, count in Counter(entries).items() if count > 1),
        case_variants=_case_variants(distinct, patterns=bool(patterns)),
        too_long=tuple(term for term in terms if len(term) > LONGEST_TERM),
        invalid_patterns=tuple(invalid_patterns(patterns)),
        unbounded=tuple(pattern for pattern in patterns if is_unbounded(pattern)),
        terms_with_separator=tuple(term for term in terms if SEPARATOR.search(term)),
        base_url=base_url,
    )


def _from_content(content: Mapping[str, Any]) -> KeywordPlan:
    """The plan with this stored content.

    Raises:
        InvalidRequestError: a value is missing or has the wrong type.
    """
    from .stored import input_from_dict  # noqa: PLC0415 - see above

    kinds: Mapping[str, type] = {
        **dict.fromkeys(("new", "keyword_list"), dict),
        **dict.fromkeys(("already_present", "not_present"), list),
        "list_id": str,
        "from_changes": bool,
    }
    wrong = [name for name, kind in kinds.items() if not isinstance(content.get(name), kind)]
    if wrong or not isinstance(content.get("base_url"), str | None):
        raise InvalidRequestError(
            f"this is not a stored plan: {wrong[0] if wrong else 'base_url'} is missing or has the wrong type"
        )
    plan = compare(
        content["list_id"],
        KeywordList.from_dict(content["keyword_list"]),
        input_from_dict(content["new"]),
        base_url=content.get("base_url"),
    )
    return evolve(
        plan,
        from_changes=content["from_changes"],
        already_present=check_terms(content["already_present"], "already_present"),
        not_present=check_terms(content["not_present"], "not_present"),
    )


@frozen
class Difference:
    """The entries that a list shows (`None` if it shows none), compared with those that it should hold."""

    current: tuple[str, ...] | None
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    common: tuple[str, ...] = ()


def difference_between(keyword_list: KeywordList, entries: Iterable[str]) -> Difference:
    """Compare the entries of a list with the entries that it should hold."""
    found = list_entries(keyword_list)
    if found is None:
        return Difference(None)
    current, wanted = dict.fromkeys(found), dict.fromkeys(entries)
    return Difference(
        current=tuple(current),
        missing=tuple(entry for entry in wanted if entry not in current),
        unexpected=tuple(entry for entry in current if entry not in wanted),
        common=tuple(entry for entry in wanted if entry in current),
    )


def differing_fields(keyword_list: KeywordList, new: KeywordListInput) -> tuple[str, ...]:
    """The fields that the input sets to another value than the list has."""
    names = ("category", "id", "name", "description")
    pairs = ((name, getattr(keyword_list, name), getattr(new, name)) for name in names)
    return tuple(name for name, current, wanted in pairs if wanted is not None and wanted != current)


def _case_variants(entries: Iterable[str], *, patterns: bool) -> tuple[tuple[str, ...], ...]:
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(folded(entry) if patterns else entry.casefold(), []).append(entry)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


# A plan as text.


def _lines(plan: KeywordPlan, limit: int | None) -> Iterator[str]:
    current = "unknown entries" if plan.current is None else many(len(plan.current), "entry", "entries")
    revision = "" if plan.revision_id is None else f", revision {readable(plan.revision_id)}"
    yield f"--- {readable(plan.list_id)}: {readable(plan.category)}, {current}{revision}"
    sent_as = "a CSV file" if plan.sent_as == "file" else str(plan.sent_as)
    if plan.sent_as == "file" and plan.terms_with_separator:
        sent_as += f": {len(plan.terms_with_separator):,} with a comma or a line break"
    planned = many(len(plan.entries), "entry", "entries")
    yield f"+++ {readable(plan.list_id)}: {plan.new.category}, {planned}, sent as {sent_as}"
    for name in plan.changed_fields:
        before, after = getattr(plan.keyword_list, name), getattr(plan.new, name)
        yield f"~ {name}: {'none' if before is None else readable(before)} -> {readable(after)}"
    yield from listed("- ", plan.removed, limit)
    yield from listed("+ ", plan.added, limit)
    yield _summary(plan)
    for warning, entries in _warnings(plan):
        yield f"! {warning}"
        yield from listed("!   ", entries, limit)


def _summary(plan: KeywordPlan) -> str:
    if plan.current is None:
        return (
            "the changes are unknown, because the service does not show the entries; "
            f"{many(len(plan.entries), 'entry', 'entries')} would be sent"
        )
    share = f" ({plan.share_removed:.1%} of {len(plan.current):,})" if plan.removed else ""
    return f"{len(plan.added):,} added, {len(plan.removed):,} removed{share}, {len(plan.unchanged):,} unchanged"


def _warnings(plan: KeywordPlan) -> Iterator[tuple[str, Sequence[object]]]:
    if plan.keyword_list.active is False:
        yield "the list is not active", ()
    if plan.category != plan.new.category:
        yield f"the category changes from {readable(plan.category)} to {plan.new.category}", ()
    if plan.new.id not in (None, plan.list_id):
        yield f"the input is for another list, {readable(plan.new.id)}", ()
    if plan.new.file is not None and plan.new.category == "sentence-similarity":
        yield (
            "both sentences and a file are sent; which one the service uses is not documented; the file is compared",
            (),
        )
    kinds: Sequence[tuple[str, str, str, Sequence[object]]] = (
        ("entry to add is", "entries to add are", "already in the list", plan.already_present),
        ("entry to remove is", "entries to remove are", "not in the list", _with_near_matches(plan)),
        ("entry occurs", "entries occur", "more than once", plan.duplicates),
        ("group of entries differs", "groups of entries differ", "only in case", plan.case_variants),
        ("entry is", "entries are", f"longer than {LONGEST_TERM} characters, which the service refuses", plan.too_long),
        ("pattern does", "patterns do", "not compile", plan.invalid_patterns),
        ("pattern has", "patterns have", "an unbounded quantifier, which the service refuses", plan.unbounded),
        ("entry holds", "entries hold", "a comma or a line break", plan.terms_with_separator),
    )
    for one, several, problem, entries in kinds:
        if entries:
            yield f"{many(len(entries), one, several)} {problem}:", entries


def _with_near_matches(plan: KeywordPlan) -> Sequence[object]:
    """The entries to remove that the list does not have; beside an entry, its spelling in the list."""
    if not plan.not_present:
        return ()
    spellings = {_without_spelling(entry): entry for entry in plan.current or ()}
    near = [(entry, spellings.get(_without_spelling(entry))) for entry in plan.not_present]
    return [entry if found is None else (entry, f"(the list has {readable(found)})") for entry, found in near]


def _without_spelling(entry: str) -> str:
    """An entry without the differences that people do not see, or rarely notice: case, spaces, normal form."""
    return normalize("NFC", "".join(entry.split()).casefold())


def listed(mark: str, entries: Sequence[object], limit: int | None) -> Iterator[str]:
    """One line for each entry, and a line with the number of entries beyond the limit."""
    first = entries if limit is None else entries[: max(0, limit)]
    for entry in first:
        # A tuple is a group of variants, or a pattern and its fault.
        texts = entry[:_SHOWN_VARIANTS] if isinstance(entry, tuple) else (entry,)
        yield mark + "  ".join(map(readable, texts))
    if len(first) < len(entries):
        yield f"{mark.rstrip()} ... and {len(entries) - len(first):,} more"


def many(count: int, one: str, several: str) -> str:
    """A number and its noun."""
    return f"{count:,} {one if count == 1 else several}"


def readable(value: object) -> str:
    """A text for people: unchanged if it cannot be mistaken for anything else, and otherwise as a Python literal."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN_TEXT:
        return f"{readable(text[:_SHOWN_TEXT])}... ({len(text):,} characters)"
    plain = text.isprintable() and text == text.strip() and text[:1] not in ("", "'", '"')
    return text if plain else repr(text)
