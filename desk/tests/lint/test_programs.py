"""Texts that programs write: quotes and escapes."""

# ruff: noqa: RUF001 - the tables hold signs of many scripts

import pytest

from .judged import reported, rules_for


@pytest.mark.parametrize(
    "entry",
    [
        '"junk"',
        '"junk",',
        "'junk',",
        "'junk'",
        "“junk”",
        "„junk“",
        '"junk',
        "“junk",
        "junk”,",
        "„junk",
        "junk»",
        "「バカ",
    ],
)
def test_quotes_around_a_word(entry: str) -> None:
    """A word with quotes around it or at one end is reported, with the quotes of each language."""
    assert "quotes" in rules_for(entry)


def test_quotes_in_the_text() -> None:
    """Quotes inside a word, inches, patterns, and a few quoted sentences are not reported; a quoted document is."""
    for entry in ('24"', "24”", "you “clown” you", "’tis", "rock'n'roll", "it's", "zzz's"):
        assert "quotes" not in rules_for(entry), entry
    assert "quotes" not in rules_for('"spam"', "pattern")
    sentences = ["“You are dead.”", "“Go away.”", "“Pay now.”"]
    assert reported("quotes", sentences, "sentence-similarity") == sentences
    assert reported("quotes", [*sentences[:2], "Go.", "Pay."], "sentence-similarity") == []


@pytest.mark.parametrize(
    "entry",
    [
        "&uuml;ber", "\\u00fcber", "t%C3%A9", "free%20coins", "<b>free</b>", "<word>junk</word>", "%u0444",
    ],
)  # fmt: skip
def test_escapes(entry: str) -> None:
    """An escape in place of a character is reported, once for each entry."""
    assert "escaped-text" in rules_for(entry)
    assert reported("escaped-text", [entry + entry]) == [entry + entry]


def test_signs_that_are_no_escapes() -> None:
    """Addresses keep their escapes, patterns their syntax, and texts their signs."""
    for entry in ("http://a.example/%C3%A9", "rock&roll;", "100%25", "AT&T", "</3", "50 %"):
        assert "escaped-text" not in rules_for(entry), entry
    assert "escaped-text" not in rules_for(r"\u00e9", "pattern")
    assert "escaped-text" in rules_for("&amp;", "pattern")
