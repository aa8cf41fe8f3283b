"""Rules about the length of entries, and about entries that occur twice."""

import re
import unicodedata
from collections.abc import Iterator

from .checks import LONGEST_TERM, Listed, Problem
from .findings import shown

# Beyond this, an entry with its combining characters is longer than one character for people.
_LONGEST_CHARACTER = 8
# One sign or the same sign several times, and the wildcard of a pattern.
_ONLY_SIGNS = re.compile(r"""\s*(?:[!-/:-@\[-`{-~]|([*.,;_=~-])\1+|\.[*+])\s*""")


def only_signs(listed: Listed) -> Iterator[Problem]:
    """The entry is only a sign, such as * or a line of hyphens.

    It matches very many messages, or no message. Remove the entry.
    """
    for index, entry in enumerate(listed.heads):
        if entry.isascii() and _ONLY_SIGNS.fullmatch(entry):
            yield Problem(index, "has no letter: it matches very many messages, or no message")


def one_letter(listed: Listed) -> Iterator[Problem]:
    """The entry is one letter or digit, and matches very many messages.

    Remove the entry. Words of one character in Chinese and Japanese, and emoji, are not reported.
    """
    for index, entry in enumerate(listed.entries):
        if len(entry) <= _LONGEST_CHARACTER and _is_one_letter(entry) and not _ONLY_SIGNS.fullmatch(entry):
            yield Problem(index, "is one character, and matches very many messages")


def _is_one_letter(entry: str) -> bool:
    base = [letter for letter in entry if unicodedata.category(letter) not in ("Mn", "Mc", "Cf", "Zs")]
    return len(base) == 1 and "\u20e3" not in entry and not _is_a_word(base[0])


def _is_a_word(character: str) -> bool:
    """Whether one character can be a whole word: an ideograph, a syllable of Hangul, an emoji."""
    name = unicodedata.name(character, "")
    return unicodedata.category(character) in ("So", "Co", "Cn") or name.startswith(("CJK", "HANGUL SYLLABLE"))


def too_long(listed: Listed) -> Iterator[Problem]:
    """The entry is longer than 100 characters; the vendor's pages say that the service refuses it.

    Shorten the word or the pattern. Sentences may be longer. No --accept sends such an entry, but the settings can turn
    the rule off, for a service with another limit.
    """
    for index, entry in enumerate(() if listed.category == "sentence-similarity" else listed.entries):
        if len(entry) > LONGEST_TERM:
            yield Problem(index, f"has {len(entry):,} characters; the vendor's pages allow {LONGEST_TERM}")


def duplicate(listed: Listed) -> Iterator[Problem]:
    """The entry occurs more than once.

    Remove the second one.
    """
    seen = set[str]()
    for index, entry in enumerate(listed.entries):
        if entry in seen:
            yield Problem(index, "occurs more than once")
        seen.add(entry)


def case_duplicate(listed: Listed) -> Iterator[Problem]:
    """Two entries differ only in case.

    Keep one of them: the service does not document that case counts.
    """
    first: dict[str, str] = {}
    for index, (entry, key) in enumerate(zip(listed.entries, listed.folded, strict=True)):
        other = first.setdefault(key, entry)
        # The escapes \s and \S mean the opposite of each other.
        if other != entry and not (listed.category == "pattern" and "\\" in entry):
            yield Problem(index, f"and {shown(other)} differ only in case", others=(other,))
