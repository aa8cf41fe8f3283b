"""Rules about damaged encodings."""

import re
from collections.abc import Iterator, Set

from ftfy import badness, fix_encoding

from .checks import Listed, Problem
from .findings import character_name, shown

# Finding the likely text takes time, and nobody reads so many.
_MOST_FIXED = 200
# So many damaged entries are no coincidence.
_SEVERAL = 3

# Several letters with accents in a row, and signs between letters. Old encodings of other scripts look like this.
_ACCENTS = re.compile("[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]{4,}")
_SIGNS = re.compile(
    "(?<=[^\\W\\d_])[\u00a4\u00a6\u00a7\u00ac\u00b2\u00b3\u00b6\u00b9\u00f7\u207f\u221a\u2248\u2261\u2264\u2265\u2500-\u259f]+(?=[^\\W\\d_])"
)


def mis_decoded(listed: Listed) -> Iterator[Problem]:
    """The text was read in a wrong encoding, for example GrÃ¼ÃŸe in place of Grüße.

    Open the original file as UTF-8 and save it again as CSV UTF-8. The message shows the likely text. If it is unknown,
    entries are reported only if at least three of them, and half of the list, look damaged.
    """
    suspects = [index for index, entry in listed.unusual if _is_suspect(entry, listed)]
    is_certain = len(suspects) >= max(_SEVERAL, len(listed.entries) / 2)
    fixed = 0
    for index in suspects:
        entry = listed.heads[index]
        likely = fix_encoding(entry) if fixed < _MOST_FIXED else entry
        if likely.strip() and likely != entry:
            fixed += 1
            yield Problem(index, f"was read in a wrong encoding; the text is probably {shown(likely)}")
        elif is_certain or fixed == _MOST_FIXED:
            yield Problem(index, "was read in a wrong encoding, like other entries")


def _is_suspect(entry: str, listed: Listed) -> bool:
    # Another rule is for lost characters.
    if "\ufffd" not in entry and badness.is_bad(entry):
        return True
    # A pattern may list letters: [àáâã]. One letter several times is a cry: nööööö.
    accents = any(len(set(run.casefold())) > 2 for run in _ACCENTS.findall(entry))
    return listed.category != "pattern" and (accents or _SIGNS.search(entry) is not None)


_LOST, _REPLACED = re.compile("[?\ufffd]"), re.compile("\ufffd")
_ONLY_QUESTION_MARKS = re.compile(r"\?[?\s]*\?")
# A question mark before a name and = begins the query of an address.
_QUESTION_INSIDE = re.compile(r"[^\W\d_]\?+(?!\w+=)[^\W\d_]")
_NOT_ASCII_LETTER = re.compile(r"[^\W\d_a-zA-Z]")


def lost_characters(listed: Listed) -> Iterator[Problem]:
    """Characters of the entry were lost.

    A program replaced characters with U+FFFD or with question marks. Take the text from its source again. Entries of
    question marks only, and question marks between letters (`M?ller`), are reported if several words have them, or
    beside the whole word (`M\u00fcller`), because people also hide letters (`f?ck`).
    """
    # A question mark is part of the syntax of patterns.
    suspects = tuple(listed.matching(_REPLACED if listed.category == "pattern" else _LOST))
    only_marks = sum(1 for _, entry, _ in suspects if _ONLY_QUESTION_MARKS.fullmatch(entry))
    damaged = _damaged_words(listed, [entry for _, entry, _ in suspects])
    # Beside the whole word, a lost letter is certain.
    whole = {_NOT_ASCII_LETTER.sub("?", entry.lower()) for _, entry in listed.unusual} if suspects else frozenset()
    for index, entry, _ in suspects:
        if "\ufffd" in entry:
            yield Problem(index, "holds U+FFFD in place of a lost character")
        elif only_marks > 1 and _ONLY_QUESTION_MARKS.fullmatch(entry):
            yield Problem(index, "holds only question marks in place of lost letters, like other entries")
        elif entry in damaged or entry.lower() in whole:
            yield Problem(index, "holds a question mark in place of a letter, like other entries")


def _damaged_words(listed: Listed, suspects: list[str]) -> Set[str]:
    """Words with question marks between letters, if the file has certainly lost its letters."""
    # Sentences hold question marks. A program that replaces letters replaces all letters outside ASCII.
    if listed.category != "word" or listed.holds(_NOT_ASCII_LETTER):
        return frozenset()
    words = {word for word in suspects if _QUESTION_INSIDE.search(word) and "://" not in word}
    unexplained = words - _written_on_purpose(listed, words)
    return unexplained if len(unexplained) >= _SEVERAL else frozenset()


def _written_on_purpose(listed: Listed, words: Set[str]) -> Set[str]:
    """The words that the list also holds with other characters in place of the question marks: f?ck beside f*ck."""
    by_folded = {word.casefold(): word for word in words if len(word) <= 40}
    # The beginning and the end of the question marks in words of each length.
    places: dict[int, set[tuple[int, int]]] = {}
    for word in by_folded:
        places.setdefault(len(word), set()).add((word.index("?"), word.rindex("?") + 1))
    explained = set[str]()
    for other in listed.folded:
        for begin, end in places.get(len(other), ()) if "?" not in other else ():
            explained.add(other[:begin] + "?" * (end - begin) + other[end:])
    return {by_folded[word] for word in explained & by_folded.keys()}


# Other rules are for tabs and line breaks.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def control_character(listed: Listed) -> Iterator[Problem]:
    """The entry holds a control character.

    No message holds it, so the entry never matches. Remove the character.
    """
    for index, _, match in listed.matching(_CONTROL):
        yield Problem(index, f"holds the control character {character_name(match[0])}")
