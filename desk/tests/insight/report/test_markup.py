"""Texts of messages in a page."""

import re
from pathlib import Path

from cometchat_desk.insight.collected import open_records
from cometchat_desk.insight.report.report import write_report
from cometchat_testing import Simulator

from .conftest import export


def test_control_characters_in_names_of_rules(tmp_path: Path) -> None:
    """Control characters and line separators in the name of a rule do not stop the report, and
    become escapes."""
    simulator = Simulator()
    simulator.reviewed_messages = []
    simulator.add_reviewed_message("a", rule="a\x1bb\u2028c\u202ed", action="x\x00y")
    records = open_records(export(simulator, tmp_path / "reviewed.jsonl"))
    write_report(records, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert r"a\u001bb\u2028c\u202ed" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\u2028]", text)
