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
_TIGHT_COMMAS = re.compile(rf"{_SPACED_LETTER},[^\W\d_].*{_SPACED_LETTER},[^\W\d_]")
_LAST_COMMA = re.compile(rf"{_SPACED_LETTER},\s*$")
_WORD = r"[\w'-]*[^\W\d][\w'-]*"
_THREE_WORDS = re.compile(rf"\s*{_WORD}(?:\s*[,;]\s*{_WORD}){{2,}}\s*[,;]?\s*")
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
    UTF-8, and put each entry in its own line. Commas are reported between three or more words
    (`spam, scam, junk`), and at the end of an entry.
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
    """Whether commas or semicolons separate three or more words, or stand at an end."""
    text = _GREEK_QUESTION.sub("", _ENTITY.sub("", entry.translate(_MARKS)))
    return (
        _THREE_WORDS.fullmatch(text) is not None
        or _SEMICOLONS.search(text) is not None
        or _TIGHT_COMMAS.search(entry) is not None
        or _LAST_COMMA.search(entry) is not None
    )


def mostly_rows(listed: Listed) -> bool:
    """Whether most entries hold several words with commas or semicolons: a single one may be a
    phrase, such as `ready, steady, go`."""
    rows = [entry for entry in listed.heads if _is_row(entry.translate(_MARKS))]
    return 2 * len(rows) > len(listed.entries)


def _is_row(text: str) -> bool:
    return bool(_THREE_WORDS.fullmatch(text) or _TIGHT_COMMAS.search(text))


def without_separators(entry: str, *, splits: bool) -> list[str]:
    """The entry without the commas or semicolons at its end; or the entries in a line, if several
    separate three or more words. One comma may belong to a phrase."""
    if "\t" in entry:
        return [entry]
    text = entry.translate(_MARKS)
    if splits and _is_row(text):
        return [part for part in re.split(r"\s*[,;]\s*", text.strip()) if part]
    return [_LAST_SEPARATORS.sub("", entry)]


def has_columns(listed: Listed) -> bool:
    """Whether each of at least three entries has the same number of semicolons: these are
    columns."""
    if len(listed.entries) < 3 or ";" not in listed.entries[0] or listed.category == "pattern":
        return False
    counts = {entry.count(";") for entry in listed.entries}
    return len(counts) == 1


# Also between words in quotes: "spam", "scam".
_COMMA = re.compile(rf"""[\w"'\u201d]\s?[{_COMMAS}]\s?["'\u201c]?[^\W\d_]""")


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
