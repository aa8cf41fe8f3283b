"""The live table of `reviewed watch`: counts for each rule, and the newest records on top."""

import logging
import signal
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from threading import RLock
from typing import Self

from rich.console import Console, ConsoleOptions, RenderableType
from rich.live import Live
from rich.segment import Segment, Segments
from rich.text import Text

from cometchat_desk.files import new_threads_without_signals
from cometchat_desk.wording import many

from .columns import Column, Record, text_of
from .logs import captured_logs, line_of
from .table import console, rendered

# More records than any terminal can show.
_KEPT = 200
# Lines below the last table, for the message of the command and for the prompt of the shell.
_ROOM = 4

_COUNTS = (
    Column(title="Rule", value=lambda row: row["rule"], least=16),
    Column(title="Action", value=lambda row: row["action"], width=13),
    Column(title="Records", value=lambda row: row["records"], width=7),
)


class LiveTable:
    """A context manager that shows records and warnings on the whole terminal, and leaves the last table there.

    A second thread draws, because the main thread waits for responses.
    """

    def __init__(self, columns: Sequence[Column], *, interval: float) -> None:
        """`interval` is the seconds between two requests."""
        self._columns = columns
        self._interval = interval
        self._console = console()
        self._live = Live(self, console=self._console, screen=True, redirect_stderr=False, redirect_stdout=False)
        self._lock = RLock()
        self._leaving = ExitStack()
        # The state to show.
        self._started = _now()
        self._requested = ""
        self._problem = ""
        self._warning = ""
        self._counts: Counter[tuple[str, str]] = Counter()
        self._newest: deque[Record] = deque(maxlen=_KEPT)

    def add(self, record: Record) -> None:
        """Show a record on top, and count it by its rule and its action."""
        rule = text_of(record["rule_name"] or record["rule_id"] or "unknown")
        with self._lock:
            self._counts[rule, text_of(record["action"]) or "none"] += 1
            self._newest.appendleft(record)

    def __enter__(self) -> Self:
        with ExitStack() as leaving:
            # The user's screen comes back if SIGTERM ends the program.
            before = signal.signal(signal.SIGTERM, signal.default_int_handler)
            leaving.callback(signal.signal, signal.SIGTERM, before)
            leaving.callback(self._finish)
            leaving.enter_context(captured_logs(self._take))
            with new_threads_without_signals():
                self._live.start()
            self._leaving = leaving.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving.close()

    def _finish(self) -> None:
        self._live.stop()
        if self._newest or self._problem or self._warning:
            lines = self._console.render_lines(self, pad=False)[: max(self._console.height - _ROOM, 1)]
            shown = Segments(segment for line in lines for segment in (*line, Segment.line()))
            self._console.print(shown, end="")

    def _take(self, entry: logging.LogRecord) -> None:
        event = getattr(entry, "event_name", None)
        with self._lock:
            if event == "attempt":
                self._requested = _now()
                if getattr(entry, "status", None) == 200:
                    self._problem = ""
            elif entry.levelno >= logging.WARNING:
                text = f"{_now()} UTC: {line_of(entry)}"
                if event == "watch":
                    self._problem = text
                else:
                    self._warning = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        with self._lock:
            yield from self._about()
            if self._counts:
                yield from self._table_of_counts(options.max_width, max(console.height // 3, 2))
            # A record needs at least one line.
            newest = list(self._newest)[: console.height]
            if newest:
                yield rendered(newest, self._columns, options.max_width)

    def _about(self) -> Iterator[Text]:
        requested = f"last request {self._requested} UTC" if self._requested else "waiting for the first response"
        about = f"{many(self._counts.total(), 'record', 'records')} since {self._started} UTC; {requested}"
        if self._live.is_started:
            about += f"; a request every {self._interval:g} s; press Ctrl-C to stop"
        yield Text(about, "bold")
        yield from (Text(text, "yellow") for text in (self._warning, self._problem) if text)
        yield Text("")

    def _table_of_counts(self, width: int, most: int) -> Iterator[RenderableType]:
        rows = self._counts.most_common()
        # The last line says how many rows are missing.
        shown = rows if len(rows) <= most else rows[: most - 1]
        records = [{"rule": rule, "action": action, "records": f"{count:,}"} for (rule, action), count in shown]
        yield rendered(records, _COUNTS, min(width, 80))
        if len(shown) < len(rows):
            yield Text(f"{len(rows) - len(shown):,} more", "dim")
        yield Text("")


def _now() -> str:
    return f"{datetime.now(UTC):%H:%M:%S}"
