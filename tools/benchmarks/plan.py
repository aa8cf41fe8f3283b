"""Measure the planning of a keyword list of 100,000 entries; half of its entries are already there.

python tools/benchmarks/plan.py

There are three kinds of lists: words; everyday patterns, as people write them against spam; and patterns with named
groups, each of which has to be compiled. For each kind, a new process makes one plan, and reports the CPU time of the
plan and the peak memory of the process.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from cometchat_openapi.models import KeywordList
from cometchat_rest import PatternListInput, WordListInput
from cometchat_rest.keywords.plan import compare

ENTRIES = 100_000
_WORDS = ("free", "coins", "gram", "cash", "love", "hack", "bank", "gift", "card", "win", "prize", "click", "scam")
# Linux counts in kilobytes, macOS in bytes.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def everyday(number: int, draw: random.Random) -> str:
    """An everyday pattern, as people write it."""
    one, other = draw.choices(_WORDS, k=2)
    shapes = (
        rf"\b{one}[e3]{{2}}\s?{other}{number}\b",
        rf"\d{{4}}[- ]\d{{4}}[- ]{number}",
        rf"(?i){one}\.me/\w{{9}}{number}",
        rf"(?:{one}|{other})\s?{number}[a-z0-9]{{8}}",
        rf"^{one}({other}|{number})?$",
        rf"[{one[0]}4@]{other}{number}x?",
    )
    return draw.choice(shapes)


KINDS: dict[str, Callable[[int, random.Random], str]] = {
    "words": lambda number, draw: f"{draw.choice(_WORDS)} {number}",
    "everyday patterns": everyday,
    "patterns with named groups": lambda number, draw: f"(?P<n>x){everyday(number, draw).removeprefix('(?i)')}",
}


def plan(kind: str) -> None:
    """Make one plan, and print its CPU time and the peak memory."""
    draw = random.Random(0)  # noqa: S311 - the same lists each time
    entries = [KINDS[kind](number, draw) for number in range(ENTRIES * 3 // 2)]
    category, chosen = ("word", WordListInput) if kind == "words" else ("pattern", PatternListInput)
    record = {"id": "list", "name": "list", "category": category, "searchTerms": entries[:ENTRIES], "createdAt": 1}
    keyword_list = KeywordList.from_dict(record)
    began = time.process_time()
    found = compare("list", keyword_list, chosen(search_terms=entries[-ENTRIES:]))
    seconds = time.process_time() - began
    assert len(found.added) == len(found.removed) == len(found.unchanged) == ENTRIES // 2
    assert not found.invalid_patterns
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT / 1e6]))


def main() -> None:
    """Plan each kind of list, and show a table."""
    if sys.argv[1:2] == ["plan"]:
        plan(sys.argv[2])
        return
    table = Table("lists of", "CPU s", "peak MB", title=f"planning {ENTRIES:,} entries against {ENTRIES:,} others")
    for kind in KINDS:
        done = subprocess.run([sys.executable, __file__, "plan", kind], check=True, capture_output=True, text=True)
        seconds, peak = json.loads(done.stdout)
        table.add_row(kind, f"{seconds:.2f}", f"{peak:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
