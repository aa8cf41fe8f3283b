"""A word to whoever waits: shown on a terminal alone, after a second, and gone when the work is done."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0


class Work:
    """How far a piece of work is; told from the thread that does it, shown from another."""

    def __init__(self, text: str, total: int | None) -> None:
        self._text = text
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self._over = False
        self._shown: Progress | None = None

    def advance(self, count: int = 1) -> None:
        """So much more is done."""
        with self._lock:
            self._done += count
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=self._done)

    def appear(self) -> None:
        """Begin to be shown, unless it is over."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        from .table import console

        columns = (BarColumn(), MofNCompleteColumn()) if self._total is not None else ()
        with self._lock:
            if not self._over:
                self._shown = Progress(
                    SpinnerColumn("line"),
                    TextColumn("{task.description}", markup=False),
                    *columns,
                    TimeElapsedColumn(),
                    console=console(stderr=True),
                    transient=True,
                )
                self._shown.add_task(self._text, total=self._total, completed=self._done)
                self._shown.start()

    def disappear(self) -> None:
        """Be shown no more."""
        with self._lock:
            self._over = True
            if self._shown is not None:
                self._shown.stop()


@contextlib.contextmanager
def working(text: str, total: int | None = None) -> Iterator[Work]:
    """Tell what is going on, if it takes longer than a second.

    Args:
        text: what it is.
        total: how much there is to do, where that is known.
    """
    work = Work(text, total)
    if not sys.stderr.isatty():
        yield work
        return
    timer = threading.Timer(_PATIENCE, work.appear)
    timer.daemon = True
    timer.start()
    try:
        yield work
    finally:
        timer.cancel()
        work.disappear()
