"""What an update would do to a keyword list, and whether it did (pure).

Entries are compared as sets of texts: order means nothing to moderation, and an entry that is there twice is there. A
list made from CSV shows its entries with the double quotes of its file; there, an entry in quotes and the same without
are one. Whether the service keeps all that is sent is not documented (service.md, section 4.2), so that the only truth
about an update is what can be read afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import evolve, field, frozen

from cometchat_openapi.models import KeywordList
from cometchat_rest.errors import (
    ApiError,
    CometChatError,
    InvalidRequestError,
    PlanRefusedError,
    RequestTimeoutError,
    RevisionConflictError,
)

from .files import SEPARATOR
from .inputs import KeywordListInput, entries_of, list_entries, strip_csv_quotes
from .patterns import folded, invalid_patterns, is_unbounded

#: The longest word or pattern, in characters; the vendor's limit.
LONGEST_TERM = 100
#: How many entries of a kind a plan shows, unless told otherwise.
SHOWN_ENTRIES = 50

# How much of one text a plan shows, in characters.
_SHOWN = 120
_SHOWN_VARIANTS = 5

#: The field of the form that carries the entries.
SentAs: TypeAlias = Literal["searchTerms", "disallowedSentences", "file"]


@frozen(kw_only=True, repr=False)
class KeywordPlan:
    """What an update of a keyword list would do; `print(plan)` shows it, nothing has been sent.

    Attributes:
        list_id: the list that would be updated.
        keyword_list: the list as it was read.
        revision_id: its revision then; `None` where the service shows none.
        category: its category then.
        current: its entries then, each once; `None` where the service does not show them, so that what would be added
            or removed cannot be told.
        new: the input as it will be sent.
        entries: the entries of `new`, in order.
        added: entries that are new, each once.
        removed: entries that would go, each once.
        unchanged: entries that would stay, each once.
        duplicates: entries that `new` has more than once.
        case_variants: groups of entries of `new` that differ in case alone; in a pattern, an escape's case counts.
        too_long: words or patterns of `new` with more than `LONGEST_TERM` characters.
        invalid_patterns: patterns of `new` that Python's `re` does not compile, each with the reason. A hint: the dialect
            of the service is not documented.
        unbounded: patterns of `new` with a quantifier that has no upper bound, `*`, `+` or `{n,}`. The service refuses
            them.
        terms_with_separator: words or patterns of `new` that hold a comma or a line break. Because of them, all entries
            are sent as a file.
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

    @property
    def sent_as(self) -> SentAs:
        """Which field of the form carries the entries (service.md, section 2.2)."""
        if self.new.file is not None:
            return "file"
        return "disallowedSentences" if self.new.category == "sentence-similarity" else "searchTerms"

    @property
    def share_removed(self) -> float | None:
        """The share of the list's entries that would go, 0.0 to 1.0; `None` where the service does not show them."""
        if self.current is None:
            return None
        return len(self.removed) / len(self.current) if self.current else 0.0

    @property
    def changed_fields(self) -> tuple[str, ...]:
        """Which of `category`, `id`, `name` and `description` the input gives another value than they have."""
        return _differing_fields(self.keyword_list, self.new)

    @property
    def has_changes(self) -> bool:
        """Whether anything is known to become different."""
        return bool(self.added or self.removed or self.changed_fields)

    def describe(self, limit: int | None = SHOWN_ENTRIES) -> str:
        """The plan as lines to read: `- ` goes, `+ ` comes, `~ ` changes, `! ` is a warning.

        Args:
            limit: how many entries of each kind to show; `None` for all.

        Returns:
            Text without a line break at its end. What a term could use to look like something else (control characters,
            line breaks, blanks at its ends) is shown as in a Python literal, in quotes.
        """
        return "\n".join(_lines(self, limit))

    def __str__(self) -> str:
        return self.describe()

    def __repr__(self) -> str:
        return f"<KeywordPlan {_shown(self.list_id)}: {_summary(self)}>"


