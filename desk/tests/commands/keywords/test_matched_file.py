"""The file of messages that a new list matches: `keywords try --matched-out`."""

import csv
import io
import json
from pathlib import Path

import pytest

from ...conftest import CommandLine
from .conftest import tried


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_matched_out(cli: CommandLine, chat_log: Path, name: str) -> None:
    """All newly matched messages are written with their terms, and no cell is a formula."""
    chat_log.write_text("=phishing\nspam\nphishing spam\nPhishing 2\n", "utf-8")
    done = tried(cli, "--records", str(chat_log), "--output", name)
    assert done.code == 0
    assert f"wrote 2 newly matched messages to {name}" in done.err
    text = Path(name).read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text))) if name.endswith("csv") else list(map(json.loads, text.splitlines()))
    is_csv = name.endswith("csv")
    assert [row["text"] for row in rows] == ["'=phishing" if is_csv else "=phishing", "Phishing 2"]
    assert [row["terms"] for row in rows] == [["phishing"], ["phishing"]] if not is_csv else ["phishing"] * 2
    assert [each.name for each in Path().glob(".*.tmp")] == []


def test_matched_out_is_complete_or_unchanged(cli: CommandLine, chat_log: Path) -> None:
    """If the messages cannot be read to the end, an existing file stays as it was, and no other file is left."""
    cli.write("bad.csv", "phishing\n" * 5 + "a\rb\n")
    cli.write("out.jsonl", "old content")
    before = sorted(Path().iterdir())
    done = tried(cli, "--records", str(chat_log), "--records", "bad.csv", "--output", "out.jsonl", "--yes")
    assert (done.code, "bad.csv" in done.line) == (2, True)
    assert Path("out.jsonl").read_text("utf-8") == "old content"
    assert sorted(Path().iterdir()) == before


def test_matched_out_asks_before_it_replaces(cli: CommandLine, chat_log: Path) -> None:
    """An existing file is replaced only with --yes, and an input is never replaced."""
    cli.write("out.jsonl", "old content")
    done = tried(cli, "--records", str(chat_log), "--output", "out.jsonl")
    assert (done.code, "--yes" in done.line) == (2, True)
    assert tried(cli, "--records", str(chat_log), "--output", "out.jsonl", "--yes").code == 0
    assert "phishing" in Path("out.jsonl").read_text("utf-8")
    cli.write("chat.csv", "phishing\n")
    done = tried(cli, "--records", "chat.csv", "--output", "./chat.csv", "--yes")
    assert (done.code, "is also an input" in done.line) == (2, True)
    assert tried(cli, "--records", "chat.csv", "--output", "out.xml").code == 2
    assert tried(cli, "--records", "chat.csv", "--output", "missing/out.csv").code == 11
