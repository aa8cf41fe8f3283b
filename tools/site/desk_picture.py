"""Draws a session of the desk at a terminal, for its first page.

python -m tools.site.desk_picture

It runs the program against the simulator, answers its questions, and writes what a terminal shows
to docs/assets/desk-undo.svg. Run it again after a change of these outputs; a test compares both.
"""

import os
import re
import shlex
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pyte
from pyte.screens import Char

from cometchat_testing import Simulator

PICTURE = Path("docs/assets/desk-undo.svg")
#: The port of the simulator, as on the pages.
PORT = 8081
#: A change, and the command that the change prints to undo it.
COMMANDS = (
    "keywords add community-words phishing 'free crypto' --app shop",
    "keywords undo community-words --app shop",
)
_COLUMNS = 80
# In pixels: the width of a character, the height of a line, and the space around them.
_CHARACTER, _LINE, _EDGE = 8.4, 19, 16
_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_PAPER, _TEXT = "#12161e", "#d7dde8"
_COLORS = {"red": "#ff7b72", "green": "#7ee787", "brown": "#e3b341", "cyan": "#76d9e6"}
# The time of an update, and the one that the picture shows in its place.
_TIME, _SHOWN_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "2026-07-01 09:30"
_DESCRIPTION = (
    "A terminal. The command keywords add shows a plan with two green lines, asks, and prints the"
    " command that undoes the change. That command shows the same two lines in red, asks, and takes"
    " them back."
)


def draw() -> str:
    """Run the commands, and return the picture."""
    lines: list[Sequence[Char]] = []
    with Simulator(port=PORT) as simulator, TemporaryDirectory() as home:
        simulator.add_history(days=14)
        environment = _environment(Path(home), simulator)
        for command in COMMANDS:
            lines += _plain(f"$ cometchat-desk {command}")
            lines += _session(command, environment)
            lines += _plain("")
    return _picture(lines[:-1])


def _environment(home: Path, simulator: Simulator) -> dict[str, str]:
    """The variables of a user who has the app shop."""
    profiles = home / ".config" / "cometchat-desk" / "profiles.toml"
    profiles.parent.mkdir(parents=True)
    profiles.write_text(
        f'[apps.shop]\nbase_url = "{simulator.base_url}"\napi_key = "{simulator.api_key}"\n'
    )
    profiles.chmod(0o600)
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
    }


def _session(command: str, environment: dict[str, str]) -> Sequence[Sequence[Char]]:
    """The lines of a terminal after a command that asks one question, which gets a yes."""
    ours, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (50, _COLUMNS))
    program = subprocess.Popen(
        [sys.executable, "-m", "cometchat_desk", *shlex.split(command)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
    )
    os.close(terminal)
    screen = pyte.Screen(_COLUMNS, 50)
    stream = pyte.ByteStream(screen)
    seen = b""
    for part in _output(ours):
        seen += part
        stream.feed(part)
        if seen.endswith(b"[y/N] "):
            os.write(ours, b"y\n")
    os.close(ours)
    if program.wait():
        raise SystemExit(f"{command} failed:\n{seen.decode()}")
    rows = [_row(screen, number) for number in range(50)]
    shown = [number for number, row in enumerate(rows) if _text(row).strip()]
    return rows[: shown[-1] + 1]


def _row(screen: pyte.Screen, number: int) -> Sequence[Char]:
    """A line of a terminal, in which each time is the same in all pictures."""
    row = [screen.buffer[number][column] for column in range(_COLUMNS)]
    text = _TIME.sub(_SHOWN_TIME, _text(row))
    return [cell._replace(data=character) for cell, character in zip(row, text, strict=True)]


def _output(terminal: int) -> Iterator[bytes]:
    """The output of a program until its end, at which Linux reports an error."""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            return
        if not part:
            return
        yield part


def _plain(text: str) -> Sequence[Sequence[Char]]:
    return [[Char(character, bold=True) for character in text]]


def _text(row: Sequence[Char]) -> str:
    return "".join(cell.data for cell in row)


def _picture(lines: Sequence[Sequence[Char]]) -> str:
    width = round(_COLUMNS * _CHARACTER + 2 * _EDGE)
    height = len(lines) * _LINE + 2 * _EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<desc>{_DESCRIPTION}</desc>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{_PAPER}"/>',
        f'<g font-family="{_FONT}" font-size="14" fill="{_TEXT}">',
    ]
    for number, line in enumerate(lines):
        parts += _drawn(line, _EDGE + (number + 1) * _LINE - 5)
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _drawn(line: Sequence[Char], y: int) -> Iterator[str]:
    """A line of the picture: each run of characters with one style is a text of its own width."""
    column = 0
    for (color, bold), cells in groupby(line, lambda cell: (cell.fg, cell.bold)):
        run = _text(list(cells))
        start, column = column, column + len(run)
        text = run.strip()
        if not text:
            continue
        start += len(run) - len(run.lstrip())
        x = round(_EDGE + start * _CHARACTER, 1)
        length = round(len(text) * _CHARACTER, 1)
        style = f' fill="{_COLORS[color]}"' if color in _COLORS else ""
        style += ' font-weight="bold"' if bold else ""
        content = escape(text, quote=False)
        yield f'<text x="{x}" y="{y}" textLength="{length}"{style}>{content}</text>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
