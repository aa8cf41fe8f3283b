"""Rules about texts that programs write: quotes and escapes."""

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from .checks import Listed, Problem
from .findings import shown

# The second mark of each pair may also come first: languages differ.
_PAIRS = (
    '""',
    "''",
    "``",
    "\u201c\u201d",
    "\u201e\u201c",
    "\u2018\u2019",
    "\u201a\u2018",
    "\u00ab\u00bb",
    "「」",
    "『』",
)
_MARKS = "".join(sorted({*"".join(_PAIRS)}))
_QUOTE = re.compile(f"[{_MARKS}]")
_QUOTED = re.compile("|".join(rf"[{pair}][^{pair}]+[{pair}],?" for pair in _PAIRS) + '|"(?:[^"]|"")+",?')
# A quotation mark after a digit means inches, and a single one is also an apostrophe.
_ONE_END = "\u201c\u201d\u201e\u00ab\u00bb「」『』"
_UNPAIRED = re.compile(
    rf'"[^"]+|[^"]*[^\W\d]",?|[{_ONE_END}][^{_ONE_END}"]+|[^{_ONE_END}"]*[^\W\d][{_ONE_END}],?', re.DOTALL
)


def quotes(listed: Listed) -> Iterator[Problem]:
    """The entry is in quotes, which are part of it, or has a quote at one end.

    Only a CSV file may have quotes around an entry. Remove them, or save the file as CSV. Sentences are reported only
    if nearly all of them are in quotes, and patterns never.
    """
    suspects = tuple((index, entry.strip()) for index, entry, _ in listed.matching(_QUOTE))
    quoted = {index for index, entry in suspects if _QUOTED.fullmatch(entry)}
    # Quotes around all entries are those of a document.
    if listed.category == "word" or (
        listed.category == "sentence-similarity" and len(quoted) >= max(3, len(listed.entries) - 1)
    ):
        yield from (Problem(index, "is in quotes, which are part of the entry") for index in quoted)
    for index, entry in suspects if listed.category == "word" else ():
        if index not in quoted and _UNPAIRED.fullmatch(entry):
            yield Problem(index, "has a quote at one end only")


# HTML, JSON and programming languages, addresses, and the tags of a web page.
_ESCAPE = re.compile(
    r"(?P<html>&(?:[A-Za-z]{2,8}|#[0-9]{2,6}|#x[0-9A-Fa-f]{2,5});)|(?P<code>[\\%]u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}"
    r"|(?<=[A-Za-z])%20(?=[A-Za-z]))|(?P<url>(?:%[0-9A-Fa-f]{2})+)"
    r"|(?P<tag></?(?:a|b|br|div|em|i|li|p|span|strong|td|tr|ul)(?:\s[^<>]*+)?/?>|</\w++>)"
)


def escaped_text(listed: Listed) -> Iterator[Problem]:
    r"""The entry holds a tag of HTML, or an escape such as &uuml;, \u00fc or %C3%BC in place of the character.

    Messages hold the character itself. Replace the escape with the character. Escapes in addresses, and those that
    belong to the syntax of patterns, are not reported.
    """
    for index, entry, _ in listed.matching(_ESCAPE):
        for match in _ESCAPE.finditer(entry):
            if _is_escape(match, entry, listed):
                yield Problem(index, f"holds {shown(match[0])} in place of a character")
                break


def _is_escape(match: re.Match[str], entry: str, listed: Listed) -> bool:
    text = match[0]
    if match["html"]:
        return html.unescape(text) != text  # in the text "rock&roll;", there is no escape
    if listed.category == "pattern" or (match["url"] and "/" in entry):
        return False
    return not match["url"] or not unquote(text, errors="ignore").isascii()
