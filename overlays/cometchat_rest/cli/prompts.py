"""Questions to whoever sits at the terminal: secrets, which are not shown while typed, and yes or no."""

from __future__ import annotations

import sys

from .exit_codes import Code, StopError


def can_ask() -> bool:
    """Whether somebody sits there to answer."""
    return sys.stdin.isatty()


def ask_secret(question: str) -> str:
    """What is typed, unseen, at the terminal; an empty text at the end of input."""
    from getpass import getpass

    try:
        return getpass(f"{question}: ", sys.stderr).strip()
    except EOFError:
        print(file=sys.stderr)
        return ""


def confirm(question: str, *, yes: bool) -> None:
    """Go on only after a yes.

    Args:
        question: what is about to be done.
        yes: whether that was said beforehand, with `--yes`.

    Raises:
        StopError: the answer is anything else, or there is nobody to ask.
    """
    if yes:
        return
    if not can_ask():
        raise StopError(Code.USAGE, f"{question} There is no terminal to ask at: say --yes. Nothing was changed.")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        print(file=sys.stderr)
    if answer.strip().casefold() not in ("y", "yes"):
        raise StopError(Code.NO, "nothing was changed")
