"""The rule about rows with the marks of a document."""

import re
from collections.abc import Iterator
from itertools import pairwise

from .checks import Listed, Problem

# A bullet, also from the fonts of Word; another mark, a box or a number, with a space after it. A
# letter with a full stop is an initial.
_ITEM = re.compile(
    r"""
    \s* (?:
        (?P<bullet> [•▪◦‣\u2043➢➤\uf000-\uf0ff] ) \s*
      | (?:
            [-*+~>»§→✓✔☐☑·●○■□\u2013\u2014]           # - spam
          | \[ [ xX] \]                                # [x] spam
          | [#]\d+                                     # #5 spam
          | \(? (?: \d{1,4} | [a-zA-Z](?=\)) ) [.)]    # 1. spam, a) spam
        ) \s+
    ) (?=\S)
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d+")


def list_item(listed: Listed) -> Iterator[Problem]:
    """The entry begins with a bullet or a number, as in the list of a document.

    The mark is sent and compared, so the entry never matches. Remove it. Bullets (`• spam`) are
    always reported; other marks and numbers (`- spam`, `1. spam`) if at least three entries, or
    half of the entries, have one.
    """
    if listed.category == "pattern":
        return
    marked = {
        index: item for index, entry in enumerate(listed.heads) if (item := _ITEM.match(entry))
    }
    systematic = len(marked) >= 3 or 2 * len(marked) >= max(len(listed.entries), 4)
    for index, item in marked.items():
        if systematic or item["bullet"]:
            yield index, "begins with the mark or the number of an item, which is part of the entry"


def are_items(listed: Listed) -> bool:
    """Whether at least half of the entries have a mark, and numbers count up: `1. spam` before
    `2. scam` is an item, and `3. Liga` alone is a name."""
    marks = [item[0] for item in map(_ITEM.match, listed.heads) if item]
    numbers = [int(number[0]) for number in map(_NUMBER.search, marks) if number]
    counts_up = all(after == before + 1 for before, after in pairwise(numbers))
    return len(numbers) != 1 and counts_up and 2 * len(marks) >= len(listed.entries)


def without_item(entry: str, *, bullets_only: bool) -> str:
    """The entry without the mark or the number of an item. No name begins with a bullet."""
    item = _ITEM.match(entry)
    if item is None or (bullets_only and not item["bullet"]):
        return entry
    return entry[item.end() :]
