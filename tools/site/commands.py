"""Generates the documentation of the command line and of the linter from their code."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import redirect_stdout

from cometchat_desk.app import program, run
from cometchat_desk.exit_codes import Code
from cometchat_desk.lint import RULES

# A page shows this width without scrolling.
_COLUMNS = "78"


def exit_codes() -> str:
    """Return a table of the exit codes."""
    rows = [f"| {code.value} | {code.meaning} |" for code in Code]
    return "\n".join(["| code | meaning |", "|---|---|", *rows])


def rules() -> str:
    """Return the text of each rule of the linter, below a heading."""
    sections = [
        f"### {rule.id}\n\n*{rule.severity}* {rule.summary}\n{rule.advice}"
        for rule in RULES.values()
    ]
    return "\n\n".join(sections)


def commands() -> str:
    """Return the help of each command, below a heading."""
    sections = [f"### {name}\n\n```text\n{_help(name)}```\n" for name in _names(program())]
    return "\n".join(sections)


def _names(command: object, path: str = "") -> Iterator[str]:
    """Yield the names of a command and of the commands in its group."""
    group = getattr(command, "commands", None)
    if group is not None:
        for name, inner in group.items():
            yield from _names(inner, f"{path} {name}".strip())
    elif path:
        yield path


def _help(name: str) -> str:
    os.environ["COLUMNS"] = _COLUMNS
    with redirect_stdout(io.StringIO()) as output:
        code = run([*name.split(), "--help"])
    if code:
        raise RuntimeError(f"{name} --help ended with {code}")
    return output.getvalue()
