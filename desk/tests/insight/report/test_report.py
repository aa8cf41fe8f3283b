"""The report: one HTML file that loads nothing, with numbers that are right and texts that are
never markup."""

import json
import os
import re
import stat
from pathlib import Path

import pytest

from cometchat_desk.insight.collected import open_records, records_of
from cometchat_desk.insight.matcher import ListTerms
from cometchat_desk.insight.report.report import write_report
from cometchat_desk.insight.term_stats import term_stats
from cometchat_testing import Simulator

from .conftest import export


def test_likely_false_positives_are_marked(tmp_path: Path) -> None:
    """A rule whose messages a moderator approves is marked with the reason."""
    simulator = Simulator()
    simulator.reviewed_messages = []
    for number in range(20):
        simulator.add_reviewed_message(f"a class {number}", rule="Block ass", status="approved")
    records = open_records(export(simulator, tmp_path / "reviewed.jsonl"))
    write_report(records, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    marked = re.findall(r'<tr class="warning">(.*?)</tr>', text)
    assert len(marked) == 1
    assert "Block ass" in marked[0]
    assert "20 of 20" in marked[0]


def test_report_about_nothing(tmp_path: Path) -> None:
    """Without messages, the report says so."""
    path = tmp_path / "reviewed.jsonl"
    path.write_text("")
    records = open_records(path)
    assert write_report(records, tmp_path / "report.html") == 0
    assert "There are no messages." in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """A report is private, even if it replaces a file that others could read."""
    path = tmp_path / "report.html"
    path.touch(mode=0o644)
    records = open_records(export(Simulator(), tmp_path / "reviewed.jsonl"))
    write_report(records, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["missing/report.html", "taken"])
def test_report_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    """If the folder does not exist or the name is a folder, one line names the file, and no file
    is left."""
    (tmp_path / "taken").mkdir()
    records = open_records(export(Simulator(), tmp_path / "reviewed.jsonl"))
    with pytest.raises(OSError, match=Path(name).name) as caught:
        write_report(records, tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["reviewed.jsonl", "taken"]


def test_messages_of_an_entry(tmp_path: Path) -> None:
    """An entry leads to the messages that count for it, and to no other."""
    condition = {"operator": "contains", "value": ["words"], "isKeywordsReferencePresent": True}
    records = records_of(
        {
            "ruleId": "r",
            "createdAt": 1_757_955_951 + number,
            "condition": condition if number else {"operator": "contains"},
            "message": {"id": str(number), "data": {"text": text}},
        }
        for number, text in enumerate(["spam", "ham", "a spam", "eggs and spam"])
    )
    words = ListTerms(category="word", terms=("spam", "eggs"))
    terms = term_stats(records, {("", "words"): words})
    write_report(records, tmp_path / "report.html", terms=terms)
    text = (tmp_path / "report.html").read_text("utf-8")
    _, _, data_of_page = text.partition('<script type="application/json"')
    data = json.loads(data_of_page.partition(">")[2].partition("</script>")[0])
    texts = [[data["rows"][row][-2] for row in rows] for rows in data["terms"]]
    assert texts == [["eggs and spam", "a spam"], ["eggs and spam"]]
