"""Shows that trying a list on messages needs the same time and memory for one term as for 100,000 terms.

python benchmarks/try_list.py             1,000,000 messages; takes some minutes
python benchmarks/try_list.py 50000       this number of messages
python benchmarks/try_list.py 50000 draw  also write benchmarks/try_list.json, and draw docs/try.svg from it

The messages are twelve invented words each. One term occurs in every hundredth message; all other terms are made from
the same syllables, and occur in no message as a whole word. So the number of matches does not depend on the number of
terms. For each number of terms, a new process tries the list. Other ways to do the same are measured beside it: `grep`
with a file of terms, which does not count per term and is ended after a minute, and a loop over the terms in Python, on
a part of the messages.
Exported reviewed messages (`.jsonl`) are measured with the largest number of terms.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import environments
from rich.console import Console
from rich.table import Table

from cometchat_rest.insight.matcher import ListTerms
from cometchat_rest.insight.messages import Messages
from cometchat_rest.insight.try_list import try_list

MESSAGES = 1_000_000
TERMS = (1, 100, 10_000, 100_000)
#: The loop gets slower with the number of terms, so it gets this number of message-term pairs at most.
_LOOP_PAIRS = 10_000_000
#: Grep is ended after this many seconds: with many terms it would run for hours.
_GREP_TIMEOUT = 60
_SYLLABLES = ("ka", "lo", "mi", "ta", "ren", "sol", "vi", "du", "na", "pe", "gor", "shi", "bal", "tu", "zen", "wa")
_FOUND = "scammer"
# The unit of ru_maxrss: kilobytes on Linux, bytes on macOS.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def word(number: int) -> str:
    """An invented word; each number has another one."""
    syllables = ""
    while number or not syllables:
        number, digit = divmod(number, len(_SYLLABLES))
        syllables += _SYLLABLES[digit]
    return syllables


def terms(count: int) -> list[str]:
    """The terms: one that occurs, and others that do not."""
    return [_FOUND, *(f"{word(number)}x" for number in range(1, count))]


def texts(count: int) -> list[str]:
    """The messages."""
    draw = random.Random(0)  # noqa: S311 - the same messages each time
    words = [word(number) for number in range(20_000)]
    weights = [1 / (1 + number) for number in range(len(words))]
    drawn = draw.choices(words, weights, k=12 * count)
    return [
        " ".join([*drawn[at * 12 : at * 12 + 11], _FOUND if at % 100 == 0 else drawn[at * 12 + 11]])
        for at in range(count)
    ]


def write_export(path: Path, messages: list[str]) -> None:
    """Write the messages as exported records."""
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(messages):
            data = {"text": text, "moderation": {"status": "approved" if number % 7 == 0 else "disapproved"}}
            message = {"id": str(number), "sender": f"user-{number % 999}", "type": "text", "data": data}
            record = {"ruleId": "rule", "ruleName": "Block words", "createdAt": 1_757_955_951 + number}
            file.write(json.dumps({**record, "action": ["blockMessage"], "message": message}) + "\n")


def try_file(count: str, path: str) -> None:
    """Try a list on a file, and print the CPU seconds for the terms and the messages, and the peak memory."""
    live = ListTerms(category="word", terms=("other",))
    new = ListTerms(category="word", terms=tuple(terms(int(count))))
    began = time.process_time()
    try_list(live, new, [])
    compiled = time.process_time()
    with Messages(path) as messages:
        found = try_list(live, new, messages)
    seconds = time.process_time() - compiled - (compiled - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
    assert found.newly_matched == -(-found.messages // 100)
    print(json.dumps({"compile": compiled - began, "seconds": seconds, "peak": peak, "messages": found.messages}))


def grep(count: int, folder: Path, path: Path) -> dict[str, Any]:
    """Let grep search for whole words in any case; it shows lines, and not which term they contain."""
    listed = folder / "terms.txt"
    listed.write_text("\n".join(terms(count)) + "\n", "utf-8")
    program = shutil.which("grep")
    assert program is not None
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        # The locale C is much faster than UTF-8, but it does not ignore the case of letters beyond ASCII.
        command = [program, "-F", "-i", "-w", "-c", "-f", listed, path]
        done = subprocess.run(command, capture_output=True, check=True, timeout=_GREP_TIMEOUT, env={"LC_ALL": "C"})
    except subprocess.TimeoutExpired:
        return {"seconds": None}
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert int(done.stdout) > 0
    return {"seconds": ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime}


def loop(count: int, path: Path, messages: int) -> dict[str, Any]:
    """Search for each term in each message, as a script of a few lines would."""
    wanted = [f" {term} " for term in terms(count)]
    with path.open(encoding="utf-8") as file:
        part = [line.rstrip("\n") for line in islice(file, max(10, _LOOP_PAIRS // count))]
    began = time.process_time()
    for text in part:
        padded = f" {text.casefold()} "
        _ = [term for term in wanted if term in padded]
    return {"seconds": (time.process_time() - began) * messages / len(part), "measured": len(part)}


def write_files(count: str, folder: str) -> None:
    """Write the messages as text, a tenth of them as text, and as exported records."""
    messages = texts(int(count))
    for name, part in (("messages.txt", messages), ("tenth.txt", messages[: len(messages) // 10])):
        Path(folder, name).write_text("\n".join(part) + "\n", "utf-8")
    write_export(Path(folder, "messages.jsonl"), messages)


def measure(count: int) -> dict[str, Any]:
    """Measure all numbers of terms on `count` messages.

    Linux counts the memory of a process before `exec` as a part of the peak of the new program. So this process stays
    small: another one writes the messages, and the loop, which holds messages, runs last.
    """
    found: dict[str, Any] = {"messages": count, "rows": []}
    with TemporaryDirectory() as name:
        folder = Path(name)
        _child("write", str(count), name)
        plain = folder / "messages.txt"
        for number in TERMS:
            row = {"terms": number, "try": _try(number, plain), "grep": grep(number, folder, plain)}
            found["rows"].append(row)
        found["export"] = _try(TERMS[-1], folder / "messages.jsonl")
        found["tenth"] = _try(TERMS[-1], folder / "tenth.txt")
        for row in found["rows"]:
            row["loop"] = loop(row["terms"], plain, count)
    return found


def _try(count: int, path: Path) -> Any:
    return json.loads(_child("try", str(count), str(path)))


def _child(*arguments: str) -> str:
    return subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True).stdout


def draw(found: dict[str, Any]) -> None:
    """Write the results, and draw the plot from this file in an environment with matplotlib."""
    results = Path(__file__).with_name("try_list.json")
    results.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    plots, folder = results.with_name("plots.py"), results.parents[1] / "docs"
    subprocess.run([environments.make("plot"), plots, results, folder], check=True, timeout=120)


def main() -> None:
    """Measure, and print a table."""
    if sys.argv[1:2] == ["try"]:
        try_file(*sys.argv[2:])
        return
    if sys.argv[1:2] == ["write"]:
        write_files(*sys.argv[2:])
        return
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES)
    if sys.argv[2:] == ["draw"]:
        draw(found)
    title = f"CPU seconds to try a list on {found['messages']:,} messages"
    table = Table("terms", "messages", "compile s", "match s", "peak MB", "grep s", "Python loop s", title=title)
    for row in found["rows"]:
        ours = row["try"]
        table.add_row(
            *_cells(row["terms"], ".txt", ours), _grep_cell(row["grep"]["seconds"]), f"{row['loop']['seconds']:,.0f}"
        )
    table.add_row(*_cells(TERMS[-1], ".jsonl", found["export"]))
    table.add_row(*_cells(TERMS[-1], "a tenth, .txt", found["tenth"]))
    Console().print(table)


def _grep_cell(seconds: float | None) -> str:
    return f"more than {_GREP_TIMEOUT}" if seconds is None else f"{seconds:.1f}"


def _cells(count: int, name: str, ours: dict[str, Any]) -> list[str]:
    return [f"{count:,}", name, f"{ours['compile']:.2f}", f"{ours['seconds']:.1f}", f"{ours['peak'] / 1e6:.0f}"]


if __name__ == "__main__":
    main()
