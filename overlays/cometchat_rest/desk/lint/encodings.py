"""Rules about damaged encodings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ftfy import fix_encoding

from .checks import Listed, Problem
from .findings import Severity, character_name, shown

# Finding the likely text takes time, and nobody reads so many.
_MOST_FIXED = 200


def mis_decoded(listed: Listed) -> Iterator[Problem]:
    """An entry was decoded with a wrong encoding."""
    for found, (index, entry) in enumerate(listed.mis_decoded):
        fixed = fix_encoding(entry) if found < _MOST_FIXED else ""
        if found >= _MOST_FIXED:
            yield Problem(index, f"{shown(entry)} was read in a wrong encoding, like other entries")
        elif fixed != entry and fixed.strip():
            yield Problem(index, f"{shown(entry)} was read in a wrong encoding; the text is probably {shown(fixed)}")
        else:
            yield Problem(index, f"{shown(entry)} may have been read in a wrong encoding", Severity.WARNING)


_LOST, _REPLACED = re.compile("[?\ufffd]"), re.compile("\ufffd")
_ONLY_QUESTION_MARKS = re.compile(r"\?[?\s]*\?")
_QUESTION_INSIDE = re.compile(r"[^\W\d_]\?+[^\W\d_]")


def lost_characters(listed: Listed) -> Iterator[Problem]:
    """An entry holds U+FFFD, or question marks in place of letters."""
    # A question mark is part of the syntax of patterns.
    suspects = tuple(listed.matching(_REPLACED if listed.has_patterns else _LOST))
    only_marks = sum(1 for _, entry, _ in suspects if _ONLY_QUESTION_MARKS.fullmatch(entry))
    for index, entry, _ in suspects:
        if "\ufffd" in entry:
            yield Problem(index, f"{shown(entry)} holds U+FFFD in place of a lost character")
        elif _ONLY_QUESTION_MARKS.fullmatch(entry):
            severity = Severity.ERROR if only_marks > 1 else Severity.WARNING
            yield Problem(index, f"{shown(entry)} holds only question marks, perhaps for lost letters", severity)
        elif _QUESTION_INSIDE.search(entry) and "://" not in entry:
            message = f"{shown(entry)} holds a question mark, perhaps in place of a lost letter"
            yield Problem(index, message, Severity.WARNING)


# Other rules are for tabs and line breaks.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def control_character(listed: Listed) -> Iterator[Problem]:
    """An entry holds a control character."""
    for index, entry, found in listed.matching(_CONTROL):
        yield Problem(index, f"{shown(entry)} holds the control character {character_name(found[0])}")
