"""The progress note, in a process whose stderr is a terminal."""

import io
import logging
import os
import re
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cometchat_desk.app import run
from cometchat_desk.terminal.progress import ProgressNote
from cometchat_rest.testing import Simulator

from ..conftest import CommandLine
from ..pseudo_terminal import Terminal, screen_of, text_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no signal masks")


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def fake_terminal(monkeypatch: pytest.MonkeyPatch) -> FakeTerminal:
    # Not a fixture: pytest replaces stderr once more between the set-up of a test and its call.
    stderr = FakeTerminal()
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm-256color")
    return stderr


def blocked_signals() -> set[signal.Signals | int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, []))


def wait_for(terminal: FakeTerminal, text: str) -> None:
    deadline = time.monotonic() + 30
    while text not in terminal.getvalue():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("text", ["", "Working"], ids=["before it appears", "after it appears"])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError])
def test_exception_leaves_no_signal_blocked(
    monkeypatch: pytest.MonkeyPatch, kind: type[BaseException], text: str
) -> None:
    """After an exception in the block, the main thread has the signal mask that it had before."""
    terminal = fake_terminal(monkeypatch)

    def work() -> None:
        with ProgressNote("Working"):
            assert blocked_signals() == set()
            wait_for(terminal, text)
            raise kind

    assert blocked_signals() == set()
    with pytest.raises(kind):
        work()
    assert blocked_signals() == set()


def test_progress_is_counted_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note includes the progress from before it appears."""
    terminal = fake_terminal(monkeypatch)
    with ProgressNote("Working", total=3) as note:
        note.advance(2)
        wait_for(terminal, "2/3")
        note.advance()
        wait_for(terminal, "3/3")


def test_wait_in_the_progress_note(cli: CommandLine, simulator: Simulator) -> None:
    """While the client waits before a retry, the progress note shows the seconds that remain."""
    simulator.fail("list_reviewed_messages", status=429, headers={"Retry-After": "3"})
    terminal = fake_terminal(cli.env)
    assert run(["reviewed", "list", "--format", "json"]) == 0
    assert "Reading reviewed messages: waiting 2 s before the next attempt" in terminal.getvalue()


def test_note_shows_the_wait_and_then_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the wait, the note shows only the work again."""
    terminal = fake_terminal(monkeypatch)
    with ProgressNote("Working"):
        logging.getLogger("cometchat_rest").warning("retry", extra={"event_name": "retry", "pause": 2.0})
        wait_for(terminal, "Working: waiting 1 s before the next attempt")
        shown = len(terminal.getvalue())
        time.sleep(1.5)
        assert "waiting" not in terminal.getvalue()[shown:].rpartition("Working")[2]
        wait_for(terminal, "Working")


@pytest.mark.parametrize(
    ("command", "text"), [("reviewed list", "Reading reviewed messages"), ("check", "Calling the service")]
)
def test_progress(env: dict[str, str], simulator: Simulator, command: str, text: str) -> None:
    """A command that takes longer than a second shows what it does, and leaves none of that on the screen."""
    simulator.fail("list_reviewed_messages", delay=60)
    with Terminal(command.split(), env) as terminal:
        terminal.see(text)
        terminal.interrupt()
        assert terminal.end() == 130
        assert text.split()[0] not in text_of(screen_of(terminal.output, 80))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the signal masks of threads")
def test_only_the_main_thread_gets_ctrl_c(env: dict[str, str], simulator: Simulator) -> None:
    """Only the main thread gets Ctrl-C: another thread could not interrupt a wait for a response."""
    simulator.fail("list_reviewed_messages", delay=60)
    with Terminal(["reviewed", "list"], env) as terminal:
        terminal.see("Reading reviewed messages")
        terminal.see("Reading reviewed messages")  # the second drawing
        blocked = {}
        for thread in Path(f"/proc/{terminal.pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end now
                (mask,) = re.findall(r"^SigBlk:\s(\w+)$", (thread / "status").read_text(), re.MULTILINE)
                blocked[int(thread.name)] = bool(int(mask, 16) >> signal.SIGINT - 1 & 1)
        assert len(blocked) > 1
        assert blocked == {thread: thread != terminal.pid for thread in blocked}
