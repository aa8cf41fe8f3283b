"""`cometchat-rest reviewed` and `roles`: what is shown, in which form, on how wide a terminal."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from cometchat_rest.reviewed_messages import ReviewedMessages
from cometchat_rest.testing import Simulator

from .conftest import Desk

HOSTILE = "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202eright to left\u2028[bold]markup[/bold] :smile:"


def first_text(simulator: Simulator, text: str) -> None:
    record: Any = simulator.reviewed_messages[0]
    record["message"]["data"]["text"] = text


def test_list_for_programs(desk: Desk, simulator: Simulator) -> None:
    """As JSON Lines and as JSON, records come as the service sent them."""
    records = simulator.reviewed_messages[:3]
    lines = desk("reviewed", "list", "--limit", "3").out.splitlines()
    assert [json.loads(line) for line in lines] == records
    assert json.loads(desk("reviewed", "list", "--limit", "3", "-o", "json").out) == records


def test_list_as_csv(desk: Desk, simulator: Simulator) -> None:
    """As CSV, times are in UTC, and no text can be taken for a formula."""
    first_text(simulator, "=HYPERLINK(1)")
    rows = list(csv.DictReader(io.StringIO(desk("reviewed", "list", "--limit", "2", "-o", "csv").out)))
    assert rows[0]["created_utc"] == "2025-09-15 17:05:51"
    assert rows[0]["sender"] == "alice"
    assert rows[0]["text"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_what_people_write_stays_text(desk: Desk, simulator: Simulator, form: str) -> None:
    """Nothing in a message moves the cursor, sets a colour or turns the direction around; all of it can be read."""
    first_text(simulator, HOSTILE)
    out = desk("reviewed", "list", "--limit", "1", "--output", form).out
    assert {unicodedata.category(each) for each in out.replace("\n", "")} & {"Cc", "Cf", "Zl", "Zp"} == set()
    joined = re.sub(r"\s+", "", out)
    for part in (r"\u001b[2J", r"\u202e", r"\u2028", "[bold]markup[/bold]", ":smile:"):
        assert part in joined
    if form != "table":
        found = json.loads(out)
        record = found[0] if form == "json" else found
        assert record["message"]["data"]["text"] == HOSTILE


@pytest.mark.parametrize("width", [20, 40, 79, 80, 120, 200])
def test_any_width(desk: Desk, simulator: Simulator, width: int) -> None:
    """On a terminal of any width no line is wider than it, and sender, rule and text are there."""
    first_text(simulator, "नमस्ते 你好 שלום 👩‍👩‍👧 " + "long " * 40)
    desk.env.setenv("COLUMNS", str(width))
    out = desk("reviewed", "list", "--limit", "1", "--output", "table").out
    assert max(cell_len(line.rstrip()) for line in out.splitlines()) <= width
    joined = re.sub(r"\s+", "", out)
    for part in ("alice", "Block", "2025-09-15", "你好", "👩‍👩‍👧"):
        assert part in joined
    assert joined.count("long") == 40


@pytest.mark.parametrize(
    ("width", "more"),
    [(79, []), (93, []), (94, ["Action"]), (107, ["Action", "Status"]), (119, ["Action", "Status", "Receiver"])],
)
def test_what_there_is_room_for(desk: Desk, width: int, more: list[str]) -> None:
    """The rule is there at 80 columns; then come what was done, what came of it, and to whom it went."""
    desk.env.setenv("COLUMNS", str(width))
    head = desk("reviewed", "list", "--limit", "1", "--output", "table").out.splitlines()[0]
    assert head.split() == ["Created", "UTC", "Sender", "Rule", *more, "Text"]


def test_watch(desk: Desk, simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """`watch` shows each record once, oldest first, tells what it survives, and goes on."""
    watch = ReviewedMessages.watch
    monkeypatch.setattr(ReviewedMessages, "watch", lambda *given, **more: islice(watch(*given, **more), 3))
    simulator.reviewed_messages = simulator.reviewed_messages[:3]
    hostile = {"error": {"code": "ERR", "message": f"{HOSTILE}."}}
    for _ in range(3):  # as often as one call is tried
        simulator.fail("list_reviewed_messages", status=503, headers={"Retry-After": "0"}, body=hostile)
    done = desk("reviewed", "watch", "--interval", "0.01")
    assert [json.loads(line) for line in done.out.splitlines()] == simulator.reviewed_messages[::-1]
    assert done.code == 0
    assert "503" in done.line
    assert re.search(r"[^.]; asking again in \d+\.\d s$", done.line)
    assert done.line.count("list_reviewed_messages") == 1
    assert done.line.isprintable()


def test_watch_ends_where_nothing_will_mend(desk: Desk) -> None:
    """A key that is refused ends `watch`, with the code for it."""
    desk.env.setenv("COMETCHAT_API_KEY", "another")
    assert desk("reviewed", "watch").code == 4


def test_export(desk: Desk, simulator: Simulator) -> None:
    """`export` adds what a file lacks, and tells how much that was."""
    assert desk("reviewed", "export", "kept.jsonl", "--limit", "5").line == "kept.jsonl: 5 added, 0 were there."
    simulator.review(2)
    assert desk("reviewed", "export", "kept.jsonl", "--limit", "5").line.endswith("2 added, 3 were there.")
    assert len(Path("kept.jsonl").read_text("utf-8").splitlines()) == 7


def test_export_follows(desk: Desk, simulator: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --follow, `export` goes on with what comes, and still writes each record once."""
    watch = ReviewedMessages.watch
    simulator.reviewed_messages = simulator.reviewed_messages[:2]

    def reviewed_meanwhile(*given: Any, **more: Any) -> Any:
        simulator.review(1)
        return islice(watch(*given, **more), 3)

    monkeypatch.setattr(ReviewedMessages, "watch", reviewed_meanwhile)
    assert desk("reviewed", "export", "kept.jsonl", "--follow", "--interval", "0.01").code == 0
    assert len(Path("kept.jsonl").read_text("utf-8").splitlines()) == 3


def test_roles(desk: Desk, simulator: Simulator) -> None:
    """`roles list` shows the roles of all pages."""
    done = desk("roles", "list", "--per-page", "4")
    assert [json.loads(line) for line in done.out.splitlines()] == simulator.roles
    table = desk("roles", "list", "--output", "table").out
    assert table.splitlines()[0].split() == ["Role", "Name", "Description", "Created", "UTC"]
