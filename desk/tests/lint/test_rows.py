"""Rows with the marks of a document, and names of files."""

import pytest

from .judged import reported, reported_alone


@pytest.mark.parametrize(
    ("entries", "marked"),
    [
        (["zzz", "• junk"], ["• junk"]),
        (["zzz", "\uf0b7 junk"], ["\uf0b7 junk"]),
        (["zzz", "\u2043junk"], ["\u2043junk"]),
        (["1. spam", "2. free coins", "3. zzz"], ["1. spam", "2. free coins", "3. zzz"]),
        (["- spam", "- zzz", "#5 junk"], ["- spam", "- zzz", "#5 junk"]),
        (["> spam", "> scam", "> junk"], ["> spam", "> scam", "> junk"]),
        (["zzz", "xyz", "1. junk"], []),
        (["1 spam", "2 scam", "3 junk"], []),
        (["1st spam", "2nd scam", "3rd junk"], []),
        (["U. S.", "zzz"], []),
    ],
)
def test_marks_of_a_document(entries: list[str], marked: list[str]) -> None:
    """Bullets, and marks or numbers in several entries, are reported; one mark and other numbers
    are not."""
    assert reported("list-item", entries) == marked
    assert reported_alone("list-item", ["1. x"], "pattern") == []
