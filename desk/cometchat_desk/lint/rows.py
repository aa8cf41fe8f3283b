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
    ключевое_слово ключевые_слова ключове_слово термін дума думи ord nyckelord nøkkelord nøgleord søgeord sana sanat
    avainsana slovo slova klíčové_slovo szó szavak kulcsszó cuvânt cuvinte riječ riječi reč reči λέξη λέξεισ όροσ kata
    kata_kunci từ từ_khóa từ_cấm liste lista sperrwort sperrwörter sperrliste wortliste
    单词 词 词语 关键词 關鍵詞 敏感词 违禁词 屏蔽词 禁词 黑名单 キーワード 単語 用語 禁止ワード ngワード 禁止用語
    단어 키워드 금지어 금칙어 كلمة كلمات الكلمات كلمات_محظورة الكلمات_المحظورة מילה מילים מילות_מפתח מילים_אסורות
    शब्द निषिद्ध_शब्द คำ คำหลัก คำต้องห้าม คำหยาบ
    """.split()  # noqa: SIM905 - as a list, each word would take a line
)


# These may be entries as well.
_MAY_BE_TITLES = frozenset(
    """
    profanity profanities insults slurs swear_words swearwords curse_words schimpfwort schimpfwörter beleidigungen
    insultes gros_mots insultos palabrotas palavrões insulti parolacce scheldwoorden küfürler ругательства
    """.split()  # noqa: SIM905 - as a list, each word would take a line
)
# The names of columns that programs write, and the end of a title that names a language.
_COLUMN = re.compile(r"sep=.|unnamed: ?\d+|(?:column|spalte|colonne|columna|coluna|field|feld)(?:[ _][a-z]|[ _]?\d)")
_LANGUAGE = re.compile(r"(?:_|_?[(\[])[a-z]{2}[)\]]?$")

# Words that make a row of several words a title. The singular of most of them is common in entries.
_IN_TITLES = frozenset(
    """
    terms words wordlist keyword keywords phrases patterns regexes badwords blocklist blacklist denylist
    begriffe wörter wortliste schlüsselwörter schlagwörter suchbegriffe sperrliste palabras términos mots termes
    mots-clés parole termini palavras termos woorden słowa kelimeler слова термины
    ord sanat slova szavak cuvinte riječi λέξεισ
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
        advice = "remove this row, or use --header for a CSV file"
        message = f"{shown(listed.entries[0])} looks like the title of the column; {advice}"
        title = re.sub(r"[\s_-]+", "_", first)
        names = (name.strip("_") for name in title.split("/"))
        if _COLUMN.fullmatch(first) or _TITLES.issuperset(names) or _LANGUAGE.sub("", title) in _TITLES:
            yield Problem(0, message)
        elif title in _MAY_BE_TITLES:
            yield Problem(0, message, Severity.WARNING)
        elif not listed.has_patterns:
            words = re.findall(r"[^\s_:()]+", first)
            is_title = listed.entries[0].strip()[0].isupper() or not _OF_LISTS.isdisjoint(words)
            if is_title and 1 < len(words) <= _MOST_WORDS_OF_A_TITLE and not _IN_TITLES.isdisjoint(words):
                yield Problem(0, message, Severity.WARNING if listed.has_sentences else None)


# The mark of a comment, with a space and a letter after it; a hashtag; a title, or a comment behind an entry.
_COMMENT = re.compile(
    r"\s*(?:(?P<comment>(?:#+|//+|<!--|/\*)\s+[^\W\d]|(?P<line>[=#*~<>-])(?P=line){2,}\s*[^\W\d])|(?P<tag>#\w|//\w))"
)
_REMARK = re.compile(r"[^\W\d]:\s*$|\w\s+(?:#|//|--)\s+[^\W\d]")


def comment(listed: Listed) -> Iterator[Problem]:
    """An entry begins with the mark of a comment, or holds a comment or a title."""
    for index, entry in enumerate(listed.entries):
        if found := _COMMENT.match(entry):
            if found["comment"]:
                yield Problem(index, f"{shown(entry)} is a comment; lists have no comments", Severity.ERROR)
            elif found["tag"] and not ERROR_VALUE.fullmatch(entry.strip()):
                yield Problem(index, f"{shown(entry)} is a hashtag or a comment; it is sent as an entry")
        elif listed.category == "word" and _REMARK.search(entry):
            yield Problem(index, f"{shown(entry)} holds a comment or is a title; it is sent as it is")


# A bullet, also from the fonts of Word; another mark, a box or a number, with a space after it. A letter with a full
# stop is an initial.
_ITEM = re.compile(
    r"\s*(?:(?P<bullet>[•▪◦‣\u2043➢➤\uf000-\uf0ff])\s*\S"
    r"|(?:[-*+~>»§→✓✔☐☑·●○■□\u2013\u2014]|\[[ xX]\]|\(?(?:\d{1,4}|[a-zA-Z](?=\)))[.)])\s+\S)"
)
# A number in any form before a word: 1. spam, [1] spam, #1 spam, 1: spam, ① spam.
_NUMBERED = re.compile(r"[\W_]*(?:N[or]\.?\s*)?(\d{1,5}|[a-zA-Z](?=[.)])|[①-⑳](?=\s))[\W_]+[^\W\d_]")


