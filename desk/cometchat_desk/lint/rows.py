"""The rule about rows with the marks of a document."""

import re
from collections.abc import Iterator

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


def without_item(entry: str) -> str:
    """The entry without the mark or the number of an item."""
    item = _ITEM.match(entry)
    return entry[item.end() :] if item else entry
