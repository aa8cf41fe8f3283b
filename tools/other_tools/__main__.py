"""Tries each tool with both descriptions, and writes results.json and the table of docs/tools.md.

python -m tools.other_tools            all tools
python -m tools.other_tools Prism      the tools whose names contain a word
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import product
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
    known = {(each.tool, each.file): each for each in results.read()} if results.RESULTS.is_file() else {}
    chosen = [name for name in TOOLS if not words or any(word in name for word in words)]
    for name, description in product(chosen, workplace.FILES):
        result = known[name, description.name] = TOOLS[name](description)
        print(f"{name}, {description.name}: {result.done} of {result.calls} {result.problem}")
    rows = [known[place] for name, file in product(TOOLS, workplace.FILES) if (place := (name, file.name)) in known]
    results.write(rows)
    results.show(rows)


if __name__ == "__main__":
    main()
