"""The charts of a report."""

import re

from cometchat_desk.insight.report import charts


def test_columns() -> None:
    """A chart of days has the numbers of each day on top of each other, a legend, and names that are never markup."""
    drawn = charts.columns({"2026-07-01": {"flag": 3}, "2026-07-02": {"<b>": 2, "flag": 4}})
    assert [*map(int, re.findall(r' height="(\d+)"', drawn))] == [3, 4, 2]
    assert '<i class="c1"></i>&lt;b&gt;</li>' in drawn
    assert "<span>2026-07-01</span><span>2026-07-02</span>" in drawn


def test_bar() -> None:
    """A bar has a part for each number, one after the other, as wide as the longest bar of its table."""
    drawn = charts.bar((5, 2), 10)
    assert 'viewBox="0 0 10 1"' in drawn
    assert re.findall(r'x="(\d+)" width="(\d+)"', drawn) == [("0", "5"), ("5", "2")]
