"""The output of commands for programs and for people."""

import csv
import io
import json

import pytest

from cometchat_testing import Simulator

from ..conftest import CommandLine, first_text


def test_list_as_json(cli: CommandLine, simulator: Simulator) -> None:
    """As JSON Lines and as JSON, the records are as the service sent them."""
    records = simulator.reviewed_messages[:3]
    lines = cli("reviewed", "list", "--limit", "3").out.splitlines()
    assert [json.loads(line) for line in lines] == records
    assert json.loads(cli("reviewed", "list", "--limit", "3", "--format", "json").out) == records


@pytest.mark.parametrize(
    "text", ["a\r=1", "a\n=1", "a\r\n=1", 'a"\r=1', "a,=1", "a\x1b[2J"], ids=repr
)
def test_csv_row_stays_one_row(cli: CommandLine, simulator: Simulator, text: str) -> None:
    """No character in a text begins a new row of the CSV output; a pipe gets escapes of control
    characters."""
    first_text(simulator, text)
    out = cli("reviewed", "list", "--limit", "1", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(out, newline=""))
    assert row["text"] == text.replace("\r", "\\r").replace("\x1b", "\\u001b")
