"""The length of entries, and entries that occur twice."""

from cometchat_desk.lint import lint_entries

from .judged import reported, reported_alone


def test_entries_without_letters() -> None:
    """An entry that is only a sign or a wildcard is reported as an error."""
    signs = ["*", ".", "---", ".*", "|---|:-:|", "];"]
    others = [":-)", "C++", "(笑)", "$$$", "()", ":]"]
    assert reported_alone("only-signs", [*signs, *others]) == signs


def test_one_letter() -> None:
    """One letter is a warning; words of one character and emoji are not reported."""
    letters = ["x", "ß", " y"]
    assert (
        reported("one-letter", ["zzz", *letters, "死", "단", "🙏", "1️⃣", "a" + "\u0301" * 9])
        == letters
    )


def test_long_entries() -> None:
    """Words and patterns that are longer than the vendor's pages allow are reported; sentences
    may be longer."""
    entries = ["x" * 100, "x" * 101]
    assert reported_alone("too-long", entries, "word") == entries[1:]
    assert reported_alone("too-long", entries, "pattern") == entries[1:]
    assert reported_alone("too-long", entries, "sentence-similarity") == []


def test_duplicates() -> None:
    """An entry that occurs again is reported, and one that differs in capitals is not."""
    findings = lint_entries(["Spam", "zzz", "Spam", "SPAM"])
    assert [(one.index, one.rule) for one in findings] == [(2, "duplicate")]
    assert lint_entries(["Spam", "SPAM"], category="pattern") == ()


def test_duplicates_are_compared_completely() -> None:
    """Long sentences that differ only at their end are different."""
    sentences = ["You are " + "very " * 200 + end for end in ("bad.", "good.")]
    assert lint_entries(sentences, category="sentence-similarity") == ()
