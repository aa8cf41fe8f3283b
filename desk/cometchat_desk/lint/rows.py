"""Rules about rows that are not one entry: titles, marks of items, several entries in one row,
names of files."""

import re
from collections.abc import Iterator

from .checks import Listed, Problem

# Titles of columns, in the languages in which spreadsheets are common.
_TITLES = frozenset(
    [
        "term",
        "terms",
        "word",
        "words",
        "keyword",
        "keywords",
        "phrase",
        "phrases",
        "entry",
        "entries",
        "pattern",
        "patterns",
        "regex",
        "sentence",
        "sentences",
        "text",
        "value",
        "values",
        "name",
        "id",
        "list",
        "category",
        "search_term",
        "search_terms",
        "bad_words",
        "banned_words",
        "blocked_words",
        "blocklist",
        "begriff",
        "begriffe",
        "wort",
        "wörter",
        "schlüsselwort",
        "schlüsselwörter",
        "schlagwort",
        "schlagwörter",
        "suchbegriff",
        "suchbegriffe",
        "schimpfwort",
        "schimpfwörter",
        "palabra",
        "palabras",
        "término",
        "términos",
        "mot",
        "mots",
        "terme",
        "termes",
        "gros_mots",
        "parola",
        "parole",
        "termine",
        "palavra",
        "palavras",
        "termo",
        "termos",
        "woord",
        "woorden",
        "słowo",
        "słowa",
        "kelime",
        "kelimeler",
        "слово",
        "слова",
        "ключевое_слово",
        "单词",
        "词语",
        "关键词",
        "關鍵詞",
        "敏感词",
        "违禁词",
        "キーワード",
        "単語",
        "禁止ワード",
        "단어",
        "키워드",
        "금지어",
        "كلمة",
        "كلمات",
    ]
)
# The names of columns that programs write, and the end of a title that names a language.
_COLUMN = re.compile(
    r"sep=.|unnamed: ?\d+|(?:column|spalte|colonne|columna|coluna|field|feld)(?:[ _][a-z]|[ _]?\d)"
)
_LANGUAGE = re.compile(r"(?:_|_?[(\[])[a-z]{2}[)\]]?$")


def header_row(listed: Listed) -> Iterator[Problem]:
    """The first row is the title of the column, not an entry.

    Remove the row, or use --header for a .csv or .xlsx file.
    """
    if len(listed.entries) < 2:
        return
    heading = r"[#=-]{2}|# |.*\w{3} ?:\s*$" if listed.category == "word" else "# "
    if _is_title(listed.heads[0].strip()) or re.match(heading, listed.heads[0]):
        yield (
            0,
            (
                "looks like the title of the column; remove this row, or use --header for .csv and"
                " .xlsx"
            ),
        )


def _is_title(row: str) -> bool:
    first = row.strip("\"':").casefold()
    title = re.sub(r"[\s_-]+", "_", re.sub(r"\W*\(.*\)$", "", first))
    names = (name.strip("_") for name in title.split("/"))
    return (
        bool(_COLUMN.fullmatch(first))
        or _TITLES.issuperset(names)
        or _LANGUAGE.sub("", title) in _TITLES
    )


# A bullet, also from the fonts of Word; another mark, a box or a number, with a space after it. A
# letter with a full stop is an initial.
_ITEM = re.compile(
    r"\s*(?:(?P<bullet>[•▪◦‣\u2043➢➤\uf000-\uf0ff])\s*"
    r"|(?:[-*+~>»§→✓✔☐☑·●○■□\u2013\u2014]|\[["
    r" xX]\]|#\d+|\(?(?:\d{1,4}|[a-zA-Z](?=\)))[.)])\s+)(?=\S)"
)


def list_item(listed: Listed) -> Iterator[Problem]:
    """The entry begins with a bullet or a number, as in the list of a document.

    The mark is sent and compared, so the entry never matches. Remove it. Bullets (`• spam`) are
    always reported; other marks and numbers (`- spam`, `1. spam`) if at least three entries, or
    half of the entries, have one.
    """
    if listed.category == "pattern":
        return
    marked = {
        index: item for index, entry in enumerate(listed.heads) if (item := _ITEM.match(entry))
    }
    systematic = len(marked) >= 3 or 2 * len(marked) >= max(len(listed.entries), 4)
    for index, item in marked.items():
        if systematic or item["bullet"]:
            yield index, "begins with the mark or the number of an item, which is part of the entry"


def without_item(entry: str) -> str:
    """The entry without the mark or the number of an item."""
    item = _ITEM.match(entry)
    return entry[item.end() :] if item else entry


