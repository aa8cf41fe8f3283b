"""Several entries in one line or one cell."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

from .judged import reported, reported_alone, rules_for

ONE_COMMA = [
    "spam, scam", "spam,scam", "free ,coins", "buy now, pay later", "first come, first served", "in 2020, we",
    "one thing, another thing, a third thing", '"spam","scam"', "菠菜，卷心菜", "加微信，领红包", "スパム、詐欺", "بريد، احتيال",
]  # fmt: skip
SEVERAL = [
    "spam;scam", "spam;", "spam; scam; junk", "spam\tscam", "spam,scam,junk", "spam, scam, junk,", "junk,",
    "free coins,fake id,junk", "スパム、詐欺、広告", "بريد، احتيال، إعلان", "垃圾；诈骗；广告",
    "爱液,", "ควาย,", "चूतिया,", "씨발,", "1488,", "🖕,", "*giveaway*, cash*, phishing", "spam, scam, junk, cash prize",
    '"and", "the", "of"',
]  # fmt: skip
CORRECT = [
    "10,000",
    "τι κάνεις;",
    "لعنة الله عليك،",
    "加微信，",
    "rock&roll;",
    ";-)",
    "and/or",
]


def test_separators() -> None:
    """Three or more words in one entry, and marks at its end, are errors in any language; one
    comma is not."""
    assert reported_alone("separator", [*SEVERAL, *CORRECT, *ONE_COMMA]) == SEVERAL


def test_commas() -> None:
    """A comma of any language between words is a warning, whatever the other entries are: it may
    belong to a phrase."""
    assert reported_alone("comma", [*SEVERAL, *CORRECT, *ONE_COMMA]) == ONE_COMMA
    assert reported("comma", ONE_COMMA) == ONE_COMMA
    assert reported("separator", ONE_COMMA) == []
    assert reported_alone("comma", ONE_COMMA, "pattern") == []
    assert reported_alone("comma", ONE_COMMA, "sentence-similarity") == []


def test_a_long_row() -> None:
    """A line with many words and one phrase takes no longer than others."""
    row = f"{', '.join(['followers'] * 40)}, cash prize"
    assert reported("separator", [row, f"{row[:-6]}!"]) == [row, f"{row[:-6]}!"]


def test_columns() -> None:
    """Semicolons between the words of all entries separate columns; in sentences and patterns,
    they are ordinary."""
    rows = ["a b;x y", "c d;x y", "e f;x y"]
    assert reported("separator", rows) == rows
    assert reported("separator", rows, "sentence-similarity") == []
    assert reported("separator", rows, "pattern") == []
    assert reported("separator", ["zzz", "cash flip\t"]) == []


def test_line_breaks() -> None:
    """A word or a pattern with a line break is reported; a sentence is not."""
    assert "line-break" in rules_for("spam\nscam") & rules_for("spam\nscam", "pattern")
    assert "line-break" not in rules_for("You are.\nGo.", "sentence-similarity")
