"""Repair what is certainly damage in the entries of a list, one finding of the linter at a time (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from .characters import straight_apostrophes, without_directions, without_invisible
from .engine import lint_entries
from .settings import LintSettings


@frozen
class Change:
    """A change of one entry, with the rules of the linter that found it; `after` is empty if the entry goes."""

    index: int
    before: str
    after: str
    rules: tuple[str, ...]


_QUOTES = "\"'\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f"


def _without_quotes(entry: str) -> str:
    text = entry.strip().removesuffix(",")
    is_quoted = len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES
    return text[1:-1].replace('""', '"') if is_quoted else entry


_REPAIRS: Mapping[str, Callable[[str], str]] = {
    "spaces": lambda entry: re.sub(r"[^\S\r\n]+", " ", entry).strip(),
    "normalization": lambda entry: unicodedata.normalize("NFC", entry),
    "invisible-character": without_invisible,
    "text-direction": without_directions,
    "curly-apostrophe": straight_apostrophes,
    "quotes": _without_quotes,
    "header-row": lambda _: "",
    "duplicate": lambda _: "",
}
# One repair can show the next damage, such as spaces inside quotes.
_PASSES = 4


def clean(entries: Sequence[str], category: str, settings: LintSettings) -> tuple[Sequence[str], Sequence[Change]]:
    """The repaired entries, and the changes. Entries whose damage has no certain repair stay as they are."""
    current = list(enumerate(entries))
    rules: dict[int, list[str]] = {}
    for _ in range(_PASSES):
        after = dict(current)
        for finding in lint_entries([entry for _, entry in current], category=category, settings=settings):
            repair = _REPAIRS.get(finding.rule)
            if repair is None or finding.index is None:
                continue
            index = current[finding.index][0]
            # In a pattern, spaces inside have a meaning.
            repair = str.strip if category == "pattern" and finding.rule == "spaces" else repair
            if after[index] and (repaired := repair(after[index])) != after[index]:
                after[index] = repaired
                rules.setdefault(index, []).append(finding.rule)
        before, current = current, [(index, entry) for index, entry in after.items() if entry.strip()]
        if before == current:
            break
    kept = dict(current)
    changes = [
        Change(index, entries[index], kept.get(index, ""), tuple(dict.fromkeys(rules[index])))
        for index in sorted(rules)
    ]
    return list(kept.values()), changes
