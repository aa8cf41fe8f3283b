"""Rules about characters that cannot be seen, or that look like others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from .checks import Listed, Problem
from .findings import Severity, character_name, shown

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# These reverse letters, which no correct text needs.
_OVERRIDES = "\u202d\u202e"


def text_direction(listed: Listed) -> Iterator[Problem]:
    """An entry holds a character that changes the direction of text."""
    if not listed.holds(_DIRECTION):
        return
    for index, entry in listed.unusual:
        if not (found := _DIRECTION.findall(entry)):
            continue
        correct = _RIGHT_TO_LEFT.search(entry) and not any(each in _OVERRIDES for each in found)
        severity = Severity.WARNING if correct or listed.has_patterns else Severity.ERROR
        yield Problem(index, f"{shown(entry)} holds {character_name(found[0])}, which changes the direction", severity)


_INVISIBLE = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Scripts with joiners, and scripts that write words without spaces.
_JOINING = re.compile(
    "[\u0590-\u109f\u1700-\u1cff\ua800-\uabff\ufb1d-\ufefc\U00010a00-\U00011fff\U0001e800-\U0001efff]"
)
_WITHOUT_SPACES = re.compile(
    "[\u0e00-\u109f\u1700-\u1b7f\u2e80-\ua4ff\ua900-\uaadf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")


def invisible_character(listed: Listed) -> Iterator[Problem]:
    """An entry holds a character that cannot be seen, in a place where it has no function."""
    if not listed.holds(_INVISIBLE):
        return
    for index, entry in listed.unusual:
        worst: tuple[Severity, str] | None = None
        for found in _INVISIBLE.finditer(entry):
            severity = _severity_of(entry, found.start())
            if severity is not None and (worst is None or severity is Severity.ERROR):
                worst = severity, found[0]
        if worst is not None:
            severity = Severity.WARNING if listed.has_patterns else worst[0]
            text = shown(entry.replace(worst[1], f"\\u{ord(worst[1]):04x}" if worst[1] in "\u200c\u200d" else worst[1]))
            yield Problem(index, f"{text} holds {character_name(worst[1])}, which cannot be seen", severity)


def _severity_of(entry: str, place: int) -> Severity | None:
    """How serious an invisible character is at its place; `None` if it belongs there."""
    each, before, after = entry[place], entry[place - 1] if place else "", entry[place + 1 : place + 2]
    if each in "\u200c\u200d":
        if _JOINING.match(before):
            return None
        if each == "\u200d" and _is_emoji(before) and _is_emoji(after):
            return None
        return Severity.WARNING if _JOINING.match(after) else Severity.ERROR
    if "\ufe00" <= each <= "\ufe0f" or "\U000e0100" <= each <= "\U000e01ef":
        # They choose the form of a sign, an ideograph or a digit of a keypad.
        belongs = before and (not before.isascii() or after == "\u20e3")
        return None if belongs and unicodedata.category(before)[0] != "Z" else Severity.ERROR
    if "\U000e0020" <= each <= "\U000e007f":  # the flag of a region
        return None if "\U0001f3f4" in entry[:place] else Severity.ERROR
    if "\u180b" <= each <= "\u180f" or each in "\u17b4\u17b5\u034f":
        return None if _JOINING.match(before) else Severity.WARNING
    if each in "\u115f\u1160":
        return None if _HANGUL.match(before) or _HANGUL.match(after) else Severity.ERROR
    if each == "\u00ad":
        return Severity.WARNING
    if each in "\u200b\u2060" and (_WITHOUT_SPACES.match(before) or _WITHOUT_SPACES.match(after)):
        return Severity.WARNING
    return Severity.ERROR


def _is_emoji(character: str) -> bool:
    return bool(character) and (character in "\ufe0f\u20e3" or unicodedata.category(character) in ("So", "Sk"))


# Letters that look like letters of other scripts.


class _LatinLetters(dict[int, str]):
    """The Latin letter that each letter looks like, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        self[code] = found = chr(code) if code < 128 else _latin_for(chr(code))
        return found


_LATIN = _LatinLetters()


def _latin_for(character: str) -> str:
    """The Latin letter that a letter of another script looks like, else the letter itself."""
    folded = unicodedata.normalize("NFKC", character)
    if folded.isascii():
        return folded.casefold()
    if unicodedata.name(character, "LATIN").startswith("LATIN"):
        return character
    # Importing it reads a large file; most lists never need it.
    from confusable_homoglyphs import confusables

    found = confusables.confusables_data.get(character, ())
    letters = sorted(each["c"] for each in found if each["c"].isascii() and each["c"].isalpha())
    return letters[0].casefold() if letters else character


def _skeletons(entries: Sequence[str]) -> Sequence[str]:
    """Folded entries with Latin letters in place of all letters that look like them."""
    # One call for all entries takes a third of the time.
    found = "\n".join(entries).translate(_LATIN).split("\n")
    return found if len(found) == len(entries) else [entry.translate(_LATIN) for entry in entries]


