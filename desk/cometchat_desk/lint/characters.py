"""Rules about characters that cannot be seen, or that look like others."""

import re
import unicodedata
from collections.abc import Iterator

from .checks import Listed, Problem
from .findings import character_name, shown
from .quotes import QUOTED

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# These reverse letters, which no correct text needs.
_OVERRIDE = re.compile("[\u202d\u202e]")


def text_direction(listed: Listed) -> Iterator[Problem]:
    """The entry holds a character that changes the direction of text.

    Such characters come from copied text. Remove them. In text that is written from right to left,
    only characters that reverse letters, or stand at an end, are errors.
    """
    for index, entry, match in listed.matching(_DIRECTION):
        is_at_an_end = _DIRECTION.match(entry.strip()) or _DIRECTION.match(entry.strip()[-1:])
        if is_at_an_end or _OVERRIDE.search(entry) or not _RIGHT_TO_LEFT.search(entry):
            yield index, f"holds {character_name(match[0])}, which changes the direction"


def without_directions(entry: str) -> str:
    """The entry without the characters that change the direction of text."""
    return _DIRECTION.sub("", entry)


# Letters of scripts with joiners or without spaces, and signs; and the characters that join, form
# or tag them.
_JOINED = "[\u00a9\u00ae\u0530-\u1fff\u2030-\u205e\u20d0-\U0010ffff]"
_JOINER = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\ufe00-\ufe0f"
    "\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
# All characters that cannot be seen.
_UNSEEN = (
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# The group holds characters that belong to their place.
_INVISIBLE = re.compile(
    rf"""
    (
        (?<!{_JOINER}) (?<={_JOINED}) {_JOINER}++      # a joiner in an emoji of a family
      | (?<!{_JOINER}) {_JOINER}++ (?={_JOINED})       # a joiner before a letter of Hindi
      | (?<={_JOINED}) [\u200b\u2060] (?=\S)          # a zero-width space between words of Thai
    )
    | {_UNSEEN}                                      # a zero-width space in spam
    """,
    re.VERBOSE,
)


def invisible_character(listed: Listed) -> Iterator[Problem]:
    """The entry holds a character that cannot be seen.

    No typed message holds it, so the entry never matches. Characters that join or form letters of
    Arabic, Persian, Indic and Asian scripts and emoji are correct, and so are characters in the
    brackets of a pattern.
    """
    for index, entry, _ in listed.matching(_INVISIBLE):
        if listed.category == "pattern" and "[" in entry:
            continue
        if wrong := next((match for match in _INVISIBLE.finditer(entry) if not match[1]), None):
            yield index, f"holds {character_name(wrong[0])}, which cannot be seen"


def without_invisible(entry: str) -> str:
    """The entry without the characters that cannot be seen and have no function at their place."""
    return _INVISIBLE.sub(lambda match: match[1] or "", entry)


_LETTER = r"[^\W\d_]"
_MARKS = "[\u2018\u2019\u00b4\u02bc\uff07]"
_APOSTROPHE = re.compile(
    rf"""
      (?<={_LETTER}) {_MARKS}            # don\u2019t, boys\u2019
    | {_MARKS} (?={_LETTER})             # \u2019cause
    | (?<={_LETTER}) ` (?={_LETTER})     # don`t
    """,
    re.VERBOSE,
)


def curly_apostrophe(listed: Listed) -> Iterator[Problem]:
    """The word holds a curly or another unusual apostrophe, for example don\u2019t in place of
    don't.

    Most people type the straight apostrophe, which the entry never matches. Replace the apostrophe.
    If your users type both, list both spellings: the rule does not report a word whose other
    spelling is in the list.
    """
    matches = tuple(listed.matching(_APOSTROPHE))
    if listed.category != "word" or not matches:
        return
    entries = {*listed.heads, *listed.beside}
    for index, entry, match in matches:
        spelling = straight_apostrophes(entry)
        # Another rule is for quotes.
        if spelling not in entries and not QUOTED.fullmatch(entry.strip()):
            name = character_name(match[0])
            yield (
                index,
                f"holds {name}, which a typed apostrophe never matches: write {shown(spelling)}",
            )


def straight_apostrophes(entry: str) -> str:
    """The entry with the apostrophe that people type."""
    return _APOSTROPHE.sub("'", entry)


# One sign for several letters, as in texts from PDF documents, and the wide letters and digits of
# East Asian keyboards.
_LIGATURE = re.compile("[\ufb00-\ufb06]|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+")


def normalization(listed: Listed) -> Iterator[Problem]:
    """The entry has accents as separate characters (NFD), which most messages do not have.

    Convert the text to NFC. The rule also reports ligatures, such as \ufb01 in place of fi, which
    come from PDF documents, and full-width letters, such as \uff41.
    """
    for index, _, match in listed.matching(_LIGATURE):
        letters = shown(unicodedata.normalize("NFKC", match[0]))
        yield index, f"holds {shown(match[0])} in place of the letters {letters}; type the letters"
    for index, entry in listed.unusual:
        if not unicodedata.is_normalized("NFC", entry):
            yield index, "has accents as separate characters (NFD); convert it to NFC"


def normalized(entry: str) -> str:
    """The entry in NFC, without ligatures and full-width letters."""
    letters = _LIGATURE.sub(lambda signs: unicodedata.normalize("NFKC", signs[0]), entry)
    return unicodedata.normalize("NFC", letters)


_LATIN = "[A-Za-z\u00c0-\u024f]"
# Greek and Cyrillic letters, without the micro sign.
_OTHERS = "[\u0370-\u03bb\u03bd-\u03ff\u0400-\u052f]"
_MIXED = re.compile(f"{_LATIN}({_OTHERS})|({_OTHERS}){_LATIN}")


def mixed_scripts(listed: Listed) -> Iterator[Problem]:
    """A word holds letters of two scripts, for example the Cyrillic letter \u0441 in place of the
    letter c.

    The letters look alike, so nobody sees the difference, but the entry matches only messages with
    the same letters. If you mean the trick of a user, accept the entry; if not, type the word
    again.
    """
    if listed.category == "pattern":
        return
    for index, _, match in listed.matching(_MIXED):
        yield index, f"holds {character_name(match[1] or match[2])} beside a Latin letter"


# The ideographic space belongs to Chinese and Japanese text.
_UNUSUAL_SPACE = re.compile(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f]|  |(?<=[A-Za-z])\u3000(?=[A-Za-z])"
)
# In French text, such a space stands before these signs and inside quotation marks.
_FRENCH_SPACE = re.compile("[\u00a0\u202f](?=[!?:;\u00bb%])|(?<=\u00ab)[\u00a0\u202f]")


def spaces(listed: Listed) -> Iterator[Problem]:
    """The entry begins or ends with a space, or holds unusual spaces.

    Spaces are sent and compared, so the entry matches few messages or none. Remove them, or accept
    the entry if it needs them to match whole words. In patterns, only spaces at the ends are
    reported.
    """
    for index, head in listed.marked:
        entry = listed.entries[index]
        ends = [name for name, end in (("begins", entry[0]), ("ends", entry[-1])) if end.isspace()]
        if ends:
            # Other rules are for tabs and line breaks.
            if {*"\t\n\r"}.isdisjoint(entry):
                yield index, f"{' and '.join(ends)} with a space, which is part of the entry"
        elif listed.category != "pattern" and (
            match := _UNUSUAL_SPACE.search(_FRENCH_SPACE.sub("", head))
        ):
            name = "two spaces in a row" if match[0] == "  " else character_name(match[0])
            yield index, f"holds {name}; most messages have one ordinary space there"