_ENTITY = re.compile(r"&#?\w+;")
# In Greek text, a semicolon after a letter is a question mark.
_GREEK_QUESTION = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s|$)")
_SEMICOLONS = re.compile(r"\w;+\w|\w;+\s*$|^\s*;+\w{2}|; .*; ", re.DOTALL)
_TIGHT_COMMA = re.compile(
    r"(?<=[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ud7ff]) ?,(?=[^\W\d_])|\w,\s*$"
)
_BETWEEN = re.compile(r"\w\s?[,;]\s?[^\W\d]")
_WORD = r"[\w'-]*[^\W\d][\w'-]*"
_SINGLE_WORDS = re.compile(rf"\s*{_WORD}(?:\s*[,;]\s*{_WORD}){{2,}}\s*|\s*{_WORD}[,;]\s+{_WORD}\s*")
_SUSPECT, _TAB = re.compile("[\t;,、،\uff1b]"), re.compile(r"\S[^\S\n]*\t\s*\S")
# The marks of Arabic, Chinese and Japanese that stand for these.
_MARKS = str.maketrans({"、": ",", "،": ",", "\uff1b": ";"})


def separator(listed: Listed) -> Iterator[Problem]:
    """The entry holds a separator, so it is several entries in one.

    The columns of a spreadsheet are separated with tabs or semicolons. Save one column as CSV
    UTF-8, and put each entry in its own line. A comma or a semicolon with a space after it is
    reported between single words (`spam, scam`), and in all entries if half of them hold one.
    """
    columns = has_columns(listed)
    # In patterns and sentences, the other marks are ordinary.
    only_tabs = not columns and listed.category != "word"
    # If half of the entries hold commas or semicolons, these separate entries.
    holding = 0 if only_tabs else sum(1 for _ in listed.matching(_BETWEEN))
    many = 2 * holding >= len(listed.entries)
    for index, entry, _ in listed.matching(_TAB if only_tabs else _SUSPECT):
        if _TAB.search(entry):
            mark: str | None = "a tab, which begins a column: name one with --column, or"
        else:
            mark = "a semicolon, like every entry;" if columns else _separator_in(entry, many=many)
        if mark is not None:
            yield index, f"holds {mark} put each entry in its own line"


def without_separators(entry: str) -> list[str]:
    """The entries that commas, semicolons and line breaks separate. A tab separates the columns
    of a table."""
    return (
        [entry]
        if "\t" in entry
        else re.split(r"\s*(?:[,;\n\r\v\f\x85\u2028\u2029]\s*)+", entry.translate(_MARKS))
    )


def has_columns(listed: Listed) -> bool:
    """Whether each of at least three entries has the same number of semicolons: these are
    columns."""
    if len(listed.entries) < 3 or ";" not in listed.entries[0] or listed.category == "pattern":
        return False
    counts = {entry.count(";") for entry in listed.entries}
    return len(counts) == 1 and 0 not in counts


def _separator_in(original: str, *, many: bool) -> str | None:
    entry = original.translate(_MARKS)
    text = _GREEK_QUESTION.sub("", _ENTITY.sub("", entry))
    several = _SINGLE_WORDS.fullmatch(text) or (many and _BETWEEN.search(text))
    if ";" in text and (several or _SEMICOLONS.search(text)):
        return "a semicolon between words;"
    return (
        "a comma between words;"
        if "," in entry and (several or _TIGHT_COMMA.search(original))
        else None
    )


_JOINED = re.compile(r"[^\W\d_]{2}(?: [/|&#]|[,;]) [^\W\d_]{2}|(?<!\S)\S++(?: \S++){4}")
_SPEAKER = re.compile(
    r"^(?:\W?\d\d?:\d\d\b.* \S|<[\w .-]+> \S|[^\W\d][\w.-]*(?: [\w.-]+)?: \S)", re.MULTILINE
)


def joined_words(listed: Listed) -> Iterator[Problem]:
    """The entry has a mark such as `/`, `|` or `,` between words, or five words, so it may be
    several entries.

    Put each entry in its own line. Several lines of a chat, which begin with a name or a time, are
    reported as well.
    """
    found = [{index for index, _, _ in listed.matching(regex)} for regex in (_JOINED, _SPEAKER)]
    chat = found[1] if len(found[1]) > 1 else set()
    separated = {index for index, _ in separator(listed)}
    for index in sorted((found[0] | chat) - separated) if listed.category == "word" else ():
        yield index, "may be several entries: put each entry in its own line"


_SUFFIX = re.compile(r"\.(?:txt|csv|tsv|json|xlsx?|ods|docx?)(?!\S)", re.IGNORECASE)


def file_name(listed: Listed) -> Iterator[Problem]:
    """The entry is the name of a file, such as words.txt.

    Perhaps the entries in this file are meant: `keywords add LIST --from words.txt` adds them.
    """
    for index, entry, match in listed.matching(_SUFFIX) if listed.category == "word" else ():
        if len(entry.split()) == 1 and match.end() == len(entry.rstrip()):
            yield index, "is the name of a file; --from adds the entries in it"


# The breaks at which the wire format or a spreadsheet would end a line.
_BREAK = re.compile("[\n\r\v\f\x85\u2028\u2029]")


def line_break(listed: Listed) -> Iterator[Problem]:
    """The entry holds a line break.

    A cell with two lines is one entry, and no message holds it. Put each line in its own row.
    Sentences are not reported.
    """
    for index, entry in enumerate(
        () if listed.category == "sentence-similarity" else listed.entries
    ):
        if _BREAK.search(entry):
            yield index, "holds a line break; put each line in its own row"
