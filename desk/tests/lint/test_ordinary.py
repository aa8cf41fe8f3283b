"""The most ordinary words of languages."""

from cometchat_desk.lint import lint_entries

from .judged import reported_alone


def test_ordinary_words() -> None:
    """A very ordinary word of a language is a warning that names the language; other words, and
    phrases with it, are not."""
    ordinary = ["the", "The", " you ", "так", "और", "的", "それ", "그리고"]
    others = ["kale", "the kale", "theme", "spam", "салат", "沙拉"]
    assert reported_alone("ordinary-word", [*ordinary, *others]) == ordinary
    assert reported_alone("ordinary-word", ["the"], "pattern") == []
    (finding,) = lint_entries(["nicht"])
    assert (finding.severity, "very ordinary word in German" in finding.message) == (
        "warning",
        True,
    )
