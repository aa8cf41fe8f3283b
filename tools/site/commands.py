"""Generates the documentation of the command line and of the linter from their code."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout

from cometchat_desk.app import program, run
from cometchat_desk.lint import RULES

# A page shows this width without scrolling.
_COLUMNS = "78"


def rules() -> str:
    """Return the text of each rule of the linter, below a heading."""
    sections = [
        f"### {rule.id}\n\n*{rule.severity}* {rule.summary}\n{rule.advice}"
        for rule in RULES.values()
    ]
    return "\n\n".join(sections)


def commands() -> str:
    """Return the help of each command, below a heading."""
    os.environ["COLUMNS"] = _COLUMNS
    sections = []
    for name, command in program().commands.items():
        for member in getattr(command, "commands", [""]):
            path = f"{name} {member}".strip()
            block = f'```text title="cometchat-desk {path} --help"\n{_help(path)}```\n'
            sections.append(f"### {path}\n\n{block}")
    return "\n".join(sections)


def _help(path: str) -> str:
    with redirect_stdout(io.StringIO()) as output:
        run([*path.split(), "--help"])
    return output.getvalue()