@frozen(kw_only=True, repr=False)
class KeywordUpdate:
    """What became of an update.

    Attributes:
        keyword_list: the list as it was read after the update.
        matches: whether it is what was sent; `None` where that cannot be told, because the service does not show the
            entries or could not be read (see `error`).
        missing: entries that were sent and are not there.
        unexpected: entries that are there and were not sent.
        differing_fields: which of `category`, `id`, `name` and `description` were sent and are different.
        recovered: whether the update's answer was lost, and the list that was read back is what was sent.
        error: why the list could not be read back after an update that the service confirmed; `keyword_list` is then
            what it answered to the update. `None` otherwise.
    """

    keyword_list: KeywordList = field(eq=False)
    matches: bool | None
    missing: tuple[str, ...] = ()
    unexpected: tuple[str, ...] = ()
    differing_fields: tuple[str, ...] = ()
    recovered: bool = False
    error: CometChatError | None = None

    def __repr__(self) -> str:
        return (
            f"<KeywordUpdate matches={self.matches} missing={len(self.missing)} unexpected={len(self.unexpected)} "
            f"differing_fields={self.differing_fields} recovered={self.recovered} error={self.error!r}>"
        )


def compare(list_id: str, keyword_list: KeywordList, new: KeywordListInput) -> KeywordPlan:
    """What updating a list with `new` would do.

    Args:
        list_id: the list's identifier, as it would be asked for.
        keyword_list: the list as it was read.
        new: what would be sent.

    Raises:
        InvalidRequestError: `new` is no keyword input, or its file is not UTF-8.
    """
    entries = entries_of(new)
    difference = _difference(keyword_list, entries)
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
        added=difference.lacking,
        removed=difference.surplus,
        unchanged=difference.common,
        duplicates=_duplicates(entries) if len(distinct) < len(entries) else (),
        case_variants=_case_variants(distinct, patterns=bool(patterns)),
        too_long=tuple(term for term in terms if len(term) > LONGEST_TERM),
        invalid_patterns=tuple(invalid_patterns(patterns)),
        unbounded=tuple(pattern for pattern in patterns if is_unbounded(pattern)),
        terms_with_separator=tuple(term for term in terms if SEPARATOR.search(term)),
    )


@frozen
class _Difference:
    """Entries that are wanted, beside the ones that a list shows."""

    current: tuple[str, ...] | None
    lacking: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    common: tuple[str, ...] = ()


def _difference(keyword_list: KeywordList, entries: Iterable[str]) -> _Difference:
    shown = list_entries(keyword_list)
    if shown is None:
        return _Difference(None)
    current, wanted = dict.fromkeys(shown), dict.fromkeys(entries)
    return _Difference(
        current=tuple(current),
        lacking=tuple(entry for entry in wanted if entry not in current),
        surplus=tuple(entry for entry in current if entry not in wanted),
        common=tuple(entry for entry in wanted if entry in current),
    )


def _differing_fields(keyword_list: KeywordList, new: KeywordListInput) -> tuple[str, ...]:
    names = ("category", "id", "name", "description")
    pairs = ((name, getattr(keyword_list, name), getattr(new, name)) for name in names)
    return tuple(name for name, current, wanted in pairs if wanted is not None and wanted != current)


# What is odd about entries.


def _duplicates(entries: Iterable[str]) -> tuple[str, ...]:
    seen: set[str] = set()
    # As keys, because each is told once and in order.
    again: dict[str, None] = {}
    for entry in entries:
        if entry in seen:
            again[entry] = None
        seen.add(entry)
    return tuple(again)


def _case_variants(entries: Iterable[str], *, patterns: bool) -> tuple[tuple[str, ...], ...]:
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(folded(entry) if patterns else entry.casefold(), []).append(entry)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


# A plan as text.


