"""A progress note on the terminal: it appears after one second, and disappears when the work is done."""

import logging
import math
import sys
import threading
import time
from typing import Self

from cometchat_desk.files import block_signals

from .logs import Handler

# Seconds until the note appears, and between two drawings of it.
_DELAY, _REFRESH = 1.0, 0.1
# Return to the start of the line, and erase it.
_ERASE = "\r\x1b[K"
# The log of the library has a record for each retry.
_LOGGER = logging.getLogger("cometchat_rest")


class ProgressNote:
    """A context manager, also for several blocks, that shows how many of `total` items are done, after one second."""

    def __init__(self, text: str, total: int | None = None) -> None:
        self._text = text
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._lock = threading.Lock()
        self._finished = threading.Event()
        self._drawn = False
        self._waits_until = 0.0
        self._retries = Handler(self._see)

    def advance(self, count: int = 1) -> None:
        """Report that `count` more items are done."""
        with self._lock:
            self._done += count

    def _see(self, record: logging.LogRecord) -> None:
        """See in the log of the library that the client waits before it sends a request again."""
        pause = getattr(record, "pause", None)
        if getattr(record, "event_name", None) == "retry" and isinstance(pause, float):
            with self._lock:
                self._waits_until = max(self._waits_until, time.monotonic() + pause)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            _LOGGER.addHandler(self._retries)
            # One event for each block: a thread of an earlier block must not draw in this one.
            self._finished = threading.Event()
            ready = threading.Event()
            try:
                threading.Thread(target=self._draw, args=(self._finished, ready), daemon=True).start()
                # Before the thread is ready, the system could still deliver Ctrl-C to it.
                ready.wait()
            except BaseException:
                # Ctrl-C came here, and `__exit__` will not be called.
                self._finished.set()
                _LOGGER.removeHandler(self._retries)
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self._finished.set()
        _LOGGER.removeHandler(self._retries)
        with self._lock:
            if self._drawn:
                print(_ERASE, end="", file=sys.stderr, flush=True)
                self._drawn = False

    def _draw(self, finished: threading.Event, ready: threading.Event) -> None:
        block_signals()
        ready.set()
        if finished.wait(self._started + _DELAY - time.monotonic()):
            return
        from .cells import wrapped
        from .table import can_move_cursor, console

        terminal = console(stderr=True)
        while can_move_cursor(terminal) and not finished.is_set():
            with self._lock:
                if not finished.is_set():
                    line = wrapped(self._line(), max(terminal.width - 1, 1))[0]
                    print(_ERASE + line, end="", file=sys.stderr, flush=True)
                    self._drawn = True
            finished.wait(_REFRESH)

    def _line(self) -> str:
        left = math.ceil(self._waits_until - time.monotonic())
        waiting = f": waiting {left:,} s before the next attempt" if left > 0 else ""
        count = "" if self._total is None else f" {self._done:,}/{self._total:,}"
        return f"{self._text}{waiting}{count} ({time.monotonic() - self._started:.0f} s)"
