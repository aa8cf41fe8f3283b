"""Rules about regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cometchat_desk.lists.patterns import invalid_patterns, is_unbounded

from .checks import Listed, Problem
from .findings import Severity, printable, shown

# The beginnings of messages about faults that are faults in every dialect.
_IN_EVERY_DIALECT = (
    "missing )",
    "unbalanced parenthesis",
    "unterminated character set",
    "nothing to repeat",
    "bad character range",
    "min repeat greater than max repeat",
    "bad escape (end of pattern)",
)


# Each quantifier without an upper bound has one of these parts.
_MAY_BE_UNBOUNDED = re.compile(r"[*+]|,\}")


def unbounded_pattern(listed: Listed) -> Iterator[Problem]:
    """A pattern has a quantifier without an upper bound."""
    for index, entry, _ in listed.matching(_MAY_BE_UNBOUNDED) if listed.has_patterns else ():
        if is_unbounded(entry):
            yield Problem(
                index, f"{shown(entry)} has *, + or {{n,}}; the service refuses it; use {{1,20}}, for example"
            )


def invalid_pattern(listed: Listed) -> Iterator[Problem]:
    """A pattern does not compile."""
    if not listed.has_patterns:
        return
    faults = invalid_patterns(listed.entries)
    for index, entry in enumerate(listed.entries if faults else ()):
        if (fault := faults.get(entry)) is not None:
            severity = Severity.ERROR if fault.startswith(_IN_EVERY_DIALECT) else Severity.WARNING
            yield Problem(index, f"{shown(entry)} does not compile: {printable(fault)}", severity)


_ATOM = r"(?:\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\([^()]*\)|[^\\\[\](){}|*+?])"
# Each part may be missing, so an empty text matches.
_ALL_OPTIONAL = re.compile(rf"\^?(?:{_ATOM}(?:[*?]|\{{0?,[0-9]*\}}|\{{0\}})[?+]?)+", re.DOTALL)
# Any character, any letter, any text.
_ANY = re.compile(r"\^?(?:\.|\\[wSDWsd]|\[(?:\\[wWsSdD]){2,}\])(?:[*+?]|\{[0-9]*,?[0-9]*\})?\$?")


def matches_everything(listed: Listed) -> Iterator[Problem]:
    """A pattern has an empty alternative, or matches an empty text or any character."""
    for index, entry in enumerate(listed.entries if listed.has_patterns else ()):
        if entry.startswith("|") or (entry.endswith("|") and re.fullmatch(r"(?:[^\\]|\\.)*\|", entry, re.DOTALL)):
            yield Problem(index, f"{shown(entry)} has an empty alternative, and matches every message")
        elif _ANY.fullmatch(entry) or (entry[-1] in "*?+}" and _ALL_OPTIONAL.fullmatch(entry)):
            yield Problem(index, f"{shown(entry)} matches nearly every message")


_LETTER = r"[^\W\d_]"
# In Chinese, Japanese and Korean text, words stand beside brackets without a space.
_CLASS = r"\[[^\[\]\s/\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]{2,}\]"
_LIKE_A_PATTERN = re.compile(
    rf"\\[bBdDsSwW]|\w\\[.*+?$]|(?<!\.)\.[*+]|\w\.\?\w|{_LETTER}{_CLASS}"
    # A tag of a forum, such as [url], has an end: [/url].
    rf"|{_CLASS}(?:{_LETTER}(?!.{{0,100}}\[/)|[*+?{{])|\[\^?(?:\w-\w)+\]"
    r"|\([^()]*\w\|\w[^()]*\)|\w\(\w+\)(?:[*+]|\?\w)|\(\?(?:[:=!<>#]|[aiLmsux-]+[:)])|\S\{(?:\d+,?|\d*,\d+)\}"
    r"|^\^\w[^^\n]*\$$",
    re.MULTILINE,
)
# Each text that looks like a pattern has one of these parts. Searching for them is much faster.
_MAY_BE_LIKE_A_PATTERN = re.compile(r"[\\\[({^]|\.[*+?]")


def pattern_as_word(listed: Listed) -> Iterator[Problem]:
    """A list of words or sentences holds a regular expression."""
    for index, entry, _ in () if listed.has_patterns else listed.matching(_MAY_BE_LIKE_A_PATTERN):
        if _LIKE_A_PATTERN.search(entry):
            kind = "sentences" if listed.has_sentences else "words"
            yield Problem(index, f"{shown(entry)} looks like a pattern, but {kind} are compared as they are")
