"""The output of commands for programs and for people."""

import csv
import io
import json
from typing import Any

from cometchat_rest.testing import Simulator

from ..conftest import CommandLine


def first_text(simulator: Simulator, text: str) -> None:
    record: Any = simulator.reviewed_messages[0]
    record["message"]["data"]["text"] = text


def test_list_as_json(cli: CommandLine, simulator: Simulator) -> None:
    """As JSON Lines and as JSON, the records are as the service sent them."""
    records = simulator.reviewed_messages[:3]
    lines = cli("reviewed", "list", "--limit", "3").out.splitlines()
    assert [json.loads(line) for line in lines] == records
    assert json.loads(cli("reviewed", "list", "--limit", "3", "--format", "json").out) == records


def test_list_as_csv(cli: CommandLine, simulator: Simulator) -> None:
    """As CSV, times are in UTC, and no text is a formula for a spreadsheet."""
    first_text(simulator, "=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO(cli("reviewed", "list", "--limit", "2", "--format", "csv").out)))
    assert rows[0]["created_utc"] == "2025-09-15 17:05:51"
    assert rows[0]["sender"] == "alice"
    assert rows[0]["text"] == "'=HYPERLINK(1)"


def test_csv_row_stays_one_row(cli: CommandLine, simulator: Simulator) -> None:
    """No character in a text begins a new row of the CSV output; a pipe gets escapes of control characters."""
    for text in ("a\r=1", "a\n=1", "a\r\n=1", 'a"\r=1', "a,=1", "a\x1b[2J"):
        first_text(simulator, text)
        out = cli("reviewed", "list", "--limit", "1", "--format", "csv").out
        (row,) = csv.DictReader(io.StringIO(out, newline=""))
        assert row["text"] == text.replace("=", "'=").replace("\r", "\\r").replace("\x1b", "\\u001b")
