"""The types that all checks share: the list to check, and a problem that a check found."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

#: The longest word or pattern, in characters; the vendor's limit.
LONGEST_TERM = 100
# Words have at most 100 characters, and few sentences more than 300. Damage shows in the beginning
# of a longer entry.
_LONGEST_HEAD = 300


@frozen(kw_only=True, slots=False)
class Listed:
    """A list to check."""

    entries: tuple[str, ...] = field(repr=False)  # the entries to check, in order
    category: str = "word"  # its category: `"word"`, `"pattern"` or `"sentence-similarity"`
    # the other entries of the list, which are not checked
    beside: tuple[str, ...] = field(default=(), repr=False)

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The beginning of each entry: a regular expression may need time that grows faster than
        the text."""
        return tuple(
            entry if len(entry) <= _LONGEST_HEAD else entry.strip()[:_LONGEST_HEAD]
            for entry in self.entries
        )

    def matching(
        self, regex: re.Pattern[str], signs: str = ""
    ) -> Iterator[tuple[int, str, re.Match[str]]]:
        """The heads in which a regular expression without anchors matches, each with its index
        and the match. Each match holds one of the signs, if there are some."""
        # One search in all entries is much faster than one search in each entry, and most lists
        # have no match.
        if self.has_any(signs) and self.holds(regex):
            for index, entry in enumerate(self.heads):
                if match := regex.search(entry):
                    yield index, entry, match

    def holds(self, regex: re.Pattern[str]) -> bool:
        """Whether a regular expression without anchors may match in a head; false only if it
        matches in none."""
        return regex.search(self._joined) is not None

    def has_any(self, signs: str) -> bool:
        """Whether a head holds one of these characters; true if there are none."""
        return not signs or not self._characters.isdisjoint(signs)

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all characters are those of ASCII."""
        return self._joined.isascii()

    @cached_property
    def _characters(self) -> frozenset[str]:
        return frozenset(self._joined)

    @cached_property
    def unusual(self) -> tuple[tuple[int, str], ...]:
        """The heads that hold a character outside ASCII, each with its index."""
        return tuple(
            (index, entry) for index, entry in enumerate(self.heads) if not entry.isascii()
        )

    @cached_property
    def _joined(self) -> str:
        return "\n".join(self.heads)


#: A problem that a check found: the place of the entry, and a text that continues a sentence after
#: the entry.
Problem: TypeAlias = tuple[int, str]
#: The code of a rule. The first paragraph of its docstring is the summary of the rule, the second
#: one the advice.
Check: TypeAlias = Callable[[Listed], Iterator[Problem]]
