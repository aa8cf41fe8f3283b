"""Rules about damaged encodings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ftfy import badness, fix_encoding

from .checks import Listed, Problem
from .findings import Severity, character_name, escaped, shown


def mis_decoded(listed: Listed) -> Iterator[Problem]:
    """An entry was decoded with a wrong encoding."""
    for index, entry in enumerate(listed.entries):
        # A character that was lost has a rule of its own.
        if entry.isascii() or "\ufffd" in entry or not badness.is_bad(entry):
            continue
        fixed = fix_encoding(entry)
        if fixed != entry and fixed.strip():
            yield Problem(index, f"{shown(entry)} was read in a wrong encoding; the text is probably {shown(fixed)}")
        else:
            yield Problem(index, f"{shown(entry)} may have been read in a wrong encoding", Severity.WARNING)


_ONLY_QUESTION_MARKS = re.compile(r"\?[?\s]*\?")
_QUESTION_INSIDE = re.compile(r"[^\W\d_]\?+[^\W\d_]")


def lost_characters(listed: Listed) -> Iterator[Problem]:
    """An entry holds U+FFFD, or question marks in place of letters."""
    only_marks = sum(1 for entry in listed.entries if _ONLY_QUESTION_MARKS.fullmatch(entry))
    for index, entry in enumerate(listed.entries):
        if "\ufffd" in entry:
            yield Problem(index, f"{shown(entry)} holds U+FFFD in place of a lost character")
        elif "?" not in entry or listed.has_patterns:
            continue
        elif _ONLY_QUESTION_MARKS.fullmatch(entry):
            severity = Severity.ERROR if only_marks > 1 else Severity.WARNING
            yield Problem(
                index, f"{shown(entry)} holds question marks only, perhaps in place of lost letters", severity
            )
        elif _QUESTION_INSIDE.search(entry) and "://" not in entry:
            yield Problem(
                index, f"{shown(entry)} holds a question mark, perhaps in place of a lost letter", Severity.WARNING
            )


# Tabs and line breaks have rules of their own.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


def control_character(listed: Listed) -> Iterator[Problem]:
    """An entry holds a control character."""
    for index, entry in enumerate(listed.entries):
        if found := _CONTROL.search(entry):
            yield Problem(index, f"{shown(entry)} holds the control character {character_name(found[0])}")


_ESCAPE = re.compile(r"&(?:[A-Za-z]{2,8}|#[0-9]{2,6}|#x[0-9A-Fa-f]{2,5});|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}")


def escaped_text(listed: Listed) -> Iterator[Problem]:
    """An entry holds an escape of HTML or of a programming language."""
    if listed.has_patterns:
        return
    for index, entry in enumerate(listed.entries):
        if found := _ESCAPE.search(entry):
            yield Problem(
                index, f"{shown(entry)} holds the escape {escaped_literally(found[0])} in place of a character"
            )


def escaped_literally(text: str) -> str:
    """An escape exactly as it is written."""
    return "".join(each if each.isprintable() else escaped(each) for each in text)
