"""Repair what is certainly damage in the entries of a list, one finding of the linter at a time
(pure)."""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

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


def clean(
    entries: Sequence[str], category: str, settings: LintSettings, *, is_text: bool
) -> tuple[Sequence[tuple[int, str]], Sequence[Change]]:
    """The repaired entries, each with the index of its original, and the changes. Other damage
    stays as it is. `is_text` is true for the lines of a text file: a cell is never split."""
    # The columns of a table are not several entries.
    splits = is_text and not has_columns(Listed(entries=tuple(entries), category=category))
    kept = list(enumerate(entries))
    rules: dict[int, dict[str, None]] = {}
    for _ in range(_PASSES):
        findings = lint_entries([entry for _, entry in kept], category=category, settings=settings)
        texts = [[entry] for _, entry in kept]
        for finding in findings:
            before = texts[finding.index]
            after = _repaired(finding.rule, before, category, splits=splits)
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


def _repaired(rule: str, entries: Sequence[str], category: str, *, splits: bool) -> list[str]:
    """The texts in place of these parts of an entry in which a rule found something."""
    if rule == "separator" and splits:
        return [part for entry in entries for part in without_separators(entry)]
    # In a pattern, spaces inside have a meaning.
    repair = str.strip if (rule, category) == ("spaces", "pattern") else REPAIRS.get(rule, str)
    return [repair(entry) for entry in entries]
