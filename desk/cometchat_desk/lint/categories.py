"""The rule about entries that belong to a list of another category."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .checks import Listed, Problem
from .findings import shown

# One word, without punctuation, in a script that puts spaces between words.
_WORD = re.compile(
    r"\s*[^\W\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
    r"[\w'\u2019-]*\s*"
)
# Some sentences are one word.
_SEVERAL = 3


def wrong_category(listed: Listed) -> Iterator[Problem]:
    """Several new entries of a list of sentences, and at least half of them, are single words."""
    if not listed.has_sentences:
        return
    live = frozenset(listed.before or ())
    new = [index for index, entry in enumerate(listed.entries) if entry not in live]
    words = [index for index in new if _WORD.fullmatch(listed.entries[index])]
    if len(words) >= max(_SEVERAL, len(new) / 2):
        first = shown(listed.entries[words[0]])
        others = f"{first} and {len(words) - 1:,} other new entries are single words"
        yield Problem(words[0], f"{others}; put words in a list of words: sentences are compared by their meaning")
