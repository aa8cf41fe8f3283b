"""Everyday words."""

import pytest

from cometchat_desk.lint import LintSettings, lint_entries
from cometchat_rest import InvalidRequestError

from .judged import reported, rules_for


def test_everyday_words() -> None:
    """Everyday words are reported in lists of words and patterns, in any case; other words are not."""
    assert reported("everyday-word", ["class", "zzz", "The", "idiot"]) == ["class", "The"]
    assert reported("everyday-word", [r"\bthe\b", "the", "t(?:he|his)"], "pattern") == ["the"]
    assert "everyday-word" not in rules_for("today", "sentence-similarity")


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("de", "heute"), ("en", "today"), ("es", "hoy"), ("fr", "aujourd'hui"), ("it", "oggi"), ("nl", "vandaag"),
        ("pl", "dzisiaj"), ("pt", "hoje"), ("tr", "bugün"),
    ],
)  # fmt: skip
def test_languages(language: str, word: str) -> None:
    """The settings name the languages of the users; the message names the language."""
    (finding,) = lint_entries([word, "zzz"], settings=LintSettings(languages=(language,)))
    assert finding.message == f"'{word}' is an everyday word of the language {language}"


def test_unknown_language() -> None:
    """A language without words is refused, and the message names those with words."""
    with pytest.raises(InvalidRequestError, match=r"'xx' is not a language with words; the languages are: de, en, es"):
        lint_entries(["zzz"], settings=LintSettings(languages=("xx",)))
