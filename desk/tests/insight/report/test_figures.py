"""The figures of a report."""

import re
from pathlib import Path

from cometchat_desk.insight.collected import open_records
from cometchat_desk.insight.report.report import write_report
from cometchat_testing import Simulator

from .conftest import END, export


def test_the_numbers_are_right(tmp_path: Path) -> None:
    """The figures and the tables have the numbers that the simulated history reports."""
    simulator = Simulator()
    simulator.reviewed_messages = []
    history = simulator.add_history(days=5, per_day=20, end=END)
    records = open_records(export(simulator, tmp_path / "reviewed.jsonl"))
    assert write_report(records, tmp_path / "report.html") == history.messages
    text = (tmp_path / "report.html").read_text("utf-8")
    text = re.sub(' data-head="[^"]*"', "", text)
    assert f"<dt>Reviewed messages</dt><dd>{history.messages}</dd>" in text
    assert f"<dt>Senders</dt><dd>{len(history.by_sender)}</dd>" in text
    decided = history.by_status["approved"] + history.by_status["disapproved"]
    assert f"<dt>Decided</dt><dd>{decided}</dd>" in text
    assert f"<dd>{history.by_status['approved'] / decided:.1%}</dd>" in text
    rules = [
        f'<td><bdi>{rule}</bdi></td><td class="number">{count}</td>'
        for rule, count in history.by_rule.items()
    ]
    assert [row for row in rules if row not in text] == []
    pattern = r'<td><bdi>{}</bdi></td><td><bdi>\w+</bdi></td><td class="number">(\d+)</td>'
    by_day = {day: sum(map(int, re.findall(pattern.format(day), text))) for day in history.by_day}
    assert by_day == dict.fromkeys(history.by_day, 20)
