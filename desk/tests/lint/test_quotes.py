"""Quotes around entries."""

# ruff: noqa: RUF001 - the tables hold signs of many scripts

from .judged import reported_alone


def test_quotes_around_a_word() -> None:
    """A word with quotes around it or at one end is reported, with the quotes of each language."""
    quoted = """ "junk" "junk", 'junk', 'junk' “junk” „junk“ "junk “junk junk”, „junk junk» 「バカ """.split()  # noqa: SIM905
    correct = ['24"', "24”", "you “clown” you", "’tis", "rock'n'roll", "it's", "zzz's"]
    assert reported_alone("quotes", quoted + correct) == quoted
    assert reported_alone("quotes", ['"spam"'], "pattern") == []
    assert reported_alone("quotes", ["“You are dead.”"], "sentence-similarity") == []
