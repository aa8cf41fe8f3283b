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


_LOST = re.compile(r"\ufffd|^[?\s]*\?[?\s]*\?[?\s]*$", re.MULTILINE)


def lost_characters(listed: Listed) -> Iterator[Problem]:
    """Characters of the entry were lost.

    A program replaced characters with U+FFFD or with question marks only. Take the text from its
    source again. Question marks in a word are not reported, because people also hide letters
    (`f?ck`).
    """
    for index, _, match in listed.matching(_LOST):
        mark = "U+FFFD" if match[0] == "\ufffd" else "only question marks"
        yield index, f"holds {mark} in place of lost characters"


# Other rules are for tabs and line breaks.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def control_character(listed: Listed) -> Iterator[Problem]:
    """The entry holds a control character.

    No message holds it, so the entry never matches. Remove the character.
    """
    for index, _, match in listed.matching(_CONTROL):
        yield index, f"holds the control character {character_name(match[0])}"
