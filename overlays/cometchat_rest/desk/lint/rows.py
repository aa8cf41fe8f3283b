"""Rules about rows that are no entries: headers, comments, several entries in one row."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .checks import Listed, Problem
from .findings import Severity, shown
from .spreadsheets import ERROR_VALUE

# Titles of columns, in the languages in which spreadsheets are common.
_TITLES = frozenset(
    """
    term terms word words keyword keywords phrase phrases entry entries pattern patterns regex regexp sentence sentences
    text value values name id list category searchterm searchterms search_term search_terms badword badwords bad_words
    banned_words blocked_words blocklist blacklist column1 spalte1 colonne1 columna1
    begriff begriffe wort wörter schlüsselwort schlüsselwörter schlagwort schlagwörter suchbegriff suchbegriffe
    palabra palabras término términos mot mots terme termes mot-clé mots-clés parola parole termine termini
    palavra palavras termo termos woord woorden słowo słowa kelime kelimeler слово слова термин
    ключевое_слово ключевые_слова 单词 词 关键词 關鍵詞 敏感词 キーワード 単語 用語 단어 키워드 كلمة كلمات מילה מילים
    """.split()  # noqa: SIM905 - as a list, each word would take a line
)


def header_row(listed: Listed) -> Iterator[Problem]:
    """The first row is a title, or the mark of a separator that Excel writes."""
    if len(listed.entries) > 1:
        first = listed.entries[0].strip().strip("\"'").casefold()
        is_mark = re.fullmatch("sep=.", first)
        if is_mark or first in _TITLES or re.sub(r"[\s_-]+", "_", first) in _TITLES:
            advice = "remove this row, or use --header for a CSV file"
            yield Problem(0, f"{shown(listed.entries[0])} looks like the title of the column; {advice}")


# The mark of a comment, with a space and a letter after it; a hashtag; the mark of an item.
_COMMENT = re.compile(
    r"\s*(?:(?P<comment>(?:#+|//+|<!--|/\*)\s+[^\W\d])|(?P<tag>#\w|//\w)|(?P<item>[-*•·\u2013]\s+\w))"
)


def comment(listed: Listed) -> Iterator[Problem]:
    """An entry begins with the mark of a comment or of an item."""
    for index, entry in enumerate(listed.entries):
        if found := _COMMENT.match(entry):
            if found["comment"]:
                yield Problem(index, f"{shown(entry)} is a comment; lists have no comments", Severity.ERROR)
            elif found["tag"] and not ERROR_VALUE.fullmatch(entry.strip()):
                yield Problem(index, f"{shown(entry)} is a hashtag or a comment; it is sent as an entry")
            elif found["item"] and not listed.has_patterns:
                yield Problem(index, f"{shown(entry)} begins with the mark of an item, which is part of the entry")


_ENTITY = re.compile(r"&#?\w+;")
# In Greek text, a semicolon after a letter is a question mark.
_GREEK_QUESTION = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s|$)")
_TIGHT_SEMICOLON = re.compile(r"\w;+\w|\w;+\s*$|^\s*;+\w{2}")
_TIGHT_COMMA = re.compile(r"(?<=[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ud7ff]),(?=[^\W\d_])")
_BAR = re.compile(r"\w\s?\|\s?\w")
_SUSPECT, _TAB = re.compile(r"[\t;,|]"), re.compile(r"\t")


def separator(listed: Listed) -> Iterator[Problem]:
    """An entry holds a tab, a semicolon, a comma or a vertical bar between words."""
    columns = _columns(listed)
    # In patterns and sentences, the other marks are ordinary.
    only_tabs = not columns and (listed.has_patterns or listed.has_sentences)
    for index, entry, _ in listed.matching(_TAB if only_tabs else _SUSPECT):
        if "\t" in entry:
            what, severity = "a tab", Severity.WARNING if listed.has_patterns else Severity.ERROR
        elif columns:
            what, severity = (
                "a semicolon, like every entry",
                Severity.WARNING if listed.has_patterns else Severity.ERROR,
            )
        elif judged := _judged(entry):
            what, severity = judged
        else:
            continue
        yield Problem(index, f"{shown(entry)} holds {what}; put each entry in its own line", severity)


def _columns(listed: Listed) -> bool:
    """Whether each of at least three entries has the same number of semicolons: these are columns."""
    if len(listed.entries) < 3 or ";" not in listed.entries[0]:
        return False
    counts = {entry.count(";") for entry in listed.entries}
    return len(counts) == 1 and 0 not in counts


def _judged(entry: str) -> tuple[str, Severity] | None:
    """The separator in an entry of a list of words, and how certain it is that it separates entries."""
    if ";" in entry:
        text = _GREEK_QUESTION.sub("", _ENTITY.sub("", entry))
        if _TIGHT_SEMICOLON.search(text) or text.count("; ") > 1:
            return "a semicolon between words", Severity.ERROR
        if "; " in text:
            return "a semicolon", Severity.WARNING
    if "," in entry and re.search(r"\w\s?,\s?[^\W\d]", entry):
        certain = len(_TIGHT_COMMA.findall(entry)) > 1
        return ("commas between words", Severity.ERROR) if certain else ("a comma", Severity.WARNING)
    if _BAR.search(entry):
        return "a vertical bar", Severity.WARNING
    return None


# The breaks at which the wire format or a spreadsheet would end a line.
_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")


def line_break(listed: Listed) -> Iterator[Problem]:
    """An entry holds a line break."""
    severity = Severity.WARNING if listed.has_sentences else Severity.ERROR
    for index, entry in enumerate(listed.entries):
        if _BREAK.search(entry):
            yield Problem(index, f"{shown(entry)} holds a line break; put each line in its own row", severity)
