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


# Words that make a row of several words a title. The singular of most of them is common in entries.
_IN_TITLES = frozenset(
    """
    terms words wordlist keyword keywords phrases patterns regexes badwords blocklist blacklist denylist
    begriffe wörter wortliste schlüsselwörter schlagwörter suchbegriffe sperrliste palabras términos mots termes
    mots-clés parole termini palavras termos woorden słowa kelimeler слова термины
    """.split()  # noqa: SIM905 - as a list, each word would take a line
)
_OF_LISTS = frozenset(
    ("bad", "banned", "blocked", "filtered", "forbidden", "list", "moderation", "prohibited", "search")
)
_MOST_WORDS_OF_A_TITLE = 6


def header_row(listed: Listed) -> Iterator[Problem]:
    """The first row is a title, or the mark of a separator that Excel writes."""
    if len(listed.entries) > 1:
        first = listed.entries[0].strip().strip("\"':").casefold()
        is_mark = re.fullmatch("sep=.", first)
        advice = "remove this row, or use --header for a CSV file"
        message = f"{shown(listed.entries[0])} looks like the title of the column; {advice}"
        if is_mark or first in _TITLES or re.sub(r"[\s_-]+", "_", first) in _TITLES:
            yield Problem(0, message)
        elif not listed.has_patterns:
            words = re.findall(r"[^\s_:()]+", first)
            is_title = listed.entries[0].strip()[0].isupper() or not _OF_LISTS.isdisjoint(words)
            if is_title and 1 < len(words) <= _MOST_WORDS_OF_A_TITLE and not _IN_TITLES.isdisjoint(words):
                yield Problem(0, message, Severity.WARNING if listed.has_sentences else None)


# The mark of a comment, with a space and a letter after it; a hashtag.
_COMMENT = re.compile(r"\s*(?:(?P<comment>(?:#+|//+|<!--|/\*)\s+[^\W\d])|(?P<tag>#\w|//\w))")


def comment(listed: Listed) -> Iterator[Problem]:
    """An entry begins with the mark of a comment."""
    for index, entry in enumerate(listed.entries):
        if found := _COMMENT.match(entry):
            if found["comment"]:
                yield Problem(index, f"{shown(entry)} is a comment; lists have no comments", Severity.ERROR)
            elif found["tag"] and not ERROR_VALUE.fullmatch(entry.strip()):
                yield Problem(index, f"{shown(entry)} is a hashtag or a comment; it is sent as an entry")


# A bullet; another mark or a number, with a space after it. A letter with a full stop is an initial.
_ITEM = re.compile(r"\s*(?:(?P<bullet>[•▪◦‣])\s*\S|(?:[-*·●○■□\u2013\u2014]|\(?(?:\d{1,4}|[a-zA-Z](?=\)))[.)])\s+\S)")


def list_item(listed: Listed) -> Iterator[Problem]:
    """An entry begins with a bullet or a number, as in the list of a document."""
    found = [(index, entry, item) for index, entry in enumerate(listed.entries) if (item := _ITEM.match(entry))]
    # Several marks come from a document.
    systematic = len(found) >= 3 or 2 * len(found) >= max(len(listed.entries), 4)
    for index, entry, item in found if not listed.has_patterns else ():
        severity = Severity.ERROR if systematic or item["bullet"] else Severity.WARNING
        text = f"{shown(entry)} begins with the mark or the number of an item, which is part of the entry"
        yield Problem(index, text, severity)


_ENTITY = re.compile(r"&#?\w+;")
# In Greek text, a semicolon after a letter is a question mark.
_GREEK_QUESTION = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s|$)")
_TIGHT_SEMICOLON = re.compile(r"\w;+\w|\w;+\s*$|^\s*;+\w{2}")
_TIGHT_COMMA = re.compile(r"(?<=[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ud7ff]),(?=[^\W\d_])|\w,\s*$")
_COMMA = re.compile(r"\w\s?,\s?[^\W\d]")
_SINGLE_WORDS = re.compile(r"\s*[\w'-]+(?:\s*,\s*[\w'-]+){2,}\s*")
_BAR = re.compile(r"\w\s?\|\s?\w")
_SUSPECT, _TAB = re.compile(r"[\t;,|]"), re.compile(r"\t")


def separator(listed: Listed) -> Iterator[Problem]:
    """An entry holds a tab, a semicolon, a comma or a vertical bar between words."""
    columns = _columns(listed)
    # In patterns and sentences, the other marks are ordinary.
    only_tabs = not columns and (listed.has_patterns or listed.has_sentences)
    # If half of the entries hold commas, the commas separate entries.
    commas = 0 if only_tabs else sum(1 for _ in listed.matching(_COMMA))
    many_commas = 2 * commas >= len(listed.entries)
    for index, entry, _ in listed.matching(_TAB if only_tabs else _SUSPECT):
        if "\t" in entry:
            what, severity = "a tab", Severity.WARNING if listed.has_patterns else Severity.ERROR
        elif columns:
            what, severity = (
                "a semicolon, like every entry",
                Severity.WARNING if listed.has_patterns else Severity.ERROR,
            )
        elif judged := _judged(entry, many_commas=many_commas):
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


def _judged(entry: str, *, many_commas: bool) -> tuple[str, Severity] | None:
    """The separator in an entry of a list of words, and how certain it is that it separates entries."""
    if ";" in entry:
        text = _GREEK_QUESTION.sub("", _ENTITY.sub("", entry))
        if _TIGHT_SEMICOLON.search(text) or text.count("; ") > 1:
            return "a semicolon between words", Severity.ERROR
        if "; " in text:
            return "a semicolon", Severity.WARNING
    if "," in entry:
        if _TIGHT_COMMA.search(entry) or _SINGLE_WORDS.fullmatch(entry):
            return "a comma between words", Severity.ERROR
        if _COMMA.search(entry):
            return "a comma", Severity.ERROR if many_commas else Severity.WARNING
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
