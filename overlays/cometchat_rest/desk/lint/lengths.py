"""Rules about the length of entries, and about entries that occur in others."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from cometchat_rest.keyword_input import LONGEST_TERM, folded

from .checks import Listed, Problem
from .findings import shown

# Beyond this, an entry with its combining characters is longer than one character for people.
_LONGEST_CHARACTER = 8


def one_letter(listed: Listed) -> Iterator[Problem]:
    """An entry is one letter, digit or sign."""
    for index, entry in enumerate(listed.entries):
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
    seen = set[str]()
    for index, entry in enumerate(listed.entries):
        if entry in seen:
            yield Problem(index, f"{shown(entry)} occurs more than once")
        seen.add(entry)


def case_duplicate(listed: Listed) -> Iterator[Problem]:
    """An entry differs from an earlier one only in case."""
    first: dict[str, str] = {}
    for index, entry in enumerate(listed.entries):
        other = first.setdefault(folded(entry) if listed.has_patterns else entry.casefold(), entry)
        if other != entry:
            yield Problem(index, f"{shown(entry)} and {shown(other)} differ only in case", others=(other,))


def contains_entry(listed: Listed) -> Iterator[Problem]:
    """A word contains another word of the list."""
    if listed.category != "word":
        return
    words = {entry.casefold(): entry for entry in listed.entries if len(entry.strip()) > 1}
    # For the first characters of each word, the lengths of the words that begin so: only these are looked up.
    pairs = {word for word in words if len(word) == 2}
    lengths: dict[str, set[int]] = {}
    for word in words:
        if len(word) > 2:
            lengths.setdefault(word[:3], set()).add(len(word))
    for index, entry in enumerate(listed.entries):
        word = entry.casefold()
        if found := _contained(word, words, pairs, lengths):
            other = words[found]
            yield Problem(index, f"{shown(entry)} contains the entry {shown(other)}", others=(other,))


def _contained(word: str, words: dict[str, str], pairs: set[str], lengths: dict[str, set[int]]) -> str | None:
    """The first other word that occurs in `word`."""
    size = len(word)
    for start in range(size - 1):
        if pairs and size > 2 and word[start : start + 2] in pairs:
            return word[start : start + 2]
        for length in lengths.get(word[start : start + 3], ()):
            if length < size and start + length <= size and (part := word[start : start + length]) in words:
                return part
    return None
