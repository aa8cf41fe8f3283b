"""`cometchat-desk reviewed watch` on a terminal: a live table."""

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cometchat_rest.testing import Simulator

pytest.importorskip("termios", reason="there are no pseudo-terminals here")

from ..pseudo_terminal import Terminal, screen_of, text_of

WATCH = ["reviewed", "watch", "--interval", "0.1"]
LEAVE = "\x1b[?1049l"
# The start of the next drawing.
DRAWN = "\x1b[H"


@pytest.fixture
def env(simulator: Simulator, tmp_path: Path) -> dict[str, str]:
    simulator.reviewed_messages = simulator.reviewed_messages[:8]
    return {"COMETCHAT_BASE_URL": simulator.base_url, "COMETCHAT_API_KEY": simulator.api_key, "HOME": str(tmp_path)}


@contextlib.contextmanager
def watching(env: dict[str, str], *options: str, columns: int = 80) -> Iterator[Terminal]:
    """A watch that shows its first table, and that Ctrl-C ends after the block."""
    with Terminal([*WATCH, *options], env, columns=columns) as terminal:
        terminal.see("390079")
        yield terminal
        terminal.interrupt()
        assert terminal.end() == 130


def live_text(terminal: Terminal, columns: int = 80, lines: int = 50) -> str:
    """The text of the live table now, or before the terminal left it."""
    return text_of(screen_of(terminal.output.partition(LEAVE)[0], columns, lines))


def last_text(terminal: Terminal, columns: int = 80) -> str:
    """The text that the command left on the screen."""
    return text_of(screen_of(terminal.output.partition(LEAVE)[2], columns))


def first_record(text: str) -> str:
    """The line of the newest record."""
    return next(line for line in text.splitlines() if line.startswith("20"))


def row_of(text: str, rule: str) -> list[str]:
    """The cells of a rule in the table of counts."""
    return next(re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line.startswith(rule))


def test_counts_and_newest_records(env: dict[str, str], simulator: Simulator) -> None:
    """The table counts the records of each rule and action, and has the newest record on top."""
    with watching(env) as terminal:
        terminal.see(DRAWN)
        before = live_text(terminal)
        assert before.startswith("8 records since ")
        assert re.search(r"last request \d\d:\d\d:\d\d UTC", before)
        assert row_of(before, "Block word") == ["Block word", "blockMessage", "2"]
        assert row_of(before, "Block similarity") == ["Block similarity", "none", "1"]
        assert "alice" in first_record(before)
        newest: Any = {**simulator.reviewed_messages[0], "ruleName": "Block word", "createdAt": 1_757_960_000}
        newest["message"] = {**newest["message"], "id": "500000", "sender": "zoe"}
        simulator.reviewed_messages.insert(0, newest)
        terminal.see("500000")
        terminal.see(DRAWN)
        after = live_text(terminal)
        assert after.startswith("9 records since ")
        assert row_of(after, "Block word") == ["Block word", "blockMessage", "3"]
        assert "zoe" in first_record(after)
        assert max(map(len, after.splitlines())) <= 80


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_full_lines(env: dict[str, str], simulator: Simulator, columns: int) -> None:
    """The live table has the same lines for a record as `reviewed list`, also those that fill the terminal."""
    record: Any = simulator.reviewed_messages[0]
    record["message"]["data"]["text"] = "x" * 500
    with Terminal(["reviewed", "list"], env, columns=columns) as terminal:
        assert terminal.end() == 0
        listed = text_of(screen_of(terminal.output, columns, 300)).splitlines()
    with watching(env, columns=columns) as terminal:
        terminal.resize(columns, 200)
        terminal.see("390072")
        terminal.see(DRAWN)
        shown = live_text(terminal, columns, 200).splitlines()
    assert shown[-len(listed) :] == listed
    assert columns in {len(line) for line in listed}


def test_the_last_table_stays(env: dict[str, str]) -> None:
    """After Ctrl-C, the user's screen has the last table, a visible cursor, and one line about the interruption."""
    with watching(env) as terminal:
        pass
    assert terminal.output.count("\x1b[?1049h") == terminal.output.count(LEAVE) == 1
    assert terminal.output.rindex("\x1b[?25h") > terminal.output.rindex("\x1b[?25l")
    last = last_text(terminal)
    assert last.startswith("8 records since ")
    assert "press Ctrl-C" not in last
    assert row_of(last, "Block word") == ["Block word", "blockMessage", "2"]
    assert [number for number in range(390072, 390080) if str(number) not in last] == []
    assert last.endswith("\n\ncometchat-desk: interrupted.")


