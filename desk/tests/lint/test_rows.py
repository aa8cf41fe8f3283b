"""Rows that are not entries: headers, comments, several entries in one row."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from .judged import reported, rules_for, rules_for_first


def test_title_in_the_first_row() -> None:
    """A title in the first row is reported, in many languages; the same word elsewhere or alone is not."""
    for title in (
        "term", "Keyword", "Schlüsselwort", "sep=;", "search terms", "Ord", "Palabras_es", "Term (EN)", "Wort/Phrase",
        "Unnamed: 0", "Column A", "Spalte1", "Λέξεις", "Ключевое слово", "NGワード", "违禁词", "금지어", "Từ khóa",
        "الكلمات المحظورة", "מילים אסורות", "คำต้องห้าม", "निषिद्ध शब्द", "Profanity", "Gros mots", "Schimpfwörter",
    ):  # fmt: skip
        assert "header-row" in rules_for_first(title), title
    for entry in ("his/her", "Free coins", "fields", "you have no words for the many things that i am"):
        assert "header-row" not in rules_for_first(entry), entry
    assert reported("header-row", ["zzz", "keyword"]) == reported("header-row", ["Schlagwort"]) == []


@pytest.mark.parametrize("entry", ["# comment", "=== Insults ===", "<<<<<<< HEAD", "<!-- old -->"])
def test_comments(entry: str) -> None:
    """Comments and titles between lines are reported."""
    assert "comment" in rules_for(entry)


def test_signs_that_are_no_comments() -> None:
    """A hashtag, the name of a language and a pattern with a mark are no comments."""
    for entry in ("#spam", "#metoo", "C#", "what;is", "http://a.example"):
        assert "comment" not in rules_for(entry), entry
    assert "comment" not in rules_for("- x", "pattern")


def test_marks_of_a_document() -> None:
    """Bullets, and marks or numbers in several entries, are reported."""
    for entries in (
        ["zzz", "• junk"],
        ["zzz", "\uf0b7 junk"],
        ["zzz", "\u2043junk"],
        ["1. spam", "2. free coins", "3. zzz"],
        ["- spam", "- zzz"],
        ["> spam", "> scam", "> junk"],
    ):
        assert reported("list-item", entries) == [entry for entry in entries if entry != "zzz"] or entries[2:] == [
            "3. zzz"
        ], entries


def test_marks_of_single_entries() -> None:
    """One mark, and numbers in another order, belong to the entries."""
    for entries in (
        ["zzz", "xyz", "1. junk"],
        ["1 spam", "2 scam", "3 junk"],
        ["1st spam", "2nd scam", "3rd junk"],
        ["U. S.", "zzz"],
    ):
        assert reported("list-item", entries) == [], entries
    assert "list-item" not in rules_for("1. x", "pattern")


@pytest.mark.parametrize(
    "entry",
    [
        "spam;scam", "spam;", "spam; scam; junk", "well; no", "spam\tscam", "spam,scam,junk", "spam, scam", "junk,",
        "free ,coins",
        "spam|scam", "| spam | high |", "スパム、詐欺、広告", "بريد، احتيال، إعلان", "垃圾；诈骗",
    ],
)  # fmt: skip
def test_separators(entry: str) -> None:
    """Several entries in one are reported, with each separator."""
    assert "separator" in rules_for(entry)


@pytest.mark.parametrize(
    "entry",
    [
        "buy now, pay later", "10,000", "τι κάνεις;", "لعنة الله عليك،", "加微信，领红包", "你好,傻瓜", "rock&roll;",
        ";-)", "and/or", "free coins; click here",
    ],
)  # fmt: skip
def test_marks_in_one_entry(entry: str) -> None:
    """A comma or a semicolon in one phrase, and in other scripts, separates nothing."""
    assert "separator" not in rules_for(entry)


def test_separators_of_a_whole_list() -> None:
    """Commas in half of the entries, and the same number of semicolons in all entries, separate entries."""
    assert reported("separator", ["spam, free coins", "junk, old zzz", "xyz"]) == ["spam, free coins", "junk, old zzz"]
    rows = ["a b;x y", "c d;x y", "e f;x y"]
    assert reported("separator", rows) == reported("separator", rows, "sentence-similarity") == rows
    assert reported("separator", rows, "pattern") == []


def test_line_breaks() -> None:
    """A word or a pattern with a line break is reported; a sentence is not."""
    assert "line-break" in rules_for("spam\nscam") & rules_for("spam\nscam", "pattern")
    assert "line-break" not in rules_for("You are.\nGo.", "sentence-similarity")


@pytest.mark.parametrize("entry", ["words.txt", "~/words.CSV", "@list.xlsx", "file:a.json "])
def test_names_of_files(entry: str) -> None:
    """The name of a file is doubtful; an address, a program and a sentence are not names of lists."""
    assert "file-name" in rules_for(entry)
    for other in ("example.com", "setup.exe", "see words.txt", "a.txt.example"):
        assert "file-name" not in rules_for(other), other
