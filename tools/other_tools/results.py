"""The results of the tools, in results.json and in the table of docs/tools.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

from attrs import asdict, frozen

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[2] / "docs" / "tools.md"


@frozen
class Result:
    """What one tool could do with one description.

    Attributes:
        tool: its name.
        version: its version.
        file: the name of the description.
        done: the number of calls that had the expected effect.
        calls: the number of calls that were tried.
        problem: the first problem, in the words of the tool, or empty.
    """

    tool: str
    version: str
    file: str
    done: int
    calls: int
    problem: str = ""


def read(path: Path = RESULTS) -> list[Result]:
    """Read the results of the last run."""
    return [Result(**each) for each in json.loads(path.read_text("utf-8"))]


def write(results: list[Result], path: Path = RESULTS) -> None:
    """Replace the results of the last run."""
    path.write_text(json.dumps([asdict(each) for each in results], indent=1) + "\n", "utf-8")


def show(results: list[Result], page: Path = PAGE) -> None:
    """Replace the table of the page."""
    text, last = page.read_text("utf-8"), "\n" + table(results) + "\n"
    page.write_text(re.sub(r"\n\| tool \| version .*?\n(?!\|)", lambda _: last, text, flags=re.DOTALL), "utf-8")


def table(results: list[Result]) -> str:
    """Render the results as Markdown, one line for each tool and file."""
    lines = ["| tool | version | file | calls | first problem |", "|---|---|---|---|---|"]
    for each in results:
        problem = f"`{each.problem.replace('|', chr(92) + '|')}`" if each.problem else ""
        lines.append(f"| {each.tool} | {each.version} | `{each.file}` | {each.done} of {each.calls} | {problem} |")
    return "\n".join(lines)
