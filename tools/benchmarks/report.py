"""Makes the table of docs/performance.md from measured seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median, quantiles

from rows import ROWS

#: CPU seconds by row and contender, one value for each round. The first contender is the base.
Seconds = Mapping[str, Mapping[str, Sequence[float]]]


def table(seconds: Seconds, memory: Mapping[str, int]) -> str:
    """Return a line for each row, with a column for each contender."""
    base, *names = memory
    lines = [_line(["work", f"{base}, ms", *names])]
    lines.append("|" + "---|" * (len(names) + 2))
    for row, by_contender in seconds.items():
        title, repeats = ROWS[row]
        of_base = by_contender[base]
        cells = [title, f"{median(of_base) / repeats * 1000:.2f}"]
        cells += [_ratio(by_contender[name], of_base) for name in names]
        lines.append(_line(cells))
    sizes = [f"{size / 1e6:.1f} MB" for size in memory.values()]
    lines.append(_line(["memory of the 1,000 records", *sizes]))
    return "\n".join(lines)


def _ratio(values: Sequence[float], of_base: Sequence[float]) -> str:
    """The median and the quartiles of the ratios to the base; each ratio is from one round."""
    in_rounds = [value / base for value, base in zip(values, of_base, strict=True)]
    low, middle, high = quantiles(in_rounds, n=4, method="inclusive")
    return f"{middle:.2f} ({low:.2f}-{high:.2f})"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
