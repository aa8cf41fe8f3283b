"""The types that all checks share: the list to check, and a problem that a check found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen
from ftfy import badness

from .findings import Severity

#: The category of a list of regular expressions, and of a list of sentences.
PATTERN, SENTENCES = "pattern", "sentence-similarity"


@frozen(kw_only=True, slots=False)
class Listed:
    """A list to check.

    Attributes:
        entries: its entries, in order.
        category: its category.
        languages: the languages of the users, for the everyday words.
        before: the entries of the live list, if they are known.
    """

    entries: tuple[str, ...] = field(repr=False)
    category: str = "word"
    languages: tuple[str, ...] = ()
    before: tuple[str, ...] | None = field(default=None, repr=False)

    @property
    def has_patterns(self) -> bool:
        """Whether the entries are regular expressions."""
        return self.category == PATTERN

    def matching(self, regex: re.Pattern[str]) -> Iterator[tuple[int, str, re.Match[str]]]:
        """The entries in which a regular expression without anchors matches, each with its index and the match."""
        # One search in all entries is much faster than one search in each entry, and most lists have no match.
        if self.holds(regex):
            for index, entry in enumerate(self.entries):
                if found := regex.search(entry):
                    yield index, entry, found

    def holds(self, regex: re.Pattern[str]) -> bool:
        """Whether a regular expression without anchors may match in an entry; false only if it matches in none."""
        return regex.search(self._joined) is not None

    @cached_property
    def unusual(self) -> tuple[tuple[int, str], ...]:
        """The entries that hold a character outside ASCII, each with its index."""
        return tuple((index, entry) for index, entry in enumerate(self.entries) if not entry.isascii())

    @cached_property
    def mis_decoded(self) -> tuple[tuple[int, str], ...]:
        """The entries that were probably read in a wrong encoding, each with its index."""
        # Another rule is for lost characters.
        return tuple(each for each in self.unusual if "\ufffd" not in each[1] and badness.is_bad(each[1]))

    @cached_property
    def readable(self) -> tuple[tuple[int, str], ...]:
        """Like `unusual`, without the entries that were read in a wrong encoding: their characters mean nothing."""
        return tuple(sorted({*self.unusual} - {*self.mis_decoded})) if self.mis_decoded else self.unusual

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The entries with their case folded."""
        return tuple(map(str.casefold, self.entries))

    @cached_property
    def _joined(self) -> str:
        return "\n".join(self.entries)

    @property
    def has_sentences(self) -> bool:
        """Whether the entries are sentences."""
        return self.category == SENTENCES


@frozen
class Problem:
    """A problem that a check found.

    Attributes:
        index: the place of the entry; `None` if the problem is about the whole list.
        message: the problem in one line of printable text.
        severity: the severity, if it is not the one of the rule.
        others: other entries that the problem is about.
    """

    index: int | None
    message: str
    severity: Severity | None = None
    others: tuple[str, ...] = ()


#: The code of a rule.
Check: TypeAlias = Callable[[Listed], Iterator[Problem]]
