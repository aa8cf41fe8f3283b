"""Repair what is certainly damage in the entries of a list, one finding of the linter at a time
(pure)."""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import define, field, frozen

from .characters import normalized, straight_apostrophes, without_directions, without_invisible
from .checks import Listed
from .engine import lint_entries
from .quotes import without_quotes
from .rows import without_item
from .separators import has_columns, without_separators
from .settings import LintSettings


@frozen
class Change:
    """A change of one entry, with the rules of the linter that found it; `after` has several
    entries if it splits."""

    index: int
    before: str
    after: tuple[str, ...]
    rules: tuple[str, ...]


#: The repair of each rule that has one; an empty text removes the entry.
REPAIRS: Mapping[str, Callable[[str], str]] = {
    "spaces": lambda entry: re.sub(r"[^\S\r\n]+", " ", entry).strip(),
    "normalization": normalized,
    "invisible-character": without_invisible,
    "text-direction": without_directions,
    "curly-apostrophe": straight_apostrophes,
    "quotes": without_quotes,
    "list-item": without_item,
    "header-row": lambda _: "",
    "comment": lambda _: "",
    "duplicate": lambda _: "",
}
# One repair can show the next damage, such as spaces inside quotes.
_PASSES = 4


@define
class _Part:
    """An entry, or a part of an entry that was split, with the place of the original."""

    index: int
    text: str
    rules: dict[str, None] = field(factory=dict[str, None])  # the rules that found damage


def clean(
    entries: Sequence[str], category: str, settings: LintSettings, *, is_text: bool
) -> tuple[Sequence[tuple[int, str]], Sequence[Change]]:
    """The repaired entries, each with the index of its original, and the changes. Other damage
    stays as it is. `is_text` is true for the lines of a text file: a cell is never split."""
    # The columns of a table are not several entries.
    splits = is_text and not has_columns(Listed(entries=tuple(entries), category=category))
    parts = [_Part(index, entry) for index, entry in enumerate(entries)]
    rules: dict[int, dict[str, None]] = {}
    for _ in range(_PASSES):
        repaired = _pass(parts, category, settings, splits=splits)
        for part in repaired:
            if part.rules:
                rules.setdefault(part.index, {}).update(part.rules)
        remaining = [_Part(part.index, part.text) for part in repaired if part.text.strip()]
        is_done = remaining == parts
        parts = remaining
        if is_done:
            break
    return [(part.index, part.text) for part in parts], _changes(entries, parts, rules)


def _pass(
    parts: Sequence[_Part], category: str, settings: LintSettings, *, splits: bool
) -> list[_Part]:
    """Repair each finding once. A removed part has no text."""
    repaired = [_Part(part.index, part.text) for part in parts]
    split: dict[int, list[str]] = {}
    texts = [part.text for part in parts]
    for finding in lint_entries(texts, category=category, settings=settings):
        part = repaired[finding.index]
        if finding.rule == "separator" and splits:
            texts_of_part = without_separators(part.text)
            if texts_of_part != [part.text]:
                split[finding.index] = texts_of_part
                part.rules["separator"] = None
            continue
        text = _repaired(finding.rule, part.text, category)
        if text != part.text:
            part.text = text
            part.rules[finding.rule] = None
    return [
        _Part(part.index, text, part.rules)
        for place, part in enumerate(repaired)
        for text in split.get(place, [part.text])
    ]


def _changes(
    entries: Sequence[str], parts: Sequence[_Part], rules: Mapping[int, dict[str, None]]
) -> list[Change]:
    after: dict[int, list[str]] = {}
    for part in parts:
        after.setdefault(part.index, []).append(part.text)
    return [
        Change(index, entries[index], tuple(after.get(index, ())), tuple(rules[index]))
        for index in sorted(rules)
    ]


def _repaired(rule: str, entry: str, category: str) -> str:
    # In a pattern, spaces inside have a meaning.
    if (rule, category) == ("spaces", "pattern"):
        return entry.strip()
    return REPAIRS.get(rule, str)(entry)
