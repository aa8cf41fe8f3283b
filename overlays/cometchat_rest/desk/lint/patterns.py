"""Rules about regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cometchat_rest.keyword_input import invalid_patterns, is_unbounded

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
    faults = dict(invalid_patterns(listed.entries))
    for index, entry in enumerate(listed.entries if faults else ()):
        if (fault := faults.get(entry)) is not None:
            severity = Severity.ERROR if fault.startswith(_IN_EVERY_DIALECT) else Severity.WARNING
            yield Problem(index, f"{shown(entry)} does not compile: {printable(fault)}", severity)


def matches_everything(listed: Listed) -> Iterator[Problem]:
    """A pattern begins or ends with a vertical bar."""
    for index, entry in enumerate(listed.entries if listed.has_patterns else ()):
        if entry.startswith("|") or (entry.endswith("|") and re.fullmatch(r"(?:[^\\]|\\.)*\|", entry, re.DOTALL)):
            yield Problem(index, f"{shown(entry)} has an empty alternative, and matches every message")


_LIKE_A_PATTERN = re.compile(r"\\[bBdDsSwW]|\.[*+]|\[[^\]\s]*-[^\]\s]*\]|\(\?[:=!<]|\{\d+,\d*\}")


def pattern_as_word(listed: Listed) -> Iterator[Problem]:
    """A list of words holds a regular expression."""
    if listed.category == "word":
        for index, entry, _ in listed.matching(_LIKE_A_PATTERN):
            yield Problem(index, f"{shown(entry)} looks like a pattern, but words are compared as they are")