def list_item(listed: Listed) -> Iterator[Problem]:
    """An entry begins with a bullet or a number, as in the list of a document."""
    if listed.has_patterns:
        return
    marked = {index: item for index, entry in enumerate(listed.entries) if (item := _ITEM.match(entry))}
    numbers = [_number(entry) for entry in listed.entries]
    # Three numbers that follow each other are no coincidence.
    counted = {
        index + place
        for index, (number, *others) in enumerate(zip(numbers, numbers[1:], numbers[2:], strict=False))
        for place in range(3)
        if number is not None and others == [number + 1, number + 2]
    }
    all_numbered = len(numbers) > 2 and None not in numbers
    # Several marks come from a document.
    systematic = len(marked) >= 3 or 2 * len(marked) >= max(len(listed.entries), 4)
    for index, entry in enumerate(listed.entries):
        item = marked.get(index)
        if index in counted or (item and (systematic or item["bullet"])):
            severity = Severity.ERROR
        elif item or all_numbered:
            severity = Severity.WARNING
        else:
            continue
        text = f"{shown(entry)} begins with the mark or the number of an item, which is part of the entry"
        yield Problem(index, text, severity)


def _number(entry: str) -> int | None:
    """The number before the word of an entry; for a letter such as `a)`, its code."""
    if (found := _NUMBERED.match(entry)) is None:
        return None
    label = found[1]
    return int(label) if label.isdecimal() else ord(label.lower())


_ENTITY = re.compile(r"&#?\w+;")
# In Greek text, a semicolon after a letter is a question mark.
_GREEK_QUESTION = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s|$)")
_TIGHT_SEMICOLON = re.compile(r"\w;+\w|\w;+\s*$|^\s*;+\w{2}")
_TIGHT_COMMA = re.compile(r"(?<=[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ud7ff]),(?=[^\W\d_])|\w,\s*$")
_COMMA = re.compile(r"\w\s?,\s?[^\W\d]")
_SINGLE_WORDS = re.compile(r"\s*[\w'-]+(?:\s*,\s*[\w'-]+){2,}\s*")
_BAR = re.compile(r"\w\s?\|\s?\w")
# Words with strokes between them.
_STROKES = re.compile(r"[^\W\d_]+(?:/[^\W\d_]+){2,}")
_SUSPECT, _TAB = re.compile("[\t;,|/、،\uff0c\uff1b]"), re.compile(r"\t")
# The marks of Arabic, Chinese and Japanese that stand for these.
_MARKS = str.maketrans({"、": ",", "،": ",", "\uff1b": ";"})
_MOST_WORDS_OF_ONE_ENTRY = 7


def separator(listed: Listed) -> Iterator[Problem]:
    """An entry holds a tab, a semicolon, a comma, a stroke or a vertical bar between words."""
    if listed.category == "word" and len(listed.entries) == 1:
        yield from _whole_list(listed.entries[0])
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


def _whole_list(entry: str) -> Iterator[Problem]:
    words = len(entry.split())
    if words > _MOST_WORDS_OF_ONE_ENTRY:
        text = f"{shown(entry)} is the only entry and has {words:,} words; put each entry in its own line"
        yield Problem(0, text, Severity.WARNING)


def _columns(listed: Listed) -> bool:
    """Whether each of at least three entries has the same number of semicolons: these are columns."""
    if len(listed.entries) < 3 or ";" not in listed.entries[0]:
        return False
    counts = {entry.count(";") for entry in listed.entries}
    return len(counts) == 1 and 0 not in counts


def _judged(original: str, *, many_commas: bool) -> tuple[str, Severity] | None:
    """The separator in an entry of a list of words, and how certain it is that it separates entries."""
    row = original.strip()
    if row[0] == row[-1] == "|" and any(map(str.isalnum, row)):
        return "the vertical bars of a table", Severity.ERROR
    entry = original.translate(_MARKS)
    if ";" in entry:
        text = _GREEK_QUESTION.sub("", _ENTITY.sub("", entry))
        if _TIGHT_SEMICOLON.search(text) or text.count("; ") > 1:
            return "a semicolon between words", Severity.ERROR
        if "; " in text:
            return "a semicolon", Severity.WARNING
    if "," in entry:
        if _TIGHT_COMMA.search(original) or _SINGLE_WORDS.fullmatch(entry):
            return "a comma between words", Severity.ERROR
        if _COMMA.search(entry):
            return "a comma", Severity.ERROR if many_commas else Severity.WARNING
    if _BAR.search(entry):
        return "a vertical bar", Severity.WARNING
    if "\uff0c" in entry:
        return "a comma", Severity.WARNING
    if _STROKES.fullmatch(row):
        return "strokes between words", Severity.WARNING
    return None


# The breaks at which the wire format or a spreadsheet would end a line.
_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")


def line_break(listed: Listed) -> Iterator[Problem]:
    """An entry holds a line break."""
    severity = Severity.WARNING if listed.has_sentences else Severity.ERROR
    for index, entry in enumerate(listed.entries):
        if _BREAK.search(entry):
            yield Problem(index, f"{shown(entry)} holds a line break; put each line in its own row", severity)
