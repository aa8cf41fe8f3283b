"""Tries each tool with both descriptions, and writes results.json and the table of docs/tools.md.

python -m tools.other_tools            all tools
python -m tools.other_tools Prism      the tools whose names contain a word
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from . import clients, generators, results, workplace
from .results import Result

TOOLS: dict[str, Callable[[Path], Result]] = {
    "Prism, proxy": clients.try_prism_proxy,
    "Prism, mock": clients.try_prism_mock,
    "openapi-core": clients.try_openapi_core,
    **{each.name: partial(generators.try_client, each) for each in generators.GENERATORS},
}


def main() -> None:
    """Install, try, and write."""
    words = sys.argv[1:]
    workplace.WORK.mkdir(exist_ok=True)
    workplace.install()
    found = {(each.tool, each.file): each for each in results.read()} if results.RESULTS.is_file() else {}
    for name, attempt in TOOLS.items():
        if not words or any(word in name for word in words):
            for description in workplace.FILES:
                result = attempt(description)
                found[name, description.name] = result
                print(f"{name}, {description.name}: {result.done} of {result.calls} {result.problem}")
    rows = [found[name, file.name] for name in TOOLS for file in workplace.FILES if (name, file.name) in found]
    results.write(rows)
    results.show(rows)


if __name__ == "__main__":
    main()