def _lines(plan: KeywordPlan, limit: int | None) -> Iterator[str]:
    current = "unknown" if plan.current is None else many(len(plan.current), "entry", "entries")
    read = "" if plan.revision_id is None else f", revision {_shown(plan.revision_id)}"
    yield f"--- {_shown(plan.list_id)}: {_shown(plan.category)}, {current}{read}"
    planned = many(len(plan.entries), "entry", "entries")
    yield f"+++ {_shown(plan.list_id)}: {plan.new.category}, {planned}, {_sent(plan)}"
    for name in plan.changed_fields:
        before, after = getattr(plan.keyword_list, name), getattr(plan.new, name)
        yield f"~ {name}: {'none' if before is None else _shown(before)} -> {_shown(after)}"
    yield from listed("- ", plan.removed, limit)
    yield from listed("+ ", plan.added, limit)
    yield _summary(plan)
    for warning, entries in _warnings(plan):
        yield f"! {warning}"
        yield from listed("!   ", entries, limit)


def _sent(plan: KeywordPlan) -> str:
    if plan.sent_as != "file":
        return f"sent as {plan.sent_as}"
    if plan.terms_with_separator:
        return f"sent as a CSV file: {len(plan.terms_with_separator):,} with a comma or a line break"
    return "sent as a CSV file"


def _summary(plan: KeywordPlan) -> str:
    if plan.current is None:
        return (
            f"what would change is unknown: the service does not show the entries; {len(plan.entries):,} would be sent"
        )
    share = f" ({plan.share_removed:.1%} of {len(plan.current):,})" if plan.removed else ""
    return f"{len(plan.added):,} added, {len(plan.removed):,} removed{share}, {len(plan.unchanged):,} unchanged"


def _warnings(plan: KeywordPlan) -> Iterator[tuple[str, Sequence[object]]]:
    if plan.category != plan.new.category:
        yield f"the category changes from {_shown(plan.category)} to {plan.new.category}", ()
    if plan.new.id not in (None, plan.list_id):
        yield f"the input is for another list, {_shown(plan.new.id)}", ()
    if plan.new.file is not None and plan.new.category == "sentence-similarity":
        yield "sentences go beside the file, and the service does not say which it takes; the file's are compared", ()
    kinds: Sequence[tuple[str, str, str, Sequence[object]]] = (
        ("entry is", "entries are", "there more than once", plan.duplicates),
        ("group of entries differs", "groups of entries differ", "in case alone", plan.case_variants),
        ("entry is", "entries are", f"longer than {LONGEST_TERM} characters, which is refused", plan.too_long),
        ("pattern does", "patterns do", "not compile", plan.invalid_patterns),
        ("pattern has", "patterns have", "an unbounded quantifier, which is refused", plan.unbounded),
        ("entry holds", "entries hold", "a comma or a line break", plan.terms_with_separator),
    )
    for one, several, what, entries in kinds:
        if entries:
            yield f"{many(len(entries), one, several)} {what}:", entries


def listed(mark: str, entries: Sequence[object], limit: int | None) -> Iterator[str]:
    """Entries as lines to read, and a line about those beyond the limit."""
    shown = entries if limit is None else entries[: max(0, limit)]
    for entry in shown:
        # A group of variants, or a pattern and what is wrong with it.
        texts = entry[:_SHOWN_VARIANTS] if isinstance(entry, tuple) else (entry,)
        yield mark + "  ".join(map(_shown, texts))
    if len(shown) < len(entries):
        yield f"{mark.rstrip()} ... and {len(entries) - len(shown):,} more"


def many(count: int, one: str, several: str) -> str:
    """A number and its noun."""
    return f"{count:,} {one if count == 1 else several}"


