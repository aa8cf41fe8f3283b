"""Standard input: all its bytes, or answers at the terminal: texts, secrets, which are not
shown, and yes or no."""

import sys
from pathlib import Path

from cometchat_desk.exit_codes import Code, StopError

from .text import fitted, say, visible


def can_ask() -> bool:
    """Whether stdin is a terminal."""
    return sys.stdin.isatty()


def ask_secret(question: str) -> str:
    """Ask for a secret without showing it; returns an empty text at the end of input."""
    from getpass import getpass

    try:
        return getpass(f"{question}: ", sys.stderr).strip()
    except EOFError:
        print(file=sys.stderr)
        return ""


def ask(question: str) -> str:
    """Ask for a text; returns an empty text at the end of input."""
    print(f"{fitted(question)} ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        print(file=sys.stderr)
    return answer.strip()


def stdin_bytes(largest: int) -> bytes:
    """All bytes of standard input. At a terminal, a note says how to end the input."""
    if can_ask():
        say("Type one text per line, and end with Ctrl-D.")
    data = sys.stdin.buffer.read(largest + 1)
    if len(data) > largest:
        raise StopError(Code.USAGE, f"standard input is larger than {largest >> 20} MiB; divide it")
    return data


def confirm_replacement(file: Path, *, yes: bool) -> None:
    """Ask before a file is replaced, unless `yes` is set."""
    if file.exists():
        confirm(f"Replace {visible(str(file))}?", yes=yes)


def confirm(question: str, *, yes: bool) -> None:
    """Ask for confirmation, unless `yes` is set. Call this before the first change: nothing was
    changed until then."""
    if yes:
        return
    if not can_ask():
        reason = (
            "Standard input is not a terminal, so nobody can answer: to agree in advance, add"
            " --yes. Nothing was changed."
        )
        raise StopError(Code.USAGE, f"{question} {reason}")
    if ask(f"{question} [y/N]").casefold() not in ("y", "yes"):
        raise StopError(Code.NO, "nothing was changed")
