"""Runs the command line in a pseudo-terminal, and reads its screen."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self
from unicodedata import category

import pexpect  # type: ignore[import-untyped]  # the type stubs are another package
import pyte

#: The command line, with the Python that runs the tests.
PROGRAM = (sys.executable, "-m", "cometchat_desk")

# Seconds to wait for expected output; a machine may be busy.
_PATIENCE = 60


class Terminal:
    """A running command; a context manager that ends it.

    Attributes:
        output: the output so far, with escape sequences.
    """

    def __init__(
        self, arguments: Sequence[str], env: Mapping[str, str], *, columns: int = 80, folder: Path | None = None
    ) -> None:
        self.columns = columns
        self.output = ""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("COMETCHAT_")}
        # These variables would change how a program sees the terminal.
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CI", "PYTHONWARNINGS"):
            inherited.pop(name, None)
        self._child = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *arguments],
            env={**inherited, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **env},
            dimensions=(50, columns),
            cwd=folder,
            encoding="utf-8",
            timeout=_PATIENCE,
        )

    @property
    def pid(self) -> int:
        """The process id."""
        return int(self._child.pid or 0)

    def see(self, text: str) -> None:
        """Wait for a text in the output."""
        self._child.expect_exact(text)
        self.output += f"{self._child.before}{text}"

    def answer(self, text: str) -> None:
        """Type a line."""
        self._child.sendline(text)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the terminal."""
        self.columns = columns
        self._child.setwinsize(lines, columns)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._child.sendintr()

    def end(self) -> int:
        """Wait for the end, and return the exit code."""
        self._child.expect(pexpect.EOF)
        self.output += f"{self._child.before}"
        self._child.close()
        return -1 if self._child.exitstatus is None else self._child.exitstatus

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close(force=True)


class _Screen(pyte.Screen):
    """A terminal that shows each code point by itself, and leaves out those without a width, such as joiners."""

    def draw(self, data: str) -> None:
        # Otherwise pyte leaves out the rest of a text after such a code point.
        for character in data:
            # In the last column, pyte would put a mark into the next line.
            if not (category(character) in ("Mn", "Me", "Cf") and self.cursor.x == self.columns):
                super().draw(character)


def screen_of(output: str, columns: int, lines: int = 50) -> pyte.Screen:
    """Return the screen of a terminal after this output."""
    screen = _Screen(columns, lines)
    # pyte does not support the sequence for keyboard modes, and does not need it.
    pyte.Stream(screen).feed(re.sub(r"\x1b\[[<>=]\d*u", "", output))
    return screen


def text_of(screen: pyte.Screen) -> str:
    """Return the text of a screen without empty ends."""
    return "\n".join(line.rstrip() for line in screen.display).rstrip()
