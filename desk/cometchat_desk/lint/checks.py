"""The types that all checks share: the list to check, and a problem that a check found."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from attrs import field, frozen

#: The longest word or pattern, in characters; the vendor's limit.
LONGEST_TERM = 100
# Words have at most 100 characters, and few sentences more than 300. Damage shows in the beginning
# of a longer entry.
_LONGEST_HEAD = 300
_PLAIN = re.compile("[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")


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

    @cached_property
    def marked(self) -> Sequence[tuple[int, str]]:
        """The heads that are not plain words of ASCII, each with its index. Only in these, a
        character can be wrong."""
        return [
            (index, head) for index, head in enumerate(self.heads) if not _PLAIN.fullmatch(head)
        ]

    @cached_property
    def unusual(self) -> Sequence[tuple[int, str]]:
        """The heads that hold a character outside ASCII, each with its index."""
        return [(index, head) for index, head in self.marked if not head.isascii()]

    def matching(self, regex: re.Pattern[str]) -> Iterator[tuple[int, str, re.Match[str]]]:
        """The marked heads in which a regular expression matches, each with its index and the
        match. Its `^` and `$` must match at line breaks."""
        # A search in all heads is much faster than one in each, and most lists have no match.
        place = 0
        while match := regex.search(self._joined, place):
            number = bisect_right(self._places, match.start()) - 1
            index, head = self.marked[number]
            # A match in all heads may go beyond this one.
            if in_head := regex.search(head):
                yield index, head, in_head
            place = self._places[number + 1]

    @cached_property
    def _joined(self) -> str:
        return "\n".join(head for _, head in self.marked)

    @cached_property
    def _places(self) -> Sequence[int]:
        """The place of each marked head in the text of all, and the end."""
        return list(accumulate((len(head) + 1 for _, head in self.marked), initial=0))


#: A problem that a check found: the place of the entry, and a text that continues a sentence after
#: the entry.
Problem: TypeAlias = tuple[int, str]
#: The code of a rule. The first paragraph of its docstring is the summary of the rule, the second
#: one the advice.
Check: TypeAlias = Callable[[Listed], Iterator[Problem]]
