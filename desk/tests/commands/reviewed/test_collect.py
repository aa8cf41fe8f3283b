"""`cometchat-desk reviewed`: output formats, terminal widths, watching and exporting."""

import json
import os
import re
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from cometchat_rest.reviewed_messages import ReviewedMessages
from cometchat_testing import Simulator

from ...conftest import CommandLine, first_text
from ...pseudo_terminal import Terminal
from ..test_apps import posix

HOSTILE = "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202eright to left\u2028[bold]markup[/bold] :smile:"


@pytest.mark.parametrize("width", [20, 40, 79, 80, 120, 200])
def test_any_terminal_width(cli: CommandLine, simulator: Simulator, width: int) -> None:
    """No line is wider than the terminal, and sender, rule and text are shown at any width."""
    first_text(simulator, "नमस्ते 你好 שלום 👩‍👩‍👧 " + "long " * 40)
    cli.env.setenv("COLUMNS", str(width))
    out = cli("reviewed", "list", "--limit", "1", "--format", "table").out
    assert max(cell_len(line.rstrip()) for line in out.splitlines()) <= width
    joined = re.sub(r"\s+", "", out)
    parts = ("alice", "Block", "2025-09-15", "你好", "👩👩👧")
    assert [part for part in parts if part not in joined] == []
    assert joined.count("long") == 40


def test_list_begins_with_the_newest_record(cli: CommandLine, simulator: Simulator) -> None:
    """`list` shows the newest record first, whatever the order of the response."""
    times = [record["createdAt"] for record in simulator.reviewed_messages]
    simulator.reviewed_messages.reverse()
    out = cli("reviewed", "list", "--limit", "9999", "--format", "jsonl").out
    assert [json.loads(line)["createdAt"] for line in out.splitlines()] == times


NARROW = ["Time (UTC)", "Message", "From", "Text", "Rule", "Status"]
WIDE = ["Time (UTC)", "Message", "From", "To", "Text", "Rule", "Status", "Action"]


@pytest.mark.parametrize(("width", "heads"), [(76, None), (77, NARROW), (200, WIDE)])
def test_columns(cli: CommandLine, width: int, heads: list[str] | None) -> None:
    """From 77 columns on, a record is a row, in a wide terminal with receiver and action; below,
    a value is a line."""
    cli.env.setenv("COLUMNS", str(width))
    lines = cli("reviewed", "list", "--limit", "1", "--format", "table").out.splitlines()
    assert re.split(r"\s{2,}", lines[0].strip()) == (heads or ["Time (UTC): 2025-09-15 17:05:51"])
    assert {"390079", "disapproved", "alice"} <= set(" ".join(lines).split())


