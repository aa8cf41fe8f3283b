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
        row: {
            name: median(values) / ROWS[row].repeats * 1000 for name, values in by_contender.items()
        }
        for row, by_contender in seconds.items()
    }


def table(results: Mapping[str, Any]) -> str:
    """Return a line for each row, with a column for each contender."""
    base, *names = results["contenders"]
    lines = [f"| work | {base}, ms | {' | '.join(names)} |", f"|{'---|' * (len(names) + 2)}"]
    for row, by_contender in results["ratios"].items():
        cells = [_cell(by_contender[name]) for name in names]
        lines.append(
            f"| {ROWS[row].title} | {results['milliseconds'][row][base]:.2f} |"
            f" {' | '.join(cells)} |"
        )
    cells = [f"{results['memory'][name] / 1e6:.1f} MB" for name in (base, *names)]
    lines.append(f"| memory of the 1,000 records | {' | '.join(cells)} |")
    versions = ", ".join(dict.fromkeys(results["contenders"].values()))
    where = f"{results['machine']}; CPython {results['python']}; {results['rounds']} rounds"
    return "\n".join([*lines, "", f"Measured on {results['date']}: {where}; {versions}."])


def _cell(ratio: Mapping[str, float]) -> str:
    return f"{ratio['median']:.2f} ({ratio['low']:.2f}-{ratio['high']:.2f})"
