"""Runs the command line in a pseudo-terminal, and reads its screen."""

import atexit
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Self
from unicodedata import category

import pyte
import pytest
from pexpect import EOF  # type: ignore[import-untyped]  # the type stubs are another package
from pexpect.fdpexpect import fdspawn  # type: ignore[import-untyped]

termios = pytest.importorskip("termios", reason="Windows has no pseudo-terminals")

#: The command line, with the Python that runs the tests.
PROGRAM = (sys.executable, "-m", "cometchat_desk")

# Seconds to wait for expected output; a machine may be busy.
_PATIENCE = 60


@cache
def _forks() -> socket.socket:
    """The connection to a program that has loaded the command line, and runs each command in a
    fork."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", str(Path(__file__).with_name("forks.py"))]
    program = subprocess.Popen(command, stdin=theirs.fileno())
    theirs.close()
    atexit.register(program.wait)
    atexit.register(ours.close)
    return ours


class Terminal:
    """A running command; a context manager that ends it.

    Attributes:
        output: the output so far, with escape sequences.
        pid: the process id.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        *,
        columns: int = 80,
        lines: int = 50,
        folder: Path | None = None,
    ) -> None:
        self.output = ""
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith("COMETCHAT_")
        }
        # These variables would change how a program sees the terminal.
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CI", "PYTHONWARNINGS"):
            inherited.pop(name, None)
        variables = {**inherited, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **env}
        command = {
            "arguments": list(arguments),
            "folder": str(folder or Path.cwd()),
            "variables": variables,
        }
        self._terminal, inner = os.openpty()
        termios.tcsetwinsize(inner, (lines, columns))
        socket.send_fds(_forks(), [json.dumps(command).encode()], [inner])
        os.close(inner)
        self.pid = self._receive()
        self._code: int | None = None
        self._child = fdspawn(self._terminal, encoding="utf-8", timeout=_PATIENCE)

    @staticmethod
    def _receive() -> int:
        received = b""
        while not received.endswith(b"\n"):
            received += _forks().recv(1)
        return int(received)

    def see(self, text: str) -> None:
        """Wait for a text in the output."""
        self._child.expect_exact(text)
        self.output += f"{self._child.before}{text}"

    def answer(self, text: str) -> None:
        """Type a line."""
        self._child.sendline(text)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._child.send("\x03")

    def end(self) -> int:
        """Wait for the end, and return the exit code."""
        self._child.expect(EOF)
        self.output += f"{self._child.before}"
        self._code = code = self._receive()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)
            self._receive()
        os.close(self._terminal)


class _Screen(pyte.Screen):
    """A terminal that shows each code point by itself, and leaves out those without a width,
    such as joiners."""

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
