"""Helpers for files: paths in messages, and texts in cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from cometchat_rest._support.files import no_formula, printable


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a b.csv", "a b.csv"), ("приве́т.txt", "приве́т.txt"), ("a\nb\x1b[0m", r"'a\nb\x1b[0m'"), ("\udcff", r"'\udcff'")],
)
def test_printable_path(name: str, shown: str) -> None:
    """A path is shown on one line without control characters; a printable path is unchanged."""
    assert printable(Path(name)) == shown


@pytest.mark.parametrize("text", ["", "a", "1+1", "バカ", " =1"])
def test_harmless_text_is_unchanged(text: str) -> None:
    """A text that is no formula is unchanged."""
    assert no_formula(text) == text


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'"])
def test_formula_gets_an_apostrophe(start: str) -> None:
    """A text that a spreadsheet would evaluate, or that begins with an apostrophe, gets an apostrophe in front."""
    assert no_formula(f"{start}1") == f"'{start}1"
