"""Threads of ours beside the caller's: Ctrl-C is not for them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_signals() -> Iterator[None]:
    """What is started within never gets the signals that ask a program to end.

    Python acts on a signal in the main thread alone. The system may give one to any thread, and where another gets it,
    the main thread is not woken, and notices when what it waits for comes: for an answer, that may be its deadline.
    """
    if sys.platform == "win32":  # where Ctrl-C is no signal to a thread
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
