"""Rules about texts that programs write: quotes, escapes, missing values."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from .checks import Listed, Problem
from .findings import Severity, shown

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
    """An entry is in quotes, which are part of it."""
    suspects = tuple(listed.matching(_QUOTE))
    quoted = sum(1 for _, entry, _ in suspects if _QUOTED.fullmatch(entry.strip()))
    # Quotes around all entries are those of a document.
    systematic = not listed.has_patterns and quoted >= max(3, len(listed.entries) - 1)
    for index, entry, _ in suspects:
        text = entry.strip()
        if _QUOTED.fullmatch(text):
            # These are the quotes of programs; people also write the others.
            certain = systematic or (listed.category == "word" and (text[0] in '"`' or text.endswith(",")))
            severity = Severity.ERROR if certain else Severity.WARNING
            yield Problem(index, f"{shown(entry)} is in quotes, which are part of the entry", severity)
        elif listed.category == "word" and _UNPAIRED.fullmatch(text):
            yield Problem(index, f"{shown(entry)} has a quote at one end only", Severity.WARNING)


# HTML, JSON and programming languages, addresses, and the tags of a web page.
_ESCAPE = re.compile(
    r"(?P<html>&(?:[A-Za-z]{2,8}|#[0-9]{2,6}|#x[0-9A-Fa-f]{2,5});)|(?P<code>[\\%]u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}"
    r"|\\'[0-9a-f]{2}|_x[0-9A-F]{4}_|(?:=[0-9A-F]{2}){2,}|=\?[\w-]+\?[BbQq]\?)|(?P<end>(?<=\w)\\[nrt])"
    r"|(?P<url>(?:%[0-9A-Fa-f]{2})+)|(?P<tag></?(?:a|b|br|div|em|i|li|p|span|strong|td|tr|ul)(?:\s[^<>]*)?/?>"
    r"|</\w+>|&(?:amp|gt|lt|nbsp|quot)\b(?!;))"
)
# Letters of old encodings between letters.
_OLD_ESCAPE = re.compile(r"[^\W\d_](?:%[89A-F][0-9A-F])+[^\W\d_]")
# Searching for one of these first is much faster.
_MAY_BE_ESCAPE = re.compile(r"[&\\%<=]|_x")


def escaped_text(listed: Listed) -> Iterator[Problem]:
    """An entry holds an escape of HTML, of an address or of a programming language."""
    for index, entry, _ in listed.matching(_MAY_BE_ESCAPE):
        for found in _ESCAPE.finditer(entry):
            if (severity := _severity_of(found, entry, listed)) is not None:
                yield Problem(index, f"{shown(entry)} holds {shown(found[0])} in place of a character", severity)
                break


def _severity_of(found: re.Match[str], entry: str, listed: Listed) -> Severity | None:
    """How certain an escape is; `None` if the text is not an escape."""
    text = found[0]
    certain: Severity | None = Severity.WARNING
    if found["html"]:
        # In the text "rock&roll;", there is no escape.
        certain = None if html.unescape(text) == text else Severity.ERROR
    elif listed.has_patterns:
        return None  # these escapes are part of the syntax of patterns
    elif found["url"]:
        is_letter = not unquote(text, errors="ignore").isascii() or _OLD_ESCAPE.search(entry)
        certain = Severity.ERROR if is_letter else Severity.WARNING if text == "%20" else None
        # An address needs its escapes.
        certain = Severity.WARNING if certain and "/" in entry else certain
    elif found["code"]:
        certain = Severity.ERROR
    return Severity.WARNING if certain and listed.has_patterns else certain


# The syntax of JSON, SQL and programming languages around a text. Emoticons have one letter there: ('ω').
_SYNTAX = re.compile(
    r"""[\[({]\s*["']\w{2}.*[\])}][,;]*|[bru]{1,2}(["']).*\1,?|\\(["']).*\\\2,?|(["']).+\3\s*(?:=>|:).*""", re.DOTALL
)


def syntax(listed: Listed) -> Iterator[Problem]:
    """An entry holds the syntax of a data format or of a programming language."""
    for index, entry, _ in () if listed.has_patterns else listed.matching(_QUOTE):
        if _SYNTAX.fullmatch(entry.strip()):
            yield Problem(index, f"{shown(entry)} holds the syntax of a file format or a program around the text")


_MISSING = frozenset(
    ("NULL", "NaN", "nan", "NaT", "<NA>", "<null>", "(null)", "<none>", "<nil>", "\\N", "undefined", "[object Object]")
) | {"[]", "{}", "()", '""', "''"}
_MAY_BE_MISSING = frozenset(("null", "None", "nil", "N/A", "n/a", "NAN", "(blank)", "(empty)", "(leer)", "(vide)"))


def missing_value(listed: Listed) -> Iterator[Problem]:
    """An entry is what a program writes in place of a missing value."""
    for index, entry in enumerate(listed.entries):
        if (text := entry.strip()) in _MISSING or text in _MAY_BE_MISSING:
            severity = Severity.ERROR if text in _MISSING else Severity.WARNING
            yield Problem(index, f"{shown(entry)} is a text that programs write for a missing value", severity)
