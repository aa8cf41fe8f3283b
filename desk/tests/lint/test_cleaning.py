"""Repairs of entries."""

import pytest

from cometchat_desk.lint import LintSettings
from cometchat_desk.lint.cleaning import Change, clean


@pytest.mark.parametrize(
    ("category", "before", "after"),
    [
        (
            "word",
            [" a  b ", "\u201cspam\u201d", "ze\u200bro", "cafe\u0301"],
            ["a b", "spam", "zero", "caf\u00e9"],
        ),
        ("word", ["Term", "spam", " 'spam' "], ["spam"]),
        ("word", ["GrÃ¼ÃŸe", '"unpaired!', "a\tb"], ["GrÃ¼ÃŸe", '"unpaired!', "a\tb"]),
        ("word", ["x1, x2; x3,", "two\nlines", "x1"], ["x1", "x2", "x3", "two", "lines"]),
        ("word", ["spam;bad", "scam;bad", "junk;bad"], ["spam;bad", "scam;bad", "junk;bad"]),
        (
            "word",
            ["\u2022 spam", "1. one", "2. two", "3) three", "\uff46x"],
            ["spam", "one", "two", "three", "fx"],
        ),
        ("sentence-similarity", ["Go, now", "\u2022 no"], ["Go, now", "no"]),
        ("pattern", ["a  b{1,3}", '"q"', "c{1,2} "], ["a  b{1,3}", '"q"', "c{1,2}"]),
    ],
)
def test_repairs(category: str, before: list[str], after: list[str]) -> None:
    """Certain damage is repaired, also behind other damage; spaces inside a pattern, and
    doubtful entries, stay."""
    assert [entry for _, entry in clean(before, category, LintSettings())[0]] == after


def test_changes() -> None:
    """Each change has the place of its entry, and the rules that found the damage."""
    assert clean(["x1", " 'x1'"], "word", LintSettings())[1] == [
        Change(1, " 'x1'", (), ("quotes", "duplicate"))
    ]
