"""Rules about the length of entries, and about entries that occur in others."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator
from itertools import islice

from cometchat_desk.lists.patterns import folded

from .checks import Listed, Problem
from .findings import Severity, shown

#: The longest word or pattern, in characters; the vendor's limit.
LONGEST_TERM = 100
# Beyond this, an entry with its combining characters is longer than one character for people.
_LONGEST_CHARACTER = 8
# The numbers of characters by which longer words are found, and of entries that a finding holds.
_KEYS, _OTHERS = (5, 9, 18, 36), 20
# In a list with more characters, words are searched only at the beginnings of entries: all places would take seconds.
_LARGEST_SEARCHED = 250_000
# Nobody reads more notes about contained words, and making them takes time.
_MOST_CONTAINED = 1000


# One sign or the same sign several times, and the wildcard of a pattern.
_ONLY_SIGNS = re.compile(r"""\s*(?:[!-/:-@\[-`{-~]|([*.,;_=~-])\1+|\.[*+])\s*""")


def one_letter(listed: Listed) -> Iterator[Problem]:
    """An entry is one letter or digit, or holds only a sign."""
    for index, entry in enumerate(listed.entries):
        if entry.isascii() and _ONLY_SIGNS.fullmatch(entry):
            message = f"{shown(entry)} has no letter: it matches very many messages, or no message"
            yield Problem(index, message, Severity.ERROR)
            continue
        if len(entry) > _LONGEST_CHARACTER or (entry.isascii() and len(entry.strip()) != 1):
            continue
        base = [each for each in entry if unicodedata.category(each) not in ("Mn", "Mc", "Cf", "Zs")]
        if len(base) == 1 and "\u20e3" not in entry and not _is_a_word(base[0]):
            yield Problem(index, f"{shown(entry)} is one character, and matches very many messages")


def _is_a_word(character: str) -> bool:
    """Whether one character can be a whole word: an ideograph, a syllable of Hangul, an emoji."""
    return unicodedata.category(character) in ("So", "Co", "Cn") or unicodedata.name(character, "").startswith(
        ("CJK", "HANGUL SYLLABLE")
    )


def too_long(listed: Listed) -> Iterator[Problem]:
    """A word or a pattern is longer than the service allows."""
    if listed.has_sentences:
        return
    for index, entry in enumerate(listed.entries):
        if len(entry) > LONGEST_TERM:
            yield Problem(index, f"{shown(entry)} has {len(entry):,} characters; the service allows {LONGEST_TERM}")


def duplicate(listed: Listed) -> Iterator[Problem]:
    """An entry occurs again."""
    if len(set(listed.entries)) == len(listed.entries):
        return
    seen = set[str]()
    for index, entry in enumerate(listed.entries):
        if entry in seen:
            yield Problem(index, f"{shown(entry)} occurs more than once")
        seen.add(entry)


def case_duplicate(listed: Listed) -> Iterator[Problem]:
    """An entry differs from an earlier one only in case."""
    # Folding a pattern takes time, and patterns that differ only in case have the same letters.
    repeated = {key for key, count in Counter(listed.folded).items() if count > 1}
    first: dict[str, str] = {}
    for index, (entry, key) in enumerate(zip(listed.entries, listed.folded, strict=True) if repeated else ()):
        if key not in repeated:
            continue
        other = first.setdefault(folded(entry) if listed.has_patterns else key, entry)
        if other != entry:
            yield Problem(index, f"{shown(entry)} and {shown(other)} differ only in case", others=(other,))


def contains_entry(listed: Listed) -> Iterator[Problem]:
    """A word occurs in other words of the list. There is one problem for the shorter word."""
    if listed.category != "word":
        return
    words: dict[str, int] = {}
    for index, word in enumerate(listed.folded):
        # The rule one-letter reports shorter entries.
        if len(word) > 1:
            words.setdefault(word, index)
    is_large = sum(map(len, words)) > _LARGEST_SEARCHED
    containing: dict[int, list[str]] = {}
    for part, word in _prefixes(words) if is_large else _parts(words):
        containing.setdefault(words[part], []).append(listed.entries[words[word]])
    for index, longer in islice(sorted(containing.items()), _MOST_CONTAINED):
        entry = listed.entries[index]
        count = "another entry" if len(longer) == 1 else f"{len(longer):,} other entries"
        message = f"{shown(entry)} occurs in {count}, which may not be needed: {', '.join(map(shown, longer[:3]))}"
        yield Problem(index, message, others=tuple(longer[:_OTHERS]))
    if (more := len(containing) - _MOST_CONTAINED) > 0:
        yield Problem(None, f"{more:,} more entries occur in other entries, and are not listed")


def _prefixes(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The words that begin with another word; the other word comes first."""
    # After sorting, a word comes directly before the words that begin with it.
    open_words: list[str] = []
    for word in sorted(words):
        while open_words and not word.startswith(open_words[-1]):
            open_words.pop()
        if open_words:
            yield open_words[-1], word
        open_words.append(word)


def _parts(words: Collection[str]) -> Iterator[tuple[str, str]]:
    """The words that contain another word; the other word comes first."""
    beginnings = _Beginnings(words)
    for word in words:
        for part in _contained(word, words, beginnings):
            yield part, word


class _Beginnings:
    """The words of a list by their first characters, so that few of them have to be compared."""

    def __init__(self, words: Collection[str]) -> None:
        self.short = frozenset(word for word in words if len(word) < _KEYS[0])
        self.short_lengths = tuple(sorted({len(word) for word in self.short}))
        # For each length of a key, the lengths of the words that begin with the key.
        self.lengths: list[tuple[int, dict[str, set[int]]]] = [(key, {}) for key in _KEYS]
        for word in words:
            for key, lengths in reversed(self.lengths):
                if len(word) >= key:
                    lengths.setdefault(word[:key], set()).add(len(word))
                    break


def _contained(word: str, words: Container[str], beginnings: _Beginnings) -> set[str]:
    """The other words that occur in `word`."""
    size = len(word)
    found = set()
    for start in range(size - 1):
        for length in beginnings.short_lengths:
            if (part := word[start : start + length]) in beginnings.short:
                found.add(part)
        for key, lengths in beginnings.lengths:
            if start + key > size:
                break
            for length in lengths.get(word[start : start + key], ()):
                if start + length <= size and (part := word[start : start + length]) in words:
                    found.add(part)
    found.discard(word)
    return found
