"""The rule about quotes, which belong to a CSV file or to a document."""

import re
from collections.abc import Iterator

from .checks import Listed, Problem

# Quotes of all languages, in pairs and alone. A single quote alone is an apostrophe.
_DOUBLE = '"\u201c\u201d\u201e\u00ab\u00bb「」『』'
_ANY = f"[{_DOUBLE}'`\u2018\u2019\u201a\u2039\u203a]"
_QUOTE = re.compile(_ANY)
#: An entry in quotes.
QUOTED = re.compile(rf"{_ANY}([^{_DOUBLE}]+){_ANY},?")
# A quotation mark after a digit means inches.
_UNPAIRED = re.compile(rf"[{_DOUBLE}][^{_DOUBLE}]+|[^{_DOUBLE}]*[^\W\d][{_DOUBLE}],?")


def quotes(listed: Listed) -> Iterator[Problem]:
    """The entry is in quotes, which are part of it, or has a quote at one end.

    Only a CSV file may have quotes around an entry. Remove them, or save the file as CSV. Only
    words are reported.
    """
    for index, entry, _ in listed.matching(_QUOTE) if listed.category == "word" else ():
        if QUOTED.fullmatch(entry.strip()):
            yield index, "is in quotes, which are part of the entry"
        elif _UNPAIRED.fullmatch(entry.strip()):
            yield index, "has a quote at one end only"


def without_quotes(entry: str) -> str:
    """The entry without the quotes around it."""
    quoted = QUOTED.fullmatch(entry.strip())
    return quoted[1] if quoted else entry