_LOOKS_LATIN = re.compile(
    "[\u0370-\u058f\u13a0-\u13ff\u1c80-\u1c8f\u1f00-\u1fff\u2c80-\u2cff\ua4d0-\ua4ff\uab70-\uabbf\uff21-\uff5a\U00010280-\U000105ff\U0001d400-\U0001d7ff]"
)


def look_alike(listed: Listed) -> Iterator[Problem]:
    """An entry looks the same as another one, but has letters of another script."""
    if not listed.holds(_LOOKS_LATIN):
        return
    suspects = [(index, entry) for index, entry in listed.readable if _LOOKS_LATIN.search(entry)]
    skeletons = _skeletons([listed.folded[index] for index, _ in suspects])
    plain: dict[str, str] = {}
    if not set(skeletons).isdisjoint(listed.folded):
        # Of several entries with the same letters, the first one is kept.
        plain = dict(zip(reversed(listed.folded), reversed(listed.entries), strict=True))
    seen: dict[str, str] = {}
    for (index, entry), skeleton in zip(suspects, skeletons, strict=True):
        folded = listed.folded[index]
        other = plain.get(skeleton) if skeleton != folded else None
        first = seen.setdefault(skeleton, entry)
        if other is None and first is not entry and first.casefold() != folded:
            other = first
        if other is not None:
            each = next((one for one in entry if one not in other), entry[0])
            yield Problem(
                index, f"{shown(entry)} looks like {shown(other)}: it holds {character_name(each)}", others=(other,)
            )


_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("Latin", re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")),
    ("Cyrillic", re.compile("[\u0400-\u052f\u1c80-\u1c8f]")),
    ("Greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
)
_NOT_LATIN = re.compile("[\u0370-\u052f\u1c80-\u1c8f\u1f00-\u1fff]")


def mixed_scripts(listed: Listed) -> Iterator[Problem]:
    """A word holds letters of two scripts."""
    for index, entry in listed.readable if listed.holds(_NOT_LATIN) else ():
        scripts = [script for _, script in _SCRIPTS if script.search(entry)]
        if len(scripts) < 2:
            continue
        for word in _WORD.findall(entry):
            found = [(name, letter[0]) for name, script in _SCRIPTS if (letter := script.search(word))]
            if len(found) > 1:
                names = " and ".join(f"{name} ({letter})" for name, letter in found)
                yield Problem(index, f"{shown(entry)} mixes scripts in one word: {names}")
                break


# One sign for several letters, as in texts from PDF documents.
_LIGATURE = re.compile("[\ufb00-\ufb06]")


def normalization(listed: Listed) -> Iterator[Problem]:
    """An entry is not in NFC, holds a ligature, or the list holds one word in several forms."""
    for index, entry, found in listed.matching(_LIGATURE):
        letters = shown(unicodedata.normalize("NFKC", found[0]))
        yield Problem(index, f"{shown(entry)} holds one sign for the letters {letters}; type the letters")
    decomposed = [(index, entry) for index, entry in listed.unusual if not unicodedata.is_normalized("NFC", entry)]
    if not decomposed:
        return
    all_entries, seen = set(listed.entries), dict[str, str]()
    for index, entry in decomposed:
        composed = unicodedata.normalize("NFC", entry)
        other = composed if composed in all_entries else seen.setdefault(composed, entry)
        if other != entry:
            yield Problem(index, f"{shown(entry)} is in the list in another normal form too", others=(other,))
        elif unicodedata.normalize("NFD", entry) == entry:
            yield Problem(index, f"{shown(entry)} has accents as separate characters (NFD); convert it to NFC")


# The ideographic space belongs to Chinese and Japanese text.
_UNUSUAL_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f]|  |(?<=[A-Za-z])\u3000(?=[A-Za-z])")


def spaces(listed: Listed) -> Iterator[Problem]:
    """An entry has spaces at an end, or unusual spaces inside."""
    has_unusual = not listed.has_patterns and listed.holds(_UNUSUAL_SPACE)
    for index, entry in enumerate(listed.entries):
        if (stripped := entry.strip()) != entry:
            ends = [name for name, there in (("begins", entry[0]), ("ends", entry[-1])) if there.isspace()]
            # Other rules are for tabs and line breaks.
            if stripped and not re.search("[\t\n\r]", entry):
                yield Problem(index, f"{shown(entry)} {' and '.join(ends)} with a space, which is part of the entry")
        elif has_unusual and (found := _UNUSUAL_SPACE.search(entry)):
            what = "two spaces in a row" if found[0] == "  " else character_name(found[0])
            yield Problem(index, f"{shown(entry)} holds {what}; most messages have one ordinary space there")
