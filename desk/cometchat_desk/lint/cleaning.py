"""Repair what is certainly damage in the entries of a list, one finding of the linter at a time
(pure)."""

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from .characters import normalized, straight_apostrophes, without_directions, without_invisible
from .checks import Listed
from .engine import lint_entries
from .quotes import without_quotes
from .rows import has_columns, without_item, without_separators
from .settings import LintSettings


@frozen
class Change:
    """A change of one entry, with the rules of the linter that found it; `after` has several
    entries if it splits."""

    index: int
    before: str
    after: tuple[str, ...]
    rules: tuple[str, ...]


#: The repair of each rule that has one; the result may be several entries.
REPAIRS: Mapping[str, Callable[[str], str | list[str]]] = {
    "spaces": lambda entry: re.sub(r"[^\S\r\n]+", " ", entry).strip(),
    "normalization": normalized,
    "invisible-character": without_invisible,
    "text-direction": without_directions,
    "curly-apostrophe": straight_apostrophes,
    "quotes": without_quotes,
    "list-item": without_item,
    "separator": without_separators,
    "line-break": without_separators,
    "header-row": lambda _: "",
    "duplicate": lambda _: "",
}
# One repair can show the next damage, such as spaces inside quotes.
_PASSES = 4


def clean(
    entries: Sequence[str], category: str, settings: LintSettings
) -> tuple[Sequence[tuple[int, str]], Sequence[Change]]:
    """The repaired entries, each with the index of its original, and the changes. Other damage
    stays as it is."""
    current = list(enumerate(entries))
    rules: dict[int, dict[str, None]] = {}
    for _ in range(_PASSES):
        before = [entry for _, entry in current]
        repaired = [[entry] for entry in before]
        # The columns of a table are not several entries.
        kept = (
            ("separator",) if has_columns(Listed(entries=tuple(before), category=category)) else ()
        )
        for finding in lint_entries(before, category=category, settings=settings):
            place = finding.index
            parts = [
                part
                for entry in repaired[place]
                for part in _repaired(finding.rule, entry, category)
            ]
            if finding.rule not in kept and parts != repaired[place]:
                repaired[place] = parts
                rules.setdefault(current[place][0], {})[finding.rule] = None
        current = [
            (index, part)
            for (index, _), parts in zip(current, repaired, strict=True)
            for part in parts
            if part.strip()
        ]
        if [entry for _, entry in current] == before:
            break
    after: dict[int, list[str]] = {}
    for index, entry in current:
        after.setdefault(index, []).append(entry)
    changes = [
        Change(one, entries[one], (*after.get(one, ()),), (*rules[one],)) for one in sorted(rules)
    ]
    return current, changes


def _repaired(rule: str, entry: str, category: str) -> list[str]:
    # In a pattern, spaces inside have a meaning.
    is_space_in_pattern = (rule, category) == ("spaces", "pattern")
    done = (str.strip if is_space_in_pattern else REPAIRS.get(rule, str))(entry)
    return [done] if isinstance(done, str) else done
