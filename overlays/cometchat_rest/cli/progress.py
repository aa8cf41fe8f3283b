"""A word to whoever waits: shown on a terminal alone, after a second, and gone when the work is done."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from cometchat_rest._support.threads import without_signals

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0


class ProgressNote:
    """Tells what is going on, if it takes longer than a second: a context manager, entered while somebody waits.

    It is told from the thread that does the work how far that is, and shown from another. Between two waits it is not
    shown, so that there is room for output.
    """

    def __init__(self, text: str, total: int | None = None) -> None:
        """
        Args:
            text: what it is.
            total: how much there is to do, where that is known.
        """
        self._text = text
        self._total = total
        self._done = 0
        self._begun = time.monotonic()
        self._lock = threading.Lock()
        self._waiting = False
        self._timer: threading.Timer | None = None
        self._shown: Progress | None = None

    def advance(self, count: int = 1) -> None:
        """So much more is done."""
        with self._lock:
            self._done += count
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=self._done)

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._waiting = True
            self._timer = threading.Timer(self._begun + _PATIENCE - time.monotonic(), self._appear)
            self._timer.daemon = True
            with without_signals():
                self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._waiting = False
            if self._shown is not None:
                self._shown.stop()
                self._shown = None

    def _appear(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        from .table import console

        columns = (BarColumn(), MofNCompleteColumn()) if self._total is not None else ()
        with self._lock:
            if self._waiting:
                self._shown = Progress(
                    SpinnerColumn("line"),
                    TextColumn("{task.description}", markup=False),
                    *columns,
                    TimeElapsedColumn(),
                    console=console(stderr=True),
                    transient=True,
                )
                self._shown.add_task(self._text, total=self._total, completed=self._done)
                self._shown.tasks[0].start_time = self._begun
                self._shown.start()
