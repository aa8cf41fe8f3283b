"""Tries each tool with openapi.yaml, and prints the table of docs/tools.md. Needs network access, Node.js and Java.

python -m tools.other_tools            all tools
python -m tools.other_tools Prism      the tools whose names contain a word
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from . import clients, generators, workplace
from .workplace import Result

TOOLS: dict[str, Callable[[], Result]] = {
    "Redocly CLI, linter": generators.try_linter,
    "Prism, proxy": clients.try_prism_proxy,
    "Prism, mock": clients.try_prism_mock,
    **{name: partial(generators.try_client, name) for name in generators.GENERATORS},
}


def main() -> None:
    """Install, try, and print."""
    words = sys.argv[1:]
    workplace.install()
    print("| tool | version | calls | first problem |\n|---|---|---|---|")
    for name, attempt in TOOLS.items():
        if not words or any(word in name for word in words):
            result = attempt()
            problem = f"`{result.problem.replace('|', chr(92) + '|')}`" if result.problem else ""
            print(f"| {name} | {result.version} | {result.done} of {result.calls} | {problem} |", flush=True)


if __name__ == "__main__":
    main()
