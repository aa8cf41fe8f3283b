"""Lines that are not entries: titles, comments and headings."""

import pytest

from .judged import reported, reported_alone

TITLES = [
    "term", "Keyword", "Schlüsselwort", "search terms", "Search-Terms",
    "Ключевое слово", "违禁词", "금지어", "كلمات", "Gros mots", "Schimpfwörter",
]  # fmt: skip


def test_title_in_the_first_row() -> None:
    """A title in the first row is reported, in many languages; the same word elsewhere or alone
    is not."""
    words = ["his/her", "Free coins", "fields", "you have no words for the many things that i am"]
    for first in TITLES:
        assert reported("header-row", [first, "zzz"]) == [first]
    for first in words:
        assert reported("header-row", [first, "zzz"]) == []
    assert reported("header-row", ["zzz", "keyword"]) == []
    assert reported("header-row", ["Schlagwort"]) == []


def test_title_that_is_repeated() -> None:
    """Each repetition of a title is reported, as in a file that was made of several pages."""
    assert reported("header-row", ["Word", "zzz", "Word", "word"]) == ["Word", "Word"]


@pytest.mark.parametrize("category", ["word", "pattern", "sentence-similarity"])
def test_comments(category: str) -> None:
    """A comment or a heading between lines is reported at each place, in all categories."""
    comments = [
        "# Vegetables", "## Roots", "  # indented", "// old ones", "=== Spices ===", "==Spices==", "--- Spices ---",
        "/* old */", "<!-- old -->",
    ]  # fmt: skip
    entries = ["#metoo", "C# code", "http://a.example", "a == b", "-spam-", "--spam--", "==", "##"]
    assert reported("comment", ["zzz", *comments, *entries], category) == comments


def test_headings() -> None:
    """What is perhaps a heading is a warning at each place; sentences and patterns are not
    reported."""
    headings = [
        "; disabled: leek",
        "! Title: salads",
        "[Cabbages]",
        "Leafy greens:",
        ": greens [x]",
        "#!! NOTE: old",
        "#version=[2]",
        "#Old words",
    ]
    entries = [";-)", "!", ":)", "[x]", "a:b", "re: x", "hey!", "(sic)", "10:"]
    assert reported("heading", ["zzz", *headings, *entries]) == headings
    assert reported_alone("heading", headings, "pattern") == []
    assert reported_alone("heading", headings, "sentence-similarity") == []
