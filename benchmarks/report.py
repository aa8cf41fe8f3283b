"""Computes ratios from measured seconds, and a table from ratios (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from rich.table import Table
from rows import MEMORY_TARGET, ROWS

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


def milliseconds(seconds: Seconds, base: str) -> dict[str, float]:
    """Return the cost of one piece of work for the base, in milliseconds."""
    return {row: median(by_contender[base]) / ROWS[row].repeats * 1000 for row, by_contender in seconds.items()}


def table(results: Mapping[str, Any], ours: str) -> Table:
    """Return the table of results: a line for each row, a column for each contender, and the targets."""
    contenders = list(results["contenders"])
    title = f"CPU time of the client, as a ratio to {contenders[0]}: median (quartiles) of {results['rounds']} rounds"
    result = Table("work", f"{contenders[0]} ms", *contenders[1:], "target", title=title)
    for row, by_contender in results["ratios"].items():
        cells = [_cell(by_contender.get(name)) for name in contenders[1:]]
        target = ROWS[row].target
        verdict = "" if target is None else _verdict(by_contender[ours]["median"], target, f"{target:.2f}")
        result.add_row(f"{row} {ROWS[row].title}", f"{results['milliseconds'][row]:.2f}", *cells, verdict)
    memory = results["memory"]
    cells = [f"{memory[name] / 1e6:.2f} MB" if name in memory else "-" for name in contenders]
    verdict = _verdict(memory[ours], MEMORY_TARGET, f"{MEMORY_TARGET / 1e6:.2f} MB")
    result.add_row("B memory kept", cells[0], *cells[1:], verdict)
    return result


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
