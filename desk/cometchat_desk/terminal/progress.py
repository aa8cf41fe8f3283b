"""A progress note on the terminal: it appears after one second, and disappears when the work is done."""

import logging
import math
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from cometchat_desk.files import new_threads_without_signals

from .logs import Handler

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

# Seconds until the note appears.
_DELAY = 1.0
# The log of the library has a record for each retry.
_LOGGER = logging.getLogger("cometchat_rest")


class ProgressNote:
    """A context manager, also for several blocks, that shows how many of `total` items are done, after one second."""

    def __init__(self, text: str, total: int | None = None) -> None:
        self._text = text
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._lock = threading.RLock()
        self._live: Live | None = None
        self._timer: threading.Timer | None = None
        self._waits_until = 0.0
        self._retries = Handler(self._see)

    def advance(self, count: int = 1) -> None:
        """Report that `count` more items are done."""
        self._done += count

    def _see(self, record: logging.LogRecord) -> None:
        """See in the log of the library that the client waits before it sends a request again."""
        pause = getattr(record, "pause", None)
        if getattr(record, "event_name", None) == "retry" and isinstance(pause, float):
            self._waits_until = max(self._waits_until, time.monotonic() + pause)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            _LOGGER.addHandler(self._retries)
            self._timer = threading.Timer(_DELAY - time.monotonic() + self._started, self._show)
            self._timer.daemon = True
            with new_threads_without_signals():
                self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        _LOGGER.removeHandler(self._retries)
        with self._lock:
            timer, live, self._timer, self._live = self._timer, self._live, None, None
        if timer is not None:
            timer.cancel()
        if live is not None:
            live.stop()

    def _show(self) -> None:
        from rich.live import Live

        from .table import can_move_cursor, console

        target = console(stderr=True)
        with self._lock:
            if self._timer is not None and can_move_cursor(target):
                self._live = Live(get_renderable=self._line, console=target, transient=True, redirect_stdout=False)
                self._live.start()
                # A program that is killed must not leave a terminal without a cursor.
                target.show_cursor()

    def _line(self) -> "RenderableType":
        from rich.text import Text

        left = math.ceil(self._waits_until - time.monotonic())
        waiting = f": waiting {left:,} s before the next attempt" if left > 0 else ""
        count = "" if self._total is None else f" {self._done:,}/{self._total:,}"
        text = f"{self._text}{waiting}{count} ({time.monotonic() - self._started:.0f} s)"
        return Text(text, no_wrap=True, overflow="ellipsis")
