"""Damaged encodings."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lint import lint_entries

from .judged import reported, reported_alone, rules_for


@pytest.mark.parametrize(("entry", "text"), [("GrÃ¼ÃŸe", "Grüße"), ("РїСЂРёРІРµС‚", "привет")])
def test_wrong_encoding(entry: str, text: str) -> None:
    """A text that was read in a wrong encoding is reported with the text that it was."""
    (finding,) = (one for one in lint_entries(["zzz", entry]) if one.rule == "mis-decoded")
    assert finding.message.endswith(f"the text is probably '{text}'")


def test_letters_with_accents() -> None:
    """Cries, loud words and the letters of a class are correct."""
    assert (
        reported_alone(
            "mis-decoded", ["Öööh", "ÄÄÄH", "créée", "jäääär", "SÃO PAULO", "MAÇÃ", "m²"]
        )
        == []
    )
    assert "mis-decoded" not in rules_for("sp[àáâã]m", "pattern")


def test_replaced_characters() -> None:
    """U+FFFD and entries of question marks only are reported; question marks in words, sentences
    and patterns are correct."""
    assert "lost-characters" in rules_for("Schei\ufffde")
    assert reported("lost-characters", ["zzz", "??", "?? ??"]) == ["??", "?? ??"]
    words = ["?", "f?ck", "M?ller", "caf?", "wtf?!", "b??ch"]
    assert reported("lost-characters", words) == []
    assert reported("lost-characters", ["really?no", "hm?then"], "sentence-similarity") == []
    assert reported("lost-characters", ["colou?r", "a?b"], "pattern") == []


def test_control_characters() -> None:
    """Control characters are reported, and the message shows an escape."""
    (finding,) = lint_entries(["zzz", "\x1b[31m"])
    assert (finding.rule, finding.message) == (
        "control-character",
        "'\\u001b[31m' holds the control character U+001B",
    )
