"""The progress note, in a process whose stderr is a terminal; see `test_terminal.py` for real terminals."""

from __future__ import annotations

import io
import os
import signal
import threading
import time

import pytest

from cometchat_desk.terminal.progress import ProgressNote

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_exception_of_a_signal_handler_leaves_no_signal_blocked(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """An exception that a signal handler raises at any time leaves no signal blocked and no thread behind."""

    terminal = fake_terminal(monkeypatch)

    def handle(*_: object) -> None:
        raise TimeoutError

    before, threads = signal.signal(number, handle), threading.active_count()
    try:
        for delay in (0.0001, 0.0005, 0.001, 0.002, 0.005, 1.2):
            sender = threading.Timer(delay, os.kill, (os.getpid(), number))
            with pytest.raises(TimeoutError):  # noqa: PT012 - the exception may come at any of these lines
                sender.start()
                with ProgressNote("Working", total=2) as note:
                    note.advance()
                    # One long sleep would not end if the signal came just before it.
                    for _ in range(3000):
                        time.sleep(0.01)
            sender.join()
            assert blocked_signals() == set()
    finally:
        signal.signal(number, before)
    deadline = time.monotonic() + 30
    while threading.active_count() > threads:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert "Working" in terminal.getvalue()


def test_progress_is_counted_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note includes the progress from before it appears."""
    terminal = fake_terminal(monkeypatch)
    with ProgressNote("Working", total=3) as note:
        note.advance(2)
        wait_for(terminal, "2/3")
        note.advance()
        wait_for(terminal, "3/3")
