"""The progress note, in a process whose stderr is a terminal."""

import io
import os
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from cometchat_desk.terminal.progress import ProgressNote
from cometchat_testing import Simulator

from ..conftest import app
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


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError])
def test_exception_leaves_no_signal_blocked(
    monkeypatch: pytest.MonkeyPatch, kind: type[BaseException]
) -> None:
    """After an exception in the block, the main thread has the signal mask that it had before."""
    fake_terminal(monkeypatch)

    def work() -> None:
        with ProgressNote("Working"):
            assert blocked_signals() == set()
            raise kind

    assert blocked_signals() == set()
    with pytest.raises(kind):
        work()
    assert blocked_signals() == set()


def test_progress_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note shows how much is done, also of the blocks before."""
    terminal = fake_terminal(monkeypatch)
    note = ProgressNote("Working", total=3)
    for _ in range(3):
        with note:
            note.advance()
    shown = re.findall("Working [1-3]/3", terminal.getvalue())
    assert list(dict.fromkeys(shown)) == ["Working 1/3", "Working 2/3", "Working 3/3"]


@pytest.mark.parametrize(
    ("command", "text"),
    [("reviewed list", "Reading reviewed messages"), ("check", "Calling the service")],
)
def test_progress(env: dict[str, str], simulator: Simulator, command: str, text: str) -> None:
    """A command shows what it does, and leaves none of that on the screen."""
    simulator.fail("list_reviewed_messages", delay=60)
    with Terminal(command.split(), env) as terminal:
        terminal.see(text)
        terminal.see(text)  # the second drawing: the command waits for the service
        terminal.interrupt()
        assert terminal.end() == 130
        assert text.split()[0] not in text_of(screen_of(terminal.output, 80))


def test_progress_of_updates(env: dict[str, str], simulator: Simulator, tmp_path: Path) -> None:
    """The note counts the update of one list in two apps as two."""
    with Simulator() as forum:
        (tmp_path / "profiles.toml").write_text(app("shop", simulator) + app("forum", forum))
        (tmp_path / "profiles.toml").chmod(0o600)
        typed = (
            "keywords",
            "add",
            "profanity-list",
            "new",
            "--all-apps",
            "--yes",
            "--config",
            "profiles.toml",
        )
        with Terminal(typed, env, folder=tmp_path) as terminal:
            assert terminal.end() == 0
        assert "Updating lists 2/2" in terminal.output


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the signal masks of threads")
def test_only_the_main_thread_gets_ctrl_c(env: dict[str, str], simulator: Simulator) -> None:
    """Only the main thread gets Ctrl-C: another thread could not interrupt a wait for a
    response."""
    simulator.fail("list_reviewed_messages", delay=60)
    with Terminal(["reviewed", "list"], env) as terminal:
        terminal.see("Reading reviewed messages")
        terminal.see("Reading reviewed messages")  # the second drawing
        blocked = {}
        for thread in Path(f"/proc/{terminal.pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end now
                (mask,) = re.findall(
                    r"^SigBlk:\s(\w+)$", (thread / "status").read_text(), re.MULTILINE
                )
                blocked[int(thread.name)] = bool(int(mask, 16) >> signal.SIGINT - 1 & 1)
        assert len(blocked) > 1
        assert blocked == {thread: thread != terminal.pid for thread in blocked}
