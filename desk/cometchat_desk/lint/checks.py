"""The types that all checks share: the list to check, and a problem that a check found."""

import re
from collections.abc import Callable, Iterable, Iterator
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
        for index in self._holding(signs) if signs else self._suspects(regex):
            entry = self.heads[index]
            if match := regex.search(entry):
                yield index, entry, match

    def _suspects(self, regex: re.Pattern[str]) -> Iterable[int]:
        # One search in all entries is much faster than one search in each entry, and most lists
        # have no match.
        return range(len(self.heads)) if self.holds(regex) else ()

    def _holding(self, signs: str) -> Iterable[int]:
        """The places of the heads that hold one of these characters, in order."""
        places: set[int] = set()
        for sign in signs:
            if sign not in self._places:
                in_each = enumerate(self.heads) if sign in self._joined else ()
                self._places[sign] = [index for index, entry in in_each if sign in entry]
            places.update(self._places[sign])
        return sorted(places)

    def holds(self, regex: re.Pattern[str]) -> bool:
        """Whether a regular expression without anchors may match in a head; false only if it
        matches in none."""
        return regex.search(self._joined) is not None

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """For characters, the places of the heads that hold them."""
        return {}

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all characters are those of ASCII."""
        return self._joined.isascii()

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
