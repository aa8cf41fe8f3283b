"""Rules about several entries in one line or one cell."""

import re
from collections.abc import Iterator

from .checks import Listed, Problem

_ENTITY = re.compile(r"&#?\w+;")
# In Greek text, a semicolon after a letter is a question mark.
_GREEK_QUESTION = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s|$)")
_SEMICOLONS = re.compile(
    r"""
      \w;+\w            # spam;scam
    | \w;+\s*$          # spam;
    | ^\s*;+\w{2}       # ;spam
    | ;[ ].*;[ ]        # get rich; free coins; click here
    """,
    re.VERBOSE | re.DOTALL,
)
# A letter of a script with spaces: in others, a comma may stand between letters.
_SPACED_LETTER = r"[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ud7ff]"
_TIGHT_COMMA = re.compile(rf"{_SPACED_LETTER},(?=[^\W\d_])")
_LAST_COMMA = re.compile(r"\S\s*,\s*\Z")
# Also with quotes around it, or with the stars of another tool.
_WORD = re.compile(r"""["'*\u201c\u201d\w-]+""")
_SUSPECT = re.compile("[\t;,、،\uff1b]")
_TAB = re.compile(r"\S[^\S\n]*\t\s*\S")
# Commas, also full-width, and those of Chinese, Japanese and Arabic.
_COMMAS = ",\uff0c、،"
# The marks of Arabic, Chinese and Japanese that stand for these.
_MARKS = str.maketrans({"、": ",", "،": ",", "\uff1b": ";"})
_LAST_SEPARATORS = re.compile(r"\s*[,;、،\uff1b]+\s*\Z")


def separator(listed: Listed) -> Iterator[Problem]:
    """The entry holds separators, so it is several entries in one.

    The columns of a spreadsheet are separated with tabs or semicolons. Save one column as CSV
    UTF-8, and put each entry in its own line. Commas are reported between three words
    (`spam, scam, junk`), between four parts of any kind, and at the end of an entry.
    """
    # In patterns and sentences, the other marks are ordinary.
    suspect = _SUSPECT if listed.category == "word" else _TAB
    for index, entry, _ in listed.matching(suspect):
        if _TAB.search(entry):
            advice = "name the column with --column, or put each entry in its own line"
            yield index, f"holds a tab, which begins a column: {advice}"
        elif _is_several(entry):
            yield index, "holds commas or semicolons; put each entry in its own line"


def _is_several(entry: str) -> bool:
    """Whether commas or semicolons separate several words, or stand at an end."""
    has_semicolons = _SEMICOLONS.search(_GREEK_QUESTION.sub("", _plain_marks(entry)))
    return bool(has_semicolons or _LAST_COMMA.search(entry)) or _is_row(entry)


def _is_row(entry: str) -> bool:
    """Whether commas or semicolons separate three words, such as `spam, scam, junk`, or at least
    four parts of any kind. One or two commas may belong to a phrase."""
    parts = [part.strip() for part in re.split("[,;]", _plain_marks(entry))]
    parts = [part for part in parts if any(map(str.isalpha, part))]
    if len(parts) == 3 and all(map(_WORD.fullmatch, parts)):
        return True
    return len(parts) > 3 or len(_TIGHT_COMMA.findall(entry)) > 1


def _plain_marks(entry: str) -> str:
    return _ENTITY.sub("", entry.translate(_MARKS))


def mostly_rows(listed: Listed) -> bool:
    """Whether most entries hold several words with commas or semicolons: a single one may be a
    phrase, such as `ready, steady, go`."""
    return 2 * sum(map(_is_row, listed.heads)) > len(listed.entries)


def without_separators(entry: str, *, splits: bool) -> list[str]:
    """The entry without the commas or semicolons at its end; or the entries in a line, if they
    separate several words."""
    if "\t" in entry:
        return [entry]
    if splits and _is_row(entry):
        return [part for part in re.split(r"\s*[,;]\s*", entry.translate(_MARKS).strip()) if part]
    return [_LAST_SEPARATORS.sub("", entry)]


def has_columns(listed: Listed) -> bool:
    """Whether each of at least three entries has the same number of semicolons: these are
    columns."""
    if len(listed.entries) < 3 or ";" not in listed.entries[0] or listed.category == "pattern":
        return False
    counts = {entry.count(";") for entry in listed.entries}
    return len(counts) == 1


# Also between words in quotes: "spam", "scam".
_COMMA = re.compile(rf"""[\w"'*\u201d]\s?[{_COMMAS}]\s?["'\u201c]?[^\W\d_]""")


def comma(listed: Listed) -> Iterator[Problem]:
    """The entry holds a comma, so it is a phrase, or two entries in one.

    If these are two entries, put each in its own line. If it is a phrase, accept it. Only words are
    reported.
    """
    places = [index for index, _, _ in listed.matching(_COMMA)]
    if listed.category != "word" or not places:
        return
    separated = {index for index, _ in separator(listed)}
    for index in places:
        if index not in separated:
            yield index, "holds a comma; if these are two entries, put each in its own line"


# The breaks at which the wire format or a spreadsheet would end a line.
_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")


def line_break(listed: Listed) -> Iterator[Problem]:
    """The entry holds a line break.

    A cell with two lines is one entry, and no message holds it. Put each line in its own row.
    Sentences are not reported.
    """
    if listed.category == "sentence-similarity":
        return
    for index, entry in enumerate(listed.entries):
        if _BREAK.search(entry):
            yield index, "holds a line break; put each line in its own row"
