"""Repair what is certainly damage in the entries of a list, one finding of the linter at a time
(pure)."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from attrs import frozen

from .characters import normalized, straight_apostrophes, without_directions, without_invisible
from .checks import Listed
from .engine import lint_entries
from .quotes import without_quotes
from .rows import are_items, without_item
from .separators import has_columns, mostly_rows, without_separators
from .settings import LintSettings


@frozen
class Change:
    """A change of one entry, with the rules of the linter that found it; `after` has several
    entries if it splits."""

    index: int
    before: str
    after: tuple[str, ...]
    rules: tuple[str, ...]


_Repair: TypeAlias = Callable[[str], Sequence[str]]


# One repair can show the next damage, such as spaces inside quotes.
_PASSES = 4


def _always(repair: Callable[[str], str]) -> _Repair:
    return lambda entry: [repair(entry)]


def _as_it_is(entry: str) -> Sequence[str]:
    return [entry]


def _removed(_: str) -> Sequence[str]:
    return []


def _without_spaces(entry: str) -> str:
    return re.sub(r"[^\S\r\n]+", " ", entry).strip()


def _repairs(listed: Listed, *, is_text: bool) -> Mapping[str, _Repair]:
    """The repair of each rule that has one in this list."""
    repairs: dict[str, _Repair] = {
        # In a pattern, spaces inside have a meaning.
        "spaces": _always(str.strip if listed.category == "pattern" else _without_spaces),
        "normalization": _always(normalized),
        "invisible-character": _always(without_invisible),
        "text-direction": _always(without_directions),
        "curly-apostrophe": _always(straight_apostrophes),
        "quotes": _always(without_quotes),
        "list-item": _always(partial(without_item, bullets_only=not are_items(listed))),
        "header-row": _removed,
        "comment": _removed,
        "duplicate": _removed,
    }
    # The rows of a table stay, and a cell of a table is never split.
    if not has_columns(listed):
        splits = is_text and mostly_rows(listed)
        repairs["separator"] = partial(without_separators, splits=splits)
    return repairs


def clean(
    entries: Sequence[str], category: str, settings: LintSettings, *, is_text: bool
) -> tuple[Sequence[tuple[int, str]], Sequence[Change]]:
    """The repaired entries, each with the index of its original, and the changes. Other damage
    stays as it is. `is_text` is true for the lines of a text file: a cell is never split."""
    repairs = _repairs(Listed(entries=tuple(entries), category=category), is_text=is_text)
    kept = list(enumerate(entries))
    rules: dict[int, dict[str, None]] = {}
    for _ in range(_PASSES):
        findings = lint_entries([entry for _, entry in kept], category=category, settings=settings)
        texts = [[entry] for _, entry in kept]
        for finding in findings:
            before = texts[finding.index]
            repair = repairs.get(finding.rule, _as_it_is)
            after = [part for text in before for part in repair(text)]
            if after != before:
                texts[finding.index] = after
                rules.setdefault(kept[finding.index][0], {})[finding.rule] = None
        repaired = _remaining(kept, texts)
        if repaired == kept:
            break
        kept = repaired
    return kept, _changes(entries, kept, rules)


def _remaining(
    kept: Sequence[tuple[int, str]], texts: Sequence[Sequence[str]]
) -> list[tuple[int, str]]:
    """The texts in place of entries, each with the index of its original; without blank ones."""
    return [
        (index, text)
        for (index, _), parts in zip(kept, texts, strict=True)
        for text in parts
        if text.strip()
    ]


def _changes(
    entries: Sequence[str],
    kept: Sequence[tuple[int, str]],
    rules: Mapping[int, Mapping[str, None]],
) -> list[Change]:
    after: dict[int, list[str]] = {}
    for index, text in kept:
        after.setdefault(index, []).append(text)
    return [
        Change(index, entries[index], tuple(after.get(index, ())), tuple(rules[index]))
        for index in sorted(rules)
    ]
