"""Computes ratios from measured seconds, and tables from ratios: for the terminal, and for the pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.table import Table
from rows import MEMORY_TARGET, ROWS

_ROOT = Path(__file__).resolve().parent.parent
#: The pages with blocks that are made from the results.
PAGES = (_ROOT / "README.md", _ROOT / "docs" / "performance.md")
_BLOCK = re.compile(r"(<!-- results: (\w+) -->\n).*?(\n<!-- end of the results -->)", re.DOTALL)

#: CPU seconds by row and contender, one value for each round.
Seconds = Mapping[str, Mapping[str, Sequence[float]]]


def ratios(seconds: Seconds, base: str) -> dict[str, dict[str, dict[str, float]]]:
    """Return the median and quartiles of the ratios to the base; each ratio is from one round."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row, by_contender in seconds.items():
        for name, values in by_contender.items():
            within = [value / one for value, one in zip(values, by_contender[base], strict=True)]
            low, _, high = quantiles(within, n=4, method="inclusive")
            found.setdefault(row, {})[name] = {"median": median(within), "low": low, "high": high}
    return found


def milliseconds(seconds: Seconds) -> dict[str, dict[str, float]]:
    """Return the cost of one piece of work for each contender, in milliseconds."""
    return {
        row: {name: median(values) / ROWS[row].repeats * 1000 for name, values in by_contender.items()}
        for row, by_contender in seconds.items()
    }


def table(results: Mapping[str, Any], ours: str) -> Table:
    """Return the table of results: a line for each row, a column for each contender, and the targets."""
    contenders = list(results["contenders"])
    title = f"CPU time of the client, as a ratio to {contenders[0]}: median (quartiles) of {results['rounds']} rounds"
    result = Table("work", f"{contenders[0]} ms", *contenders[1:], "target", title=title)
    for row, by_contender in results["ratios"].items():
        cells = [_cell(by_contender.get(name)) for name in contenders[1:]]
        target = ROWS[row].target
        verdict = "" if target is None else _verdict(by_contender[ours]["median"], target, f"{target:.2f}")
        result.add_row(
            f"{row} {ROWS[row].title}", f"{results['milliseconds'][row][contenders[0]]:.2f}", *cells, verdict
        )
    memory = results["memory"]
    cells = [f"{memory[name] / 1e6:.2f} MB" if name in memory else "-" for name in contenders]
    verdict = _verdict(memory[ours], MEMORY_TARGET, f"{MEMORY_TARGET / 1e6:.2f} MB")
    result.add_row("B memory kept", cells[0], *cells[1:], verdict)
    return result


def with_results(page: str, results: Mapping[str, Any]) -> str:
    """Return a page with new blocks: each block of results is made again."""
    makers = {"table": _page_table, "machine": _machine, "summary": _summary}
    return _BLOCK.sub(lambda block: f"{block[1]}{makers[block[2]](results)}{block[3]}", page)


def _page_table(results: Mapping[str, Any]) -> str:
    base, _, *names = results["contenders"]
    lines = [f"| work | {base}, ms | {' | '.join(names)} |", f"|{'---|' * (len(names) + 2)}"]
    for row, by_contender in results["ratios"].items():
        cells = [_cell(by_contender.get(name)) for name in names]
        lines.append(f"| {ROWS[row].title} | {results['milliseconds'][row][base]:.2f} | {' | '.join(cells)} |")
    cells = [f"{results['memory'][name] / 1e6:.1f} MB" for name in (base, *names)]
    lines.append(f"| memory of the 1,000 records | {' | '.join(cells)} |")
    return "\n".join(lines)


def _machine(results: Mapping[str, Any]) -> str:
    versions = ", ".join(dict.fromkeys(results["contenders"].values()))
    where = f"{results['machine']}; CPython {results['python']}; {results['rounds']} rounds"
    return f"Measured on {results['date']}: {where}; {versions}."


def _summary(results: Mapping[str, Any]) -> str:
    def ratio(row: str, name: str) -> str:
        return f"{results['ratios'][row][name]['median']:.2f}"

    rows = {"A": "one small GET", "C": "50 GETs at a time", "B": "1,000 records read and decoded"}
    names = {
        "cometchat-rest": "this package",
        "openapi-generator": "openapi-generator's client",
        "openai SDK": "the openai SDK",
    }
    lines = [f"| CPU time, plain httpx = 1.00 | {' | '.join(rows.values())} |", "|---|---|---|---|"]
    lines += [f"| {title} | {' | '.join(ratio(row, name) for row in rows)} |" for name, title in names.items()]
    return "\n".join(lines)


def missed(results: Mapping[str, Any], ours: str) -> list[str]:
    """Return the rows in which this package missed its target."""
    found = [
        row
        for row, by_contender in results["ratios"].items()
        if (target := ROWS[row].target) is not None and by_contender[ours]["median"] > target
    ]
    return found + (["B memory"] if results["memory"][ours] > MEMORY_TARGET else [])


def _cell(ratio: Mapping[str, float] | None) -> str:
    return "-" if ratio is None else f"{ratio['median']:.2f} ({ratio['low']:.2f}-{ratio['high']:.2f})"


def _verdict(value: float, target: float, text: str) -> str:
    return f"[green]≤ {text}[/]" if value <= target else f"[red]missed ≤ {text}[/]"
