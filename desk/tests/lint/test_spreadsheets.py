"""Entries that a spreadsheet changed."""

import pytest

from cometchat_desk.lint import blocking, lint_entries

from .judged import reported, rules_for


@pytest.mark.parametrize(
    ("rule", "entries"),
    [
        ("spreadsheet-error", ["#NAME?", " #NAME?", "#WERT!", "#N/A", "#¡VALOR!", "#SAKNAS!", "=SUM(A1:A9)", "=B7"]),
        ("spreadsheet-number", ["1E+05", "1e+05 ", "1,23457E+12", "4.9172e11"]),
        ("spreadsheet-date", ["2-Sep", " 2-Sep", "02. Jan", "2026-02-01 00:00:00", "4-févr.", "2-мар"]),
        ("spreadsheet-doubt", ["01.02.2026", "1/2/2026 0:00", "00:30:00"]),
        ("spreadsheet-doubt", ["2/Jan", "1月2日", "Sept 11", "45292", "=1+1", "-spam", "@spam"]),
    ],
)
def test_changed_values(rule: str, entries: list[str]) -> None:
    """Error values, formulas, numbers and dates of spreadsheets are reported, also with spaces at their ends."""
    spreadsheet = {"spreadsheet-error", "spreadsheet-number", "spreadsheet-date", "spreadsheet-doubt"}
    assert {entry: rules_for(entry) & spreadsheet for entry in entries} == {entry: {rule} for entry in entries}


def test_similar_values() -> None:
    """Other numbers, marks and patterns are not reported."""
    values = "1234567890123456789 1-2-3-4 3.14 1.5 3:1 24/7 88888 10115 18+ #metoo a=b"
    found = {(entry, rule) for entry in values.split() for rule in rules_for(entry)}
    assert [one for one in found if one[1].startswith("spreadsheet")] == []
    assert "spreadsheet-doubt" not in rules_for("-x", "pattern")


@pytest.mark.parametrize(
    ("live", "now"),
    [
        ("007", "7"), ("1.50", "1.5"), ("12345678901234567890", "12345678901234500000"),
        ("1234567890123456", "1234567890123450"), ("3/4", "03/04/26"), ("3/4", "2026-03-04"), ("4.3.", "03/04/26"),
        ("100%", "100.00%"),
    ],
)  # fmt: skip
def test_values_of_the_live_list(live: str, now: str) -> None:
    """A number or a date of the live list in another spelling is reported."""
    assert reported("spreadsheet-change", ["zzz", now], before=["zzz", live]) == [now]


@pytest.mark.parametrize(
    ("live", "now", "changed"),
    [
        (["3/4"], ["3/4", "03/04/26"], ["03/04/26"]),
        (["3/4"], ["3/4", "05/06/26"], []),
        (["007"], ["007", "7"], []),
        (["spam"], ["spam", "03/04/26"], []),
        (["7", "7.00"], ["7", "7.00"], []),
    ],
)
def test_values_that_were_added(live: list[str], now: list[str], changed: list[str]) -> None:
    """An addition is reported if only a spreadsheet writes it so; other numbers and dates are new entries."""
    assert reported("spreadsheet-change", now, before=live) == changed


@pytest.mark.parametrize(
    ("live", "saved"), [("-spam", "#NAME?"), ("1E5", "1.00E+05"), ("1-2", "02. Jan"), ("007", "7")]
)
def test_no_damage_of_a_saved_list_is_sent(live: str, saved: str) -> None:
    """If a spreadsheet changes an entry while it saves the file, the change stops an update."""
    assert blocking(lint_entries(["zzz", saved], before=["zzz", live]), added=[saved])
