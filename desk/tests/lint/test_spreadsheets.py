"""Entries that a spreadsheet changed."""

import pytest

from cometchat_desk.lint import lint_entries

from .judged import rules_for


@pytest.mark.parametrize(
    ("rule", "entries"),
    [
        (
            "spreadsheet-error",
            ["#NAME?", " #NAME?", "#WERT!", "#N/A", "#¡VALOR!", "=SUM(A1:A9)", "=B7"],
        ),
        ("spreadsheet-number", ["1E+05", "1e+05 ", "1,23457E+12", "4.9172e11", "100.00%"]),
        (
            "spreadsheet-date",
            ["2-Sep", " 2-Sep", "02. Jan", "2026-02-01 00:00:00", "4-févr.", "2-мар"],
        ),
    ],
)
def test_changed_values(rule: str, entries: list[str]) -> None:
    """Error values, formulas, numbers and dates of spreadsheets are reported, also with spaces
    at their ends."""
    spreadsheet = {
        "spreadsheet-error",
        "spreadsheet-number",
        "spreadsheet-date",
    }
    assert {entry: rules_for(entry) & spreadsheet for entry in entries} == {
        entry: {rule} for entry in entries
    }


def test_similar_values() -> None:
    """Other numbers, dates and marks are not reported."""
    values = "1234567890123456789 1-2-3-4 3.14 1.5 3:1 24/7 88888 18+ #metoo a=b -spam @spam 9/11"
    found = {(entry, rule) for entry in values.split() for rule in rules_for(entry)}
    assert [one for one in found if one[1].startswith("spreadsheet")] == []


@pytest.mark.parametrize("saved", ["#NAME?", "1.00E+05", "02. Jan"])
def test_no_damage_of_a_saved_list_is_sent(saved: str) -> None:
    """If a spreadsheet turns an entry into an error, a number or a date, an error stops the
    update."""
    assert "error" in {finding.severity for finding in lint_entries(["zzz", saved])}
