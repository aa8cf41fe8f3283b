"""Rules about damaged encodings."""

import re
from collections.abc import Iterator

from .checks import Listed, Problem
from .findings import character_name, shown

# Finding the likely text takes time, and nobody reads so many.
_MOST_FIXED = 200


def mis_decoded(listed: Listed) -> Iterator[Problem]:
    """The text was read in a wrong encoding, for example GrÃ¼ÃŸe in place of Grüße.

    Open the original file as UTF-8 and save it again as CSV UTF-8. The message shows the likely
    text.
    """
    if not listed.unusual:
        return
    # Few lists need it, and it would take a seventh of the start of a command.
    from ftfy import badness, fix_encoding

    fixed = 0
    for index, entry in listed.unusual:
        # Another rule is for lost characters.
        if "\ufffd" in entry or not badness.is_bad(entry):
            continue
        likely = fix_encoding(entry) if fixed < _MOST_FIXED else entry
        if likely.strip() and likely != entry:
            fixed += 1
            yield index, f"was read in a wrong encoding; the text is probably {shown(likely)}"
        elif fixed == _MOST_FIXED:
            yield index, "was read in a wrong encoding, like other entries"


_LOST, _REPLACED = re.compile("[?\ufffd]"), re.compile("\ufffd")
_ONLY_QUESTION_MARKS = re.compile(r"\?[?\s]*\?")


def lost_characters(listed: Listed) -> Iterator[Problem]:
    """Characters of the entry were lost.

    A program replaced characters with U+FFFD or with question marks. Take the text from its source
    again. Entries of question marks only are reported if there are several. Question marks in a
    word are not, because people also hide letters (`f?ck`).
    """
    # A question mark is part of the syntax of patterns.
    suspects = tuple(listed.matching(_REPLACED if listed.category == "pattern" else _LOST))
    if not suspects:
        return
    only_marks = sum(1 for _, entry, _ in suspects if _ONLY_QUESTION_MARKS.fullmatch(entry))
    for index, entry, _ in suspects:
        if "\ufffd" in entry:
            yield index, "holds U+FFFD in place of a lost character"
        elif only_marks > 1 and _ONLY_QUESTION_MARKS.fullmatch(entry):
            yield index, "holds only question marks in place of lost letters, like other entries"


# Other rules are for tabs and line breaks.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def control_character(listed: Listed) -> Iterator[Problem]:
    """The entry holds a control character.

    No message holds it, so the entry never matches. Remove the character.
    """
    for index, _, match in listed.matching(_CONTROL):
        yield index, f"holds the control character {character_name(match[0])}"
