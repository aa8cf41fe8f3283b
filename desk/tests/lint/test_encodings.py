"""Damaged encodings."""

# ruff: noqa: RUF001 - the tables hold words of many scripts

import pytest

from cometchat_desk.lint import lint_entries

from .judged import reported, rules_for


@pytest.mark.parametrize(("entry", "text"), [("GrÃ¼ÃŸe", "Grüße"), ("РїСЂРёРІРµС‚", "привет")])
def test_wrong_encoding(entry: str, text: str) -> None:
    """A text that was read in a wrong encoding is reported with the text that it was."""
    (finding,) = (one for one in lint_entries(["zzz", entry]) if one.rule == "mis-decoded")
    assert finding.message.endswith(f"the text is probably '{text}'")


def test_wrong_encoding_without_a_likely_text() -> None:
    """If the text is unknown, the entries are reported if at least three of them, and half of the list, look so."""
    damaged = ["Ïðèâåò", "Ñïàì÷", "äóðàê"]
    assert reported("mis-decoded", damaged) == damaged
    assert reported("mis-decoded", [*damaged[:2], "zzz"]) == []
    assert reported("mis-decoded", [*damaged, *(f"zzz{number}" for number in range(9))]) == []


def test_letters_with_accents() -> None:
    """Cries, loud words and the letters of a class are correct."""
    for entry in ("Öööh", "ÄÄÄH", "créée", "jäääär", "SÃO PAULO", "MAÇÃ", "m²"):
        assert "mis-decoded" not in rules_for(entry), entry
    assert "mis-decoded" not in rules_for("sp[àáâã]m", "pattern")


def test_replaced_characters() -> None:
    """U+FFFD is reported, and entries of question marks only if there are several."""
    assert "lost-characters" in rules_for("Schei\ufffde")
    assert reported("lost-characters", ["zzz", "??", "????"]) == ["??", "????"]
    assert "lost-characters" not in rules_for("??")


@pytest.mark.parametrize(
    ("entries", "damaged"),
    [
        # Several words, and no letter outside ASCII is left: the file is damaged.
        ("M?ller Stra?e na?ve caf? ?ber", "M?ller Stra?e na?ve"),
        ("a?b c?d e?f wtf?! .?", "a?b c?d e?f"),
        # Some letters are left, or there are too few such words, or other words with the same letters.
        ("M?ller Stra?e na?ve café", ""),
        ("M?ller caf? ol?", ""),
        # Beside the whole word, one is enough.
        ("Gr??e M?ller Grüße müller f?ck", "Gr??e M?ller"),
        ("f?ck FUCK sh?t shit b??ch b**ch wtf?", ""),
        # Questions and addresses.
        ("wtf? why? really? what?!", ""),
        ("a.example/x?y=1 http://a.example/x?y a?b c?d", ""),
    ],
)
def test_lost_letters(entries: str, damaged: str) -> None:
    """Question marks in words are reported if several words have lost all letters, or if the list has the word."""
    assert reported("lost-characters", entries.split()) == damaged.split()


def test_question_marks_of_sentences_and_patterns() -> None:
    """In sentences and patterns, question marks are correct."""
    assert reported("lost-characters", ["really?no", "well?ok", "hm?then"], "sentence-similarity") == []
    assert reported("lost-characters", ["colou?r", "a?b", "c?d"], "pattern") == []


def test_control_characters() -> None:
    """Control characters are reported, and the message shows an escape."""
    (finding,) = lint_entries(["zzz", "\x1b[31m"])
    assert (finding.rule, finding.message) == ("control-character", "'\\x1b[31m' holds the control character U+001B")
