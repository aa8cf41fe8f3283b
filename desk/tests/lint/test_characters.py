"""Characters that cannot be seen, or that look like others."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lint import lint_entries

from .judged import reported, reported_alone, rules_for

JOINED = [
    "\u1100\u1160", "\u115f\u1161", "می\u200cخواهم", "خانه\u200c", "क्\u200dष", "शक्\u200cति", "അവന്\u200d", "👩🏽\u200d🚀", "🏳️\u200d🌈", "❤️\u200d🔥", "1️⃣", "☺️",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "ភាសា\u200bខ្មែរ", "ᠮᠣᠩᠭᠣᠯ\u180b", "ไทย\u200bspam",
]  # fmt: skip


def test_invisible_characters() -> None:
    """A character that cannot be seen is reported, except where it joins letters, syllables or
    emoji."""
    damaged = [
        "s\u200bpam",
        "sp\u200dam",
        "Donau\u00addampf",
        "\ufeffspam1",
        "junk\ufe0f",
        "junk\u00a0\ufe0f",
        "ju\u115fnk",
        "s\u200b\u200dpam",
        "ไทย\u200b",
        "\ufeffไทย",
        "спа\u200dм",
    ]
    assert reported_alone("invisible-character", damaged + JOINED) == damaged


def test_invisible_characters_of_patterns() -> None:
    """A pattern may list invisible characters in brackets; elsewhere they are damage."""
    assert "invisible-character" in rules_for("s\u200bpam", "pattern")
    assert "invisible-character" not in rules_for("s[\u200b.]?pam", "pattern")


def test_message_shows_the_place() -> None:
    """A message shows letters as they are, and a code in place of a character that cannot be
    seen."""
    (message,) = (
        one.message for one in lint_entries(["Grü\u200bn"]) if one.rule == "invisible-character"
    )
    assert message == "'Grü\\u200bn' holds U+200B ZERO WIDTH SPACE, which cannot be seen"


def test_text_direction() -> None:
    """Characters that change the direction are damage, except marks inside of text from right to
    left."""
    damaged = ["sp\u202eam", "\u202eשלום", "كلب\u200f", "\u200fكلب "]
    assert reported("text-direction", ["zzz", "של\u200fום", *damaged]) == damaged


def test_letters_that_look_like_others() -> None:
    """A word with letters of two scripts, or with full-width letters, is doubtful; a word of one
    script is not."""
    mixed, full_width = ["fu\u0441k", "раypal", "Ηello world"], ["ｆｕｃｋ", "spam１"]
    words = ["сука", "Hello Привет", "γαμώτο", "X-лучи", "μTorrent", "バカ", "c1с"]
    assert reported_alone("mixed-scripts", mixed + words) == mixed
    assert reported_alone("normalization", full_width + words) == full_width
    assert reported_alone("mixed-scripts", ["[cс]"], "pattern") == []


def test_curly_apostrophes() -> None:
    """A word with a curly apostrophe stops an update, because a typed apostrophe never matches
    it."""
    words = [
        "don’t",
        "’tis",
        "nothin’",
        "rock ’n’ roll",
        "c´est",
        "l’eau",
        "don\u02bct",
        "don\uff07t",
        "don`t",
    ]
    found = [one for one in lint_entries(["zzz", *words]) if one.rule == "curly-apostrophe"]
    assert [(one.entry, one.severity, "U+" in one.message) for one in found] == [
        (each, "error", True) for each in words
    ]


def test_apostrophes_that_are_meant() -> None:
    """A word that is listed with both apostrophes is meant so; sentences are compared by their
    meaning."""
    assert reported("curly-apostrophe", ["don’t", "don't", "can’t"]) == ["can’t"]
    assert reported("curly-apostrophe", ["Don’t you dare."], "sentence-similarity") == []
    assert reported("curly-apostrophe", ["don['’]t"], "pattern") == []


def test_normal_forms() -> None:
    """Separate accents and ligatures are reported."""
    assert reported("normalization", ["zzz", "cafe\u0301", "\ufb01nance"]) == [
        "cafe\u0301",
        "\ufb01nance",
    ]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (" junk", "begins with a space"),
        ("  padded ", "begins and ends with a space"),
        ("junk    high", "holds two spaces in a row"),
        ("free\u00a0coins", "holds U+00A0 NO-BREAK SPACE"),
        ("free\u3000coins", "holds U+3000 IDEOGRAPHIC SPACE"),
    ],
)
def test_spaces(entry: str, message: str) -> None:
    """A padded word and unusual spaces stop an update; the message names the space."""
    (finding,) = (one for one in lint_entries(["zzz", entry]) if one.rule == "spaces")
    assert finding.severity == "error"
    assert message in finding.message


def test_spaces_of_languages_and_patterns() -> None:
    """The spaces of French punctuation and of Japanese are correct, and so are spaces inside a
    pattern."""
    assert reported_alone("spaces", ["c'est quoi\u202f!", "cent\u00a0%", "お金\u3000欲しい"]) == []
    assert "spaces" not in rules_for("a  b", "pattern")
