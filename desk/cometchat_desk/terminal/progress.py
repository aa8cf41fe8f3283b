"""A progress note on the terminal, which disappears when the work is done."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from cometchat_desk.files import new_threads_without_signals

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text


class ProgressNote:
    """A context manager, also for several blocks, that shows the work, and how many of `total`
    items are done."""

    def __init__(self, text: str, total: int | None = None) -> None:
        self._text = text
        self._total = total
        self._done = 0
        self._live: Live | None = None

    def advance(self, count: int = 1) -> None:
        """Report that `count` more items are done."""
        self._done += count

    def _line(self) -> Text:
        from rich.text import Text

        count = "" if self._total is None else f" {self._done:,}/{self._total:,}"
        return Text(f"{self._text}{count} ...", no_wrap=True, overflow="ellipsis")

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.live import Live

            from .table import console

            target = console(stderr=True)
            # Records go to stdout as they are, also while the note is shown.
            self._live = Live(
                get_renderable=self._line, console=target, transient=True, redirect_stdout=False
            )
            with new_threads_without_signals():
                self._live.start()
            # A program that is killed must not leave a terminal without a cursor.
            target.show_cursor()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
