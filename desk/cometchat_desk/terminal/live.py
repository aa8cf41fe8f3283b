"""The live table of `reviewed watch`: counts for each rule, and the newest records on top."""

import contextlib
import logging
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from types import FrameType
from typing import Self

from cometchat_desk.files import block_signals
from cometchat_desk.wording import many

from .cells import wrapped
from .columns import Column, Record, text_of
from .logs import captured_logs, line_of
from .table import Layout, Line, Painter, Part, can_move_cursor, console

# Seconds between two looks at the state and at the size of the terminal.
_REFRESH = 0.1
# More records than any terminal can show.
_KEPT = 500
# Switch to the second screen of the terminal, hide the cursor, and cut long lines; and the reverse. The first screen
# keeps the user's lines, and a terminal does not wrap lines of the second screen again if its size changes.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?7l\x1b[?25l", "\x1b[?25h\x1b[?7h\x1b[?1049l"
# Clear the screen before a drawing: clearing a line after its text would erase the last character of a full line. A
# terminal that knows the outer sequences shows the drawing when it is complete, without flickering.
_BEGIN_DRAWING, _END_DRAWING = "\x1b[?2026h\x1b[H\x1b[J", "\x1b[?2026l"
# Lines below the last table, for the message of the command and for the prompt of the shell.
_ROOM = 4

_COUNTS = (
    Column(title="Rule", value=lambda row: row["rule"], least=16),
    Column(title="Action", value=lambda row: row["action"], width=26, narrow=13),
    Column(title="Records", value=lambda row: row["records"], width=9, narrow=7),
)


def can_show() -> bool:
    """Whether stdout is a terminal that can show a live table."""
    return can_move_cursor(console())


class LiveTable:
    """A context manager that shows records and warnings on the whole terminal, and leaves the last table there.

    A second thread draws, because the main thread waits for responses.
    """

    def __init__(self, columns: Sequence[Column], *, interval: float) -> None:
        """`interval` is the seconds between two requests."""
        self._columns = columns
        self._interval = interval
        self._console = console()
        self._painter = Painter(self._console)
        self._lock = threading.Lock()
        self._finished = threading.Event()
        self._leaving = contextlib.ExitStack()
        # The state to show.
        self._started = _now()
        self._requested = ""
        self._problem = ""
        self._warning = ""
        self._counts: Counter[tuple[str, str]] = Counter()
        self._newest: deque[Record] = deque(maxlen=_KEPT)
        self._changes = 0

    def add(self, record: Record) -> None:
        """Show a record on top, and count it by its rule and its action."""
        rule = text_of(record["rule_name"] or record["rule_id"] or "unknown")
        with self._lock:
            self._counts[rule, text_of(record["action"]) or "none"] += 1
            self._newest.appendleft(record)
            self._changes += 1

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as leaving:
            leaving.callback(self._finish)
            leaving.enter_context(captured_logs(self._take))
            leaving.enter_context(_restored_at_sigterm())
            self._write(_ENTER)
            ready = threading.Event()
            threading.Thread(target=self._draw, args=(ready,), daemon=True).start()
            # Before the thread is ready, the system could still deliver Ctrl-C to it.
            ready.wait()
            self._leaving = leaving.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving.close()

    def _finish(self) -> None:
        self._finished.set()
        with self._lock:
            self._write(_LEAVE)
            if self._newest or self._problem or self._warning:
                width, height = self._console.size
                self._write("".join(f"{line}\n" for line in self._frame(width, height - _ROOM, is_last=True)))

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
            self._changes += 1

    def _draw(self, ready: threading.Event) -> None:
        block_signals()
        ready.set()
        drawn: object = None
        # A terminal that is gone ends the program with a signal.
        with contextlib.suppress(OSError):
            while not self._finished.is_set():
                with self._lock:
                    width, height = self._console.size
                    state = (self._changes, width, height)
                    if state != drawn and not self._finished.is_set():
                        lines = self._frame(width, height, is_last=False)
                        self._write(_BEGIN_DRAWING + "\n".join(lines) + _END_DRAWING)
                        drawn = state
                self._finished.wait(_REFRESH)

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()

    def _frame(self, width: int, height: int, *, is_last: bool) -> list[str]:
        top = [*self._about(width, is_last=is_last), [], *self._table_of_counts(width, height // 3)]
        lines = [*top, *self._table_of_records(width, height - len(top))]
        return [self._painter.paint(line) for line in lines[: max(height, 1)]]

    def _about(self, width: int, *, is_last: bool) -> Iterator[Line]:
        requested = f"last request {self._requested} UTC" if self._requested else "waiting for the first response"
        about = f"{many(self._counts.total(), 'record', 'records')} since {self._started} UTC; {requested}"
        if not is_last:
            about += f"; a request every {self._interval:g} s; press Ctrl-C to stop"
        for text, style in ((about, "bold"), (self._warning, "yellow"), (self._problem, "yellow")):
            if text:
                yield from ([Part(0, line, style)] for line in wrapped(text, width))

    def _table_of_counts(self, width: int, most: int) -> Iterator[Line]:
        if not self._counts:
            return
        layout = Layout(_COUNTS, min(width, 80))
        yield from layout.head()
        rows = sorted(self._counts.items(), key=lambda row: (-row[1], row[0]))
        # The last line says how many rows are missing.
        shown = rows if len(rows) <= most else rows[: max(most - 1, 1)]
        for (rule, action), records in shown:
            yield from layout.row({"rule": rule, "action": action, "records": f"{records:,}"})
        if len(shown) < len(rows):
            yield [Part(0, f"{len(rows) - len(shown):,} more", "dim")]
        yield []

    def _table_of_records(self, width: int, most: int) -> Iterator[Line]:
        """The newest records in at most `most` lines; no record is cut, except a first one that is too long."""
        layout = Layout(self._columns, width)
        head = layout.head() if self._newest and layout.has_head else []
        yield from head
        most -= len(head)
        for number, record in enumerate(self._newest):
            lines = layout.row(record)
            if number and not layout.has_head:
                lines = [[], *lines]
            if number and len(lines) > most:
                return
            yield from lines
            most -= len(lines)


def _now() -> str:
    return f"{datetime.now(UTC):%H:%M:%S}"


@contextlib.contextmanager
def _restored_at_sigterm() -> Iterator[None]:
    """Show the user's screen again if SIGTERM ends the program."""

    def leave(number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.write(sys.stdout.fileno(), _LEAVE.encode())
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
