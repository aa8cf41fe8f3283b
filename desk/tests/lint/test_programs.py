"""Texts that programs write: quotes and escapes."""

# ruff: noqa: RUF001 - the tables hold signs of many scripts

from .judged import reported, reported_alone


def test_quotes_around_a_word() -> None:
    """A word with quotes around it or at one end is reported, with the quotes of each language."""
    quoted = """ "junk" "junk", 'junk', 'junk' “junk” „junk“ "junk “junk junk”, „junk junk» 「バカ """.split()  # noqa: SIM905
    correct = ['24"', "24”", "you “clown” you", "’tis", "rock'n'roll", "it's", "zzz's"]
    assert reported_alone("quotes", quoted + correct) == quoted
    assert reported_alone("quotes", ['"spam"'], "pattern") == []


def test_quoted_sentences() -> None:
    """A few quoted sentences are not reported; a quoted document is."""
    sentences = ["“You are dead.”", "“Go away.”", "“Pay now.”"]
    assert reported("quotes", sentences, "sentence-similarity") == sentences
    assert reported("quotes", [*sentences[:2], "Go.", "Pay."], "sentence-similarity") == []


def test_escapes() -> None:
    """An escape in place of a character is reported once; addresses keep their escapes, and texts their signs."""
    escaped = ["&uuml;ber", "\\u00fcber", "t%C3%A9", "free%20coins", "<b>free</b>", "<word>junk</word>", "%u0444"]
    correct = ["http://a.example/%C3%A9", "rock&roll;", "100%25", "AT&T", "</3", "50 %"]
    assert reported_alone("escaped-text", escaped + correct) == escaped
    assert reported("escaped-text", [entry * 2 for entry in escaped]) == [entry * 2 for entry in escaped]
    assert reported_alone("escaped-text", [r"\u00e9", "&amp;"], "pattern") == ["&amp;"]
