"""Computes ratios from measured seconds, and the table of docs/performance.md from ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from rows import ROWS

#: CPU seconds by row and contender, one value for each round.
Seconds = Mapping[str, Mapping[str, Sequence[float]]]


def ratios(seconds: Seconds, base: str) -> dict[str, dict[str, dict[str, float]]]:
    """Return the median and quartiles of the ratios to the base; each ratio is from one round."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    for row, by_contender in seconds.items():
        result[row] = {}
        for name, values in by_contender.items():
            pairs = zip(values, by_contender[base], strict=True)
            in_rounds = [value / of_base for value, of_base in pairs]
            low, middle, high = quantiles(in_rounds, n=4, method="inclusive")
            result[row][name] = {"low": low, "median": middle, "high": high}
    return result


def milliseconds(seconds: Seconds) -> dict[str, dict[str, float]]:
    """Return the cost of one piece of work for each contender, in milliseconds."""
    result: dict[str, dict[str, float]] = {}
    for row, by_contender in seconds.items():
        factor = 1000 / ROWS[row].repeats
        result[row] = {name: median(values) * factor for name, values in by_contender.items()}
    return result


def table(results: Mapping[str, Any]) -> str:
    """Return a line for each row, with a column for each contender."""
    base, *names = results["contenders"]
    lines = [_line(["work", f"{base}, ms", *names])]
    lines.append("|" + "---|" * (len(names) + 2))
    for row, by_contender in results["ratios"].items():
        cost = f"{results['milliseconds'][row][base]:.2f}"
        cells = [_cell(by_contender[name]) for name in names]
        lines.append(_line([ROWS[row].title, cost, *cells]))
    memory = [f"{results['memory'][name] / 1e6:.1f} MB" for name in (base, *names)]
    lines.append(_line(["memory of the 1,000 records", *memory]))
    versions = ", ".join(results["contenders"].values())
    where = f"{results['machine']}; CPython {results['python']}; {results['rounds']} rounds"
    lines += ["", f"Measured on {results['date']}: {where}; {versions}."]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(ratio: Mapping[str, float]) -> str:
    return f"{ratio['median']:.2f} ({ratio['low']:.2f}-{ratio['high']:.2f})"