def test_watch(cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """`watch` shows each record once, oldest first, reports temporary errors and continues."""
    watch = ReviewedMessages.watch
    monkeypatch.setattr(
        ReviewedMessages, "watch", lambda *given, **more: islice(watch(*given, **more), 3)
    )
    simulator.reviewed_messages = simulator.reviewed_messages[:3]
    hostile = {"error": {"code": "ERR", "message": f"{HOSTILE}."}}
    for _ in range(3):  # the number of attempts of one call
        simulator.fail(
            "list_reviewed_messages", status=503, headers={"Retry-After": "0"}, body=hostile
        )
    done = cli("reviewed", "watch", "--interval", "0.01")
    assert [json.loads(line) for line in done.out.splitlines()] == simulator.reviewed_messages[::-1]
    assert done.code == 0
    note, problem = done.err.splitlines()
    assert note == "Note: each new record appears here; press Ctrl-C to stop."
    assert "503" in problem
    assert re.search(r"[^.]; asking again in \d+\.\d s$", problem)
    assert problem.count("the request for reviewed messages") == 1
    assert "list_reviewed_messages" not in problem
    assert problem.isprintable()


def test_watch_on_a_terminal(env: dict[str, str], simulator: Simulator) -> None:
    """On a terminal, `watch` shows each record as a row of one table; with --new, only those
    since the start."""
    with Terminal(["reviewed", "watch", "--interval", "0.1", "--new"], env) as terminal:
        terminal.see("press Ctrl-C to stop")
        # The first response has arrived when the second request does.
        while len(simulator.requests) < 2:
            time.sleep(0.01)
        simulator.review(2)
        terminal.see("390081")
        terminal.interrupt()
        assert terminal.end() == 130
    rows = re.findall("Time|390079|390080|390081", terminal.output)
    assert rows == ["Time", "390080", "390081"]


def test_watch_ends_on_permanent_errors(cli: CommandLine) -> None:
    """A refused key ends `watch` with the exit code for it."""
    cli.env.setenv("COMETCHAT_API_KEY", "another")
    assert cli("reviewed", "watch").code == 4


def test_export(cli: CommandLine, simulator: Simulator) -> None:
    """`export` adds the records that a file does not hold yet, and shows their number."""
    typed = ("reviewed", "export", "--output", "kept.jsonl", "--limit", "5")
    assert "kept.jsonl: 5 added, 0 already there." in cli(*typed).err
    simulator.review(2)
    assert cli(*typed).line.endswith("2 added, 3 already there.")
    assert len(Path("kept.jsonl").read_text("utf-8").splitlines()) == 7


@pytest.mark.parametrize("name", ["reviewed", "reviewed.txt", "week.ods", ".csv", "jsonl"])
def test_unsupported_suffix_is_refused(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """An unsupported suffix is refused before anything is sent or written."""
    done = cli("reviewed", "export", "--output", name)
    assert done.code == 2
    assert "the suffix must be .jsonl, .xlsx or .csv" in done.line
    assert (simulator.requests, Path(name).exists()) == ([], False)


@posix
@pytest.mark.parametrize("name", ["pipe.jsonl", "folder.jsonl", "pipe.csv"])
def test_output_of_another_kind(cli: CommandLine, simulator: Simulator, name: str) -> None:
    """A pipe, and a folder in place of a file are refused, with the next step."""
    os.mkfifo("pipe.jsonl")
    os.mkfifo("pipe.csv")
    Path("folder.jsonl").mkdir()
    done = cli("reviewed", "export", "--output", name)
    assert (done.code, simulator.requests) == (2, [])
    assert f"; name another file, such as messages{Path(name).suffix}" in done.line


def test_export_follows(
    cli: CommandLine, simulator: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --follow, `export` continues with new records, and still writes each record once."""
    watch = ReviewedMessages.watch
    simulator.reviewed_messages = simulator.reviewed_messages[:2]

    def reviewed_meanwhile(*given: Any, **more: Any) -> Any:
        simulator.review(1)
        return islice(watch(*given, **more), 3)

    monkeypatch.setattr(ReviewedMessages, "watch", reviewed_meanwhile)
    done = cli("reviewed", "export", "--output", "kept.jsonl", "--follow", "--interval", "0.01")
    assert (done.code, done.err.splitlines()[-1]) == (
        0,
        "Note: waiting for new records for kept.jsonl; press Ctrl-C to stop.",
    )
    assert len(Path("kept.jsonl").read_text("utf-8").splitlines()) == 3


def test_messages_with_a_word_or_of_a_user(cli: CommandLine, simulator: Simulator) -> None:
    """`list` finds the messages that contain a word as a whole word in any case, and those of a
    user since a time, and says that the service shows its latest records only."""
    simulator.reviewed_messages = []
    for text, sender in [
        ("Strip!", "alice"),
        ("stripes", "alice"),
        ("strip", "bob"),
        ("no", "bob"),
    ]:
        simulator.add_reviewed_message(text, sender=sender)

    def texts(*options: str) -> list[str]:
        done = cli("reviewed", "list", "--format", "jsonl", *options)
        assert (done.code, "shows its latest records only" in done.err) == (0, True)
        return [json.loads(line)["message"]["data"]["text"] for line in done.out.splitlines()]

    assert sorted(texts("--entry", "STRIP")) == ["Strip!", "strip"]
    assert texts("--entry", "strip", "--sender", "bob", "--since", "1d") == ["strip"]
    assert texts("--sender", "ali") == []
    assert texts("--since", "2100-01-01") == []
    done = cli("reviewed", "list", "--entry", "strip", "--format", "jsonl")
    assert "the service does not document how it matches." in done.err
    assert "Note: these are 2 of 4 records." in done.err