def test_temporary_error(env: dict[str, str], simulator: Simulator) -> None:
    """A temporary error is shown in the table until a request succeeds, and nowhere else."""
    with watching(env) as terminal:
        body = {"error": {"code": "ERR", "message": "\x1b[2J maintenance"}}
        for _ in range(12):  # four calls of three attempts, because the table is drawn only four times a second
            simulator.fail("list_reviewed_messages", status=503, headers={"Retry-After": "0"}, body=body)
        terminal.see("asking again in")
        terminal.see(DRAWN)
        shown = live_text(terminal)
        assert re.search(r"\n\d\d:\d\d:\d\d UTC: the request for reviewed messages ", shown)
        assert "503" in shown
        assert r"\x1b[2J maintenance" in " ".join(shown.split())
        assert "alice" in shown
        simulator.review(1)
        terminal.see("390080")
        terminal.see(DRAWN)
        assert "asking again" not in live_text(terminal)
    assert "asking again" not in last_text(terminal)
    assert "cometchat-desk: the request" not in terminal.output


def test_lost_records_are_reported(env: dict[str, str], simulator: Simulator) -> None:
    """A warning that records may be lost stays in the table."""
    with watching(env, "--limit", "2") as terminal:
        simulator.review(5)
        terminal.see("390084")
    assert "all 2 records of the response are new" in " ".join(last_text(terminal).split())


@pytest.mark.parametrize(("columns", "lines", "seen"), [(150, 20, "blockMessage"), (60, 16, "Time (UTC): ")])
def test_new_size(env: dict[str, str], columns: int, lines: int, seen: str) -> None:
    """After a change of the size of the terminal, the table has the new size; rules without space are counted."""
    with watching(env) as terminal:
        terminal.output = ""
        terminal.resize(columns, lines)
        terminal.see(DRAWN)
        terminal.see(seen)
        terminal.see(DRAWN)
        shown = text_of(screen_of(terminal.output, columns, lines))
        assert shown.startswith("8 records since ")
        assert "Block word" in shown
        assert "alice" in shown
        assert len(shown.splitlines()) <= lines
        assert ("2 more" in shown) == (lines == 16)


def test_messages_are_plain_text(env: dict[str, str], simulator: Simulator) -> None:
    """A message cannot move the cursor, leave the table or change the direction of text."""
    record: Any = simulator.reviewed_messages[0]
    record["message"]["data"]["text"] = "\x1b[?1049l\x1b[2J\u202e[bold]markup[/bold] \n :smile:"
    record["ruleName"] = "\x1b[31mrule"
    with watching(env, columns=300) as terminal:
        pass
    assert "\x1b[31m" not in terminal.output
    assert terminal.output.count(LEAVE) == 1
    assert r"\u202e[bold]markup[/bold] \n :smile:" in " ".join(last_text(terminal, 300).split())
    assert r"\u001b[31mrule" in last_text(terminal, 300)


def test_sigterm_shows_the_users_screen(env: dict[str, str]) -> None:
    """SIGTERM ends the command as Ctrl-C does: the user's screen is back, with the last table."""
    with Terminal(WATCH, env) as terminal:
        terminal.see("390079")
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.end() == 130
        assert last_text(terminal).endswith("\n\ncometchat-desk: interrupted.")


def test_only_new_records(env: dict[str, str], simulator: Simulator) -> None:
    """With --new, the records that exist at the start are neither shown nor counted."""
    with Terminal([*WATCH, "--new"], env) as terminal:
        terminal.see("last request")
        simulator.review(1)
        terminal.see("390080")
        terminal.interrupt()
        assert terminal.end() == 130
        assert last_text(terminal).startswith("1 record since ")
        assert "390079" not in terminal.output


def test_permanent_error(env: dict[str, str]) -> None:
    """A refused key ends the command with one line on the user's screen, and its exit code."""
    with Terminal(WATCH, {**env, "COMETCHAT_API_KEY": "another"}) as terminal:
        assert terminal.end() == 4
        last = last_text(terminal).replace("\n", " ")
        assert "/v3: the request for reviewed messages" in last
        assert "cometchat-desk check" in last


@pytest.mark.parametrize("arguments", [["--format", "jsonl"], ["--format", "csv"], ["--debug"], []])
def test_no_live_table(env: dict[str, str], arguments: list[str]) -> None:
    """With JSON Lines, CSV, --debug or a terminal without control sequences, records are lines, the oldest first."""
    with Terminal([*WATCH, *arguments], env if arguments else {**env, "TERM": "dumb"}) as terminal:
        terminal.see("390072")
        terminal.see("390079")
        terminal.interrupt()
        assert terminal.end() == 130
    assert ("\x1b[?1049h" if arguments else "\x1b") not in terminal.output
