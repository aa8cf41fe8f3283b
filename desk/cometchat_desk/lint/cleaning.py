"""Repair what is certainly damage in the entries of a list, one finding of the linter at a time (pure)."""

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


#: The repair of each rule that has one.
REPAIRS: Mapping[str, Callable[[str], str]] = {
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
    current = dict(enumerate(entries))
    rules: dict[int, dict[str, None]] = {}
    for _ in range(_PASSES):
        before, indexes = current.copy(), list(current)
        for finding in lint_entries(before.values(), category=category, settings=settings):
            index = indexes[finding.index or 0]
            # In a pattern, spaces inside have a meaning.
            is_space_in_pattern = (finding.rule, category) == ("spaces", "pattern")
            repair = str.strip if is_space_in_pattern else REPAIRS.get(finding.rule, str)
            repaired = repair(current[index])
            if repaired != current[index]:
                current[index] = repaired
                rules.setdefault(index, {})[finding.rule] = None
        current = {index: entry for index, entry in current.items() if entry.strip()}
        if current == before:
            break
    changes = [Change(index, entries[index], current.get(index, ""), (*rules[index],)) for index in sorted(rules)]
    return list(current.values()), changes
