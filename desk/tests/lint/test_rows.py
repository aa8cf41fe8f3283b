"""Rows that are not entries: headers, comments, several entries in one row."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from .judged import reported, reported_alone, rules_for

TITLES = [
    "term", "Keyword", "Schlüsselwort", "sep=;", "search terms", "Palabras_es", "Term (EN)", "Wort/Phrase",
    "Unnamed: 0", "Column A", "Spalte1", "Ключевое слово", "违禁词", "금지어", "كلمات", "Gros mots", "Schimpfwörter",
]  # fmt: skip


def test_title_in_the_first_row() -> None:
    """A title in the first row is reported, in many languages; the same word elsewhere or alone
    is not."""
    words = ["his/her", "Free coins", "fields", "you have no words for the many things that i am"]
    assert [
        first for first in TITLES + words if reported("header-row", [first, "zzz"]) == [first]
    ] == TITLES
    for heading in ("# our words", "New words of Tuesday:"):
        assert reported("header-row", [heading, "zzz"]) == [heading]
        assert reported("header-row", ["zzz", heading]) == reported("header-row", [heading]) == []
    assert (
        reported("header-row", ["zzz", "keyword"]) == reported("header-row", ["Schlagwort"]) == []
    )


@pytest.mark.parametrize(
    ("entries", "marked"),
    [
        (["zzz", "• junk"], ["• junk"]),
        (["zzz", "\uf0b7 junk"], ["\uf0b7 junk"]),
        (["zzz", "\u2043junk"], ["\u2043junk"]),
        (["1. spam", "2. free coins", "3. zzz"], ["1. spam", "2. free coins", "3. zzz"]),
        (["- spam", "- zzz", "#5 junk"], ["- spam", "- zzz", "#5 junk"]),
        (["> spam", "> scam", "> junk"], ["> spam", "> scam", "> junk"]),
        (["zzz", "xyz", "1. junk"], []),
        (["1 spam", "2 scam", "3 junk"], []),
        (["1st spam", "2nd scam", "3rd junk"], []),
        (["U. S.", "zzz"], []),
    ],
)
def test_marks_of_a_document(entries: list[str], marked: list[str]) -> None:
    """Bullets, and marks or numbers in several entries, are reported; one mark and other numbers
    are not."""
    assert reported("list-item", entries) == marked
    assert reported_alone("list-item", ["1. x"], "pattern") == []


def test_separators() -> None:
    """Several entries in one are reported, in any language; a comma or a semicolon in one phrase
    is correct."""
    several = [
        "spam;scam", "spam;", "spam; scam; junk", "well; no", "spam\tscam", "spam,scam,junk", "spam, scam", "junk,",
        "free ,coins",
        "スパム、詐欺、広告", "بريد، احتيال، إعلان", "垃圾；诈骗",
    ]  # fmt: skip
    phrases = [
        "buy now, pay later", "10,000", "τι κάνεις;", "لعنة الله عليك،", "加微信，领红包", "你好,傻瓜", "rock&roll;",
        ";-)", "and/or", "free coins; click here",
    ]  # fmt: skip
    assert reported_alone("separator", several + phrases) == several


def test_separators_of_a_whole_list() -> None:
    """Commas or semicolons in half of the entries, and equally many semicolons in all, separate
    entries."""
    for entries in (
        ["spam, free coins", "junk, old zzz", "xyz"],
        ["spam; free coins", "fake id; fake visa", "xyz"],
    ):
        assert reported("separator", entries) == entries[:2]
    rows = ["a b;x y", "c d;x y", "e f;x y"]
    assert reported("separator", rows) == reported("separator", rows, "sentence-similarity") == rows
    assert (
        reported("separator", rows, "pattern")
        == reported("separator", ["zzz", "cash flip\t"])
        == []
    )


def test_line_breaks() -> None:
    """A word or a pattern with a line break is reported; a sentence is not."""
    assert "line-break" in rules_for("spam\nscam") & rules_for("spam\nscam", "pattern")
    assert "line-break" not in rules_for("You are.\nGo.", "sentence-similarity")


def test_words_with_a_mark_between_them() -> None:
    """A mark with spaces between two words is doubtful, and so are five words; one without
    spaces is not."""
    entries = ["mule account / drop account", "wire | cash", "rape & kill", "fake pay, fake ship"]
    assert (
        reported_alone(
            "joined-words", [*entries, "AT&T", "R & B", "24 / 7", "he/she", "spam - scam"]
        )
        == entries
    )
    assert reported("joined-words", ["cash | wire"], "pattern") == []
    for chat in (
        ["Anna: hi", "Bo K.: no"],
        ["10:02 Anna: hi", "[10:03] Bo: no"],
        ["<Anna> hi", "<Bo> no"],
    ):
        assert (reported("joined-words", ["zzz", *chat]), reported("joined-words", chat[:1])) == (
            chat,
            [],
        )
    assert (
        reported(
            "joined-words", ["re: x", "spam.example", "http://spam.example", "10:02", "24:7", "a:b"]
        )
        == []
    )
    assert reported("joined-words", ["2 girls 1 cup", "free money now today only"]) == [
        "free money now today only"
    ]


def test_names_of_files() -> None:
    """The name of a file is doubtful; an address, a program and a sentence are not names of
    lists."""
    names = ["words.txt", "~/words.CSV", "@list.xlsx", "file:a.json "]
    assert (
        reported_alone(
            "file-name", [*names, "example.com", "setup.exe", "see words.txt", "a.txt.example"]
        )
        == names
    )
