"""Rules about damaged encodings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from ftfy import fix_encoding

from .checks import Listed, Problem
from .findings import Severity, character_name, shown

# Finding the likely text takes time, and nobody reads so many.
_MOST_FIXED = 200


# Several letters with accents in a row, and signs between letters. Old encodings of other scripts look like this.
_ACCENTS = re.compile("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]{4,}")
_SIGNS = re.compile(
    "(?<=[^\\W\\d_])[\u00a4\u00a6\u00a7\u00ac\u00b2\u00b3\u00b6\u00b9\u00f7\u207f\u221a\u2248\u2261\u2264\u2265\u2500-\u259f]+(?=[^\\W\\d_])"
)


def mis_decoded(listed: Listed) -> Iterator[Problem]:
    """An entry was decoded with a wrong encoding."""
    suspects = dict(listed.mis_decoded)
    if not listed.has_patterns:  # a pattern may list letters: [àáâã]
        suspects |= {index: entry for index, entry in listed.unusual if _is_unlikely(entry)}
    # In a file with several such entries, they are no coincidence.
    is_certain = len(suspects) >= 3 and 2 * len(suspects) >= len(listed.entries)
    for found, (index, entry) in enumerate(sorted(suspects.items())):
        fixed = fix_encoding(entry) if found < _MOST_FIXED else ""
        if found >= _MOST_FIXED:
            yield Problem(index, f"{shown(entry)} was read in a wrong encoding, like other entries")
        elif fixed != entry and fixed.strip():
            yield Problem(index, f"{shown(entry)} was read in a wrong encoding; the text is probably {shown(fixed)}")
        else:
            severity = Severity.ERROR if is_certain else Severity.WARNING
            yield Problem(index, f"{shown(entry)} may have been read in a wrong encoding", severity)


def _is_unlikely(entry: str) -> bool:
    # One letter several times is a cry: nööööö.
    return any(len(set(run.casefold())) > 2 for run in _ACCENTS.findall(entry)) or _SIGNS.search(entry) is not None


_LOST, _REPLACED = re.compile("[?\ufffd]"), re.compile("\ufffd")
_ONLY_QUESTION_MARKS = re.compile(r"\?[?\s]*\?")
# A question mark before a name and = begins the query of an address.
_QUESTION_INSIDE = re.compile(r"[^\W\d_]\?+(?!\w+=)[^\W\d_]")
# A word that begins or ends with a question mark, in an entry without other punctuation.
_QUESTION_AT_END, _PUNCTUATION = re.compile(r"[^\W\d_]\?|(?<!\S)\?[^\W\d_]"), re.compile(r"[^\w\s?]")
_NOT_ASCII_LETTER = re.compile(r"[^\W\d_a-zA-Z]")
# So many damaged words are no coincidence.
_SEVERAL = 3


def lost_characters(listed: Listed) -> Iterator[Problem]:
    """An entry holds U+FFFD, or question marks in place of letters."""
    # A question mark is part of the syntax of patterns.
    suspects = tuple(listed.matching(_REPLACED if listed.has_patterns else _LOST))
    only_marks = sum(1 for _, entry, _ in suspects if _ONLY_QUESTION_MARKS.fullmatch(entry))
    inside = {entry for _, entry, _ in suspects if _QUESTION_INSIDE.search(entry) and "://" not in entry}
    at_end, certain = _of_a_damaged_file(listed, inside, (entry for _, entry, _ in suspects))
    for index, entry, _ in suspects:
        if "\ufffd" in entry:
            yield Problem(index, f"{shown(entry)} holds U+FFFD in place of a lost character")
        elif _ONLY_QUESTION_MARKS.fullmatch(entry):
            severity = Severity.ERROR if only_marks > 1 else Severity.WARNING
            yield Problem(index, f"{shown(entry)} holds only question marks, perhaps for lost letters", severity)
        elif entry in certain:
            yield Problem(index, f"{shown(entry)} holds a question mark in place of a letter, like other entries")
        elif entry in inside or entry in at_end:
            message = f"{shown(entry)} holds a question mark, perhaps in place of a lost letter"
            yield Problem(index, message, Severity.WARNING)


def _of_a_damaged_file(listed: Listed, inside: Set[str], suspects: Iterable[str]) -> tuple[Set[str], Set[str]]:
    """Of a file that lost its letters: words with question marks at an end, and words that are certainly damaged."""
    if listed.category != "word":
        return frozenset(), frozenset()  # sentences end with question marks
    unexplained = inside - _written_on_purpose(listed, inside)
    at_end = {each for each in suspects if _QUESTION_AT_END.search(each) and not _PUNCTUATION.search(each)} - inside
    if not unexplained or len(unexplained | at_end) < _SEVERAL:
        at_end = set()
    # A program that replaces letters replaces all letters outside ASCII.
    is_certain = len(unexplained) >= _SEVERAL and not listed.holds(_NOT_ASCII_LETTER)
    return at_end, unexplained if is_certain else frozenset()


def _written_on_purpose(listed: Listed, words: Set[str]) -> Set[str]:
    """The words that the list also holds with other characters in place of the question marks: f?ck beside f*ck."""
    by_folded = {word.casefold(): word for word in words}
    # The beginning and the end of the question marks in words of each length.
    places: dict[int, set[tuple[int, int]]] = {}
    for word in by_folded:
        places.setdefault(len(word), set()).add((word.index("?"), word.rindex("?") + 1))
    found = set[str]()
    for other in listed.folded:
        for begin, end in places.get(len(other), ()) if "?" not in other and other.isascii() else ():
            found.add(other[:begin] + "?" * (end - begin) + other[end:])
    return frozenset(by_folded[word] for word in found & by_folded.keys())


# Other rules are for tabs and line breaks.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def control_character(listed: Listed) -> Iterator[Problem]:
    """An entry holds a control character."""
    for index, entry, found in listed.matching(_CONTROL):
        yield Problem(index, f"{shown(entry)} holds the control character {character_name(found[0])}")