def _shown(value: object) -> str:
    """A text as it stands if nobody can take it for anything else, and otherwise as a literal."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN:
        return f"{_shown(text[:_SHOWN])}... ({len(text):,} characters)"
    plain = text.isprintable() and text == text.strip() and text[:1] not in ("", "'", '"')
    return text if plain else repr(text)


# Carrying a plan out: what to do with each thing that was heard.


def check_removed(plan: KeywordPlan, max_removed: float) -> None:
    """Make sure that no more goes than may go.

    Raises:
        InvalidRequestError: `plan` is no plan, or `max_removed` no share.
        PlanRefusedError: too much would go.
    """
    if not isinstance(plan, KeywordPlan):
        raise InvalidRequestError(f"plan must be what keywords.plan() returned, not {type(plan).__name__}")
    if isinstance(max_removed, bool) or not isinstance(max_removed, int | float) or not 0 <= max_removed <= 1:
        raise InvalidRequestError(f"max_removed must be a share from 0 to 1, not {max_removed!r}")
    share = plan.share_removed
    if share is None and max_removed < 1:
        what = "the service does not show the entries, so how many would go cannot be told"
    elif share is not None and share > max_removed:
        count = 0 if plan.current is None else len(plan.current)
        what = f"{len(plan.removed):,} of {count:,} entries ({share:.1%}) would go"
    else:
        return
    raise PlanRefusedError(
        f"{_shown(plan.list_id)}: {what}, and max_removed allows {max_removed:.1%}",
        removed=len(plan.removed),
        share_removed=share,
        max_removed=max_removed,
    )


def check_revision(plan: KeywordPlan, found: KeywordList) -> None:
    """Make sure that the list is as it was when the plan was made.

    Raises:
        RevisionConflictError: it is not.
    """
    if _moved(plan, found):
        raise RevisionConflictError(
            f"{_shown(plan.list_id)} has changed since the plan was made: it was at revision "
            f"{_shown(plan.revision_id)} and is at {_shown(found.revision_id)}; make a new plan",
            planned_revision=plan.revision_id,
            current_revision=found.revision_id,
        )


def _moved(plan: KeywordPlan, found: KeywordList) -> bool:
    if plan.revision_id is not None or found.revision_id is not None:
        return plan.revision_id != found.revision_id
    current = _difference(found, ()).current
    return (plan.keyword_list.updated_at, plan.current) != (found.updated_at, current)


def resolve_update(
    plan: KeywordPlan, sent: KeywordList | CometChatError, found: KeywordList | CometChatError
) -> KeywordUpdate:
    """What became of an update: `sent` is its answer, or how that was lost, and `found` what was read afterwards.

    Raises:
        CometChatError: `sent`, where the update cannot be shown to have been carried out. Its `outcome_unknown` is
            false where it can be shown not to have been.
    """
    if isinstance(found, CometChatError):
        if isinstance(sent, CometChatError):
            sent.add_note(f"Reading the list afterwards failed as well: {found}")
            raise sent
        return KeywordUpdate(keyword_list=sent, matches=None, error=found)
    update = _read_back(plan, found)
    if not isinstance(sent, CometChatError):
        return update
    if update.matches:
        return evolve(update, recovered=True)
    if _moved(plan, found):
        sent.add_note(
            f"The list was at revision {_shown(plan.revision_id)} and is at {_shown(found.revision_id)}, "
            "and is not known to be what was sent."
        )
    else:
        # The service may still be at work on what it took too long for.
        slow = isinstance(sent, RequestTimeoutError) or (isinstance(sent, ApiError) and sent.status_code == 504)
        sent.outcome_unknown = slow
        if not slow:
            sent.add_note("The list was read back, and is as it was before.")
    raise sent


def _read_back(plan: KeywordPlan, found: KeywordList) -> KeywordUpdate:
    # Whether the service shows the quotes of a file it was sent, or those of its entries alone, is not documented.
    difference = _difference(found, strip_csv_quotes(found, plan.entries))
    fields = _differing_fields(found, plan.new)
    differs = bool(difference.lacking or difference.surplus or fields)
    return KeywordUpdate(
        keyword_list=found,
        matches=None if difference.current is None and not differs else not differs,
        missing=difference.lacking,
        unexpected=difference.surplus,
        differing_fields=fields,
    )
