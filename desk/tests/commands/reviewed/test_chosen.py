"""The records that commands read, from files or from the service."""

import json
from pathlib import Path

from cometchat_rest.testing import Simulator

from ...conftest import CommandLine


def exported(cli: CommandLine, name: str = "reviewed.jsonl") -> None:
    assert cli("reviewed", "export", "--output", name, "--limit", "300").code == 0


def test_export_says_whether_records_may_be_missing(cli: CommandLine) -> None:
    """An export asks for all records; only if the service may have older ones, a note says so, without bad advice."""
    assert cli("reviewed", "export", "--output", "reviewed.jsonl").line == "reviewed.jsonl: 300 added, 0 already there."
    assert cli("reviewed", "export", "--output", "reviewed.jsonl").line == "reviewed.jsonl: 0 added, 300 already there."
    for name in ("two.jsonl", "two.parquet"):
        added, note = cli("reviewed", "export", "--output", name, "--limit", "2").err.splitlines()
        assert added == f"{name}: 2 added, 0 already there."
        assert "latest 2 records, as many as --limit asks for: older ones may be missing" in note
        assert cli("reviewed", "export", "--output", name, "--limit", "2").line == f"{name}: 0 added, 2 already there."


def test_more_records_than_one_response(cli: CommandLine, simulator: Simulator) -> None:
    """An app with more records than the first response holds is asked again for more of them."""
    simulator.review(1000)
    rows = map(json.loads, cli("reviewed", "stats", "--by", "day").out.splitlines())
    assert sum(row["records"] for row in rows) == 1300
    assert [request.query for request in simulator.requests] == ["limit=1000", "limit=10000"]


def test_service_with_a_largest_number(cli: CommandLine, simulator: Simulator) -> None:
    """If the service refuses to list so many records, its own number is used, and a note says what may be missing."""
    simulator.fail("list_reviewed_messages", status=400)
    done = cli("reviewed", "stats", "--by", "action", "--format", "csv")
    assert (done.code, len(simulator.requests)) == (0, 2)
    assert "latest 50 records, as many as the service gives at once: older ones may be missing" in done.line
    assert "--limit" not in done.line


def test_records_that_begin_after_since(cli: CommandLine) -> None:
    """If no record is older than --since, each command that reads files says that records may be missing."""
    exported(cli)
    commands = (
        ["report", "--records", "reviewed.jsonl", "--output", "a.html", "--no-terms", "--yes"],
        ["export", "--output", "a.csv", "--records", "reviewed.jsonl"],
        ["export", "--output", "a.parquet", "--records", "reviewed.jsonl"],
        ["stats", "--records", "a.csv"],
        ["stats", "--records", "a.parquet"],
    )
    for command in commands:
        done = cli("reviewed", *command, "--since", "2020-01-01")
        assert "Note: the records begin at 2025-09-15 " in done.err, command
    assert "the records begin at 2025-09-15" in Path("a.html").read_text("utf-8").lower()
    for path in ("reviewed.jsonl", "a.csv", "a.parquet"):
        assert "begin" not in cli("reviewed", "stats", "--records", path, "--since", "2025-09-15T17:05:51").err
    assert "begin" not in cli("reviewed", "stats", "--records", "a.csv").err
    assert "begin" not in cli("reviewed", "stats", "--records", "a.csv", "--since", "2100-01-01").err
    cli.write("list.txt", "spam\n")
    tried = cli("keywords", "try", "profanity-list", "list.txt", "--records", "reviewed.jsonl", "--since", "2020-01-01")
    assert "Note: the records begin at 2025-09-15 " in tried.err


def test_truncated_export(cli: CommandLine) -> None:
    """A last line that was cut off is skipped, and a note on stderr says so."""
    exported(cli)
    with Path("reviewed.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"ruleId": "r')
    done = cli("reviewed", "stats", "--records", "reviewed.jsonl")
    assert (done.code, done.line) == (0, "Note: 1 line is not a complete record; skipped.")
