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
        ("word", ["Term", "spam", " 'spam' ", "Term"], ["spam"]),
        ("word", ["GrÃ¼ÃŸe", '"unpaired!', "a\tb"], ["GrÃ¼ÃŸe", '"unpaired!', "a\tb"]),
        (
            "word",
            ["x1, x2; x3,", "y1; y2; y3", "junk,"],
            ["x1", "x2", "x3", "y1", "y2", "y3", "junk"],
        ),
        ("word", ["ready, steady, go", "kale", "junk,"], ["ready, steady, go", "kale", "junk"]),
        ("word", ["kale, beet, leek, green cabbage"], ["kale", "beet", "leek", "green cabbage"]),
        ("word", ["春、夏;秋 冬", "kale"], ["春、夏;秋 冬", "kale"]),
        ("word", ["3. Liga", "• kale", "leek"], ["3. Liga", "kale", "leek"]),
        ("word", ["3. Liga", "2. Liga", "1. FC", "kale"], ["3. Liga", "2. Liga", "1. FC", "kale"]),
        ("word", ["1. a1", "2. b1", "3. Liga", *"xyzuv"], ["1. a1", "2. b1", "3. Liga", *"xyzuv"]),
        ("word", ["spam;bad", "scam;bad", "junk;bad"], ["spam;bad", "scam;bad", "junk;bad"]),
        ("word", ["the,kale", "of, beet", "kale;2"], ["the,kale", "of, beet", "kale;2"]),
        ("word", ["# roots", "zzz", "// old", "[a b]", "Old:"], ["zzz", "[a b]", "Old:"]),
        ("word", ["*kale*", "kale|3"], ["*kale*", "kale|3"]),
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
    """Certain damage is repaired, also behind other damage; spaces inside a pattern, one comma,
    the syntax of other tools and doubtful entries stay."""
    assert [entry for _, entry in clean(before, category, LintSettings(), is_text=True)[0]] == after


def test_cells_are_not_split() -> None:
    """A cell of a table stays one entry, whatever it holds; only a comma at its end goes."""
    cells = ["a1, b1, c1", "d1; e1; f1", "two\nlines"]
    kept, changes = clean([*cells, "junk,", " x1"], "word", LintSettings(), is_text=False)
    assert [entry for _, entry in kept] == [*cells, "junk", "x1"]
    assert [change.before for change in changes] == ["junk,", " x1"]


def test_changes() -> None:
    """Each change has the place of its entry, and the rules that found the damage."""
    assert clean(["x1", " 'x1'"], "word", LintSettings(), is_text=True)[1] == [
        Change(1, " 'x1'", (), ("quotes", "duplicate"))
    ]
