"""Rules about the length of entries, and about entries that occur twice."""

import re
from collections.abc import Iterator

from .checks import LONGEST_TERM, Listed, Problem

_ONLY_SIGNS = re.compile(
    r"""
    \s* (?:
        [!-/:-@\[-`{-~]       # *
      | ([*.,;_=~-]) \1+      # ---
      | \. [*+]              # .*
      | \| [-:|\ ]+ \|       # |---|:-:|, below the head of a table
      | [\])}] [;,]          # ]; at the end of a list in a program
    ) \s*
    """,
    re.VERBOSE,
)


def only_signs(listed: Listed) -> Iterator[Problem]:
    """The entry is only a sign, such as * or a line of hyphens.

    It matches very many messages, or no message. Remove the entry.
    """
    for index, entry in enumerate(listed.heads):
        if entry.isascii() and _ONLY_SIGNS.fullmatch(entry):
            yield index, "has no letter: it matches very many messages, or no message"


_ONE_LETTER = re.compile("\\s*[0-9A-Za-z\u00aa-\u052f]\\s*")


def one_letter(listed: Listed) -> Iterator[Problem]:
    """The entry is one letter or digit, and matches very many messages.

    Remove the entry. Words of one character in Chinese and Japanese, and emoji, are not reported.
    """
    for index, entry in enumerate(listed.heads):
        if _ONE_LETTER.fullmatch(entry):
            yield index, "is one character, and matches very many messages"


def too_long(listed: Listed) -> Iterator[Problem]:
    """The entry is longer than 100 characters; the vendor's pages say that the service refuses it.

    Shorten the word or the pattern. Sentences may be longer.
    """
    if listed.category == "sentence-similarity":
        return
    for index, entry in enumerate(listed.entries):
        if len(entry) > LONGEST_TERM:
            yield index, f"has {len(entry):,} characters; the vendor's pages allow {LONGEST_TERM}"


def duplicate(listed: Listed) -> Iterator[Problem]:
    """The entry occurs more than once.

    The service keeps one of them. Remove the others.
    """
    seen = {*listed.beside}
    for index, entry in enumerate(listed.entries):
        if entry in seen:
            yield index, "occurs more than once"
        seen.add(entry)
