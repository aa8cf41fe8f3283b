"""Draws docs/benchmarks.svg and docs/growth.svg from the results. Runs in an environment with matplotlib.

python plots.py RESULTS FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

# Only the environment of the plots has matplotlib.
import matplotlib as mpl  # type: ignore[import-not-found]
from matplotlib.figure import Figure  # type: ignore[import-not-found]
from rows import MEMORY_TARGET, ROWS

OURS = "cometchat-rest"
# Colour-blind readers can distinguish these colours.
COLOURS = ("#222222", "#999999", "#0072b2", "#e69f00", "#cc79a7", "#009e73")
_BAR = 0.15
# Equal drawings give equal files.
_SAVING = {"metadata": {"Date": None}, "bbox_inches": "tight"}


def bars(results: dict[str, Any]) -> Figure:
    """Draw the ratios of each row on a logarithmic scale, with the targets."""
    figure = Figure(figsize=(10, 5))
    axes = figure.add_subplot()
    names = list(results["contenders"])
    base_memory = results["memory"][names[0]]
    medians = {row: {name: each["median"] for name, each in found.items()} for row, found in results["ratios"].items()}
    medians["memory"] = {name: held / base_memory for name, held in results["memory"].items()}
    targets = {row: ROWS[row].target for row in results["ratios"]} | {"memory": MEMORY_TARGET / base_memory}
    for number, name in enumerate(names[1:], 1):
        places = [place for place, row in enumerate(medians) if name in medians[row]]
        heights = [found[name] for found in medians.values() if name in found]
        offset = (number - len(names) / 2) * _BAR
        axes.bar([p + offset for p in places], heights, _BAR, color=COLOURS[number], label=results["contenders"][name])
    for place, target in enumerate(targets.values()):
        if target is not None:
            label = "target of cometchat-rest" if place == 0 else None
            axes.hlines(target, place - 0.45, place + 0.45, colors="#d55e00", linestyles="dotted", label=label)
    axes.axhline(1, color=COLOURS[0], linewidth=1)
    axes.set_yscale("log")
    axes.set_yticks([0.1, 0.2, 0.5, 1, 2, 5, 10, 20], ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20"])
    axes.set_xticks(range(len(medians)), ["B\nmemory" if row == "memory" else row for row in medians])
    axes.set_ylabel(f"CPU time, {results['contenders'][names[0]]} = 1 (lower is better)")
    axes.legend(frameon=False, fontsize=9, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    axes.spines[["top", "right"]].set_visible(False)
    lines = [f"{row}  {ROWS[row].title}" for row in results["ratios"]]
    figure.text(0.5, -0.06, " · ".join(lines[:5]) + "\n" + " · ".join(lines[5:]), ha="center", fontsize=8)
    return figure


def growth(found: dict[str, Any]) -> Figure:
    """Draw CPU time and memory per item by size, for this package and the base."""
    panels = (
        ("records", 1, "kept", "B: records in one response", "record"),
        ("concurrency", 1, "peak", "C: GETs at a time", "call"),
        ("upload", 2**10, "peak", "E: KiB of an uploaded file", "KiB"),
    )
    figure = Figure(figsize=(11, 6))
    for column, (kind, unit, held, title, item) in enumerate(panels):
        for line, (name, rows) in enumerate(found[kind].items()):
            sizes = [row["size"] / unit for row in rows]
            colour = COLOURS[2 if name == OURS else 0]
            for height, values in enumerate(
                ([row["seconds"] * 1e6 for row in rows], [row[held] / 1000 for row in rows])
            ):
                axes = figure.axes[column * 2 + height] if line else figure.add_subplot(2, 3, column + 1 + 3 * height)
                per_item = [value / size for value, size in zip(values, sizes, strict=True)]
                axes.plot(sizes, per_item, "o-", color=colour, label=name)
                axes.set_xscale("log")
                if kind == "upload":
                    axes.set_yscale("log")
                axes.spines[["top", "right"]].set_visible(False)
                axes.set_ylabel(f"kB {held} / {item}" if height else f"CPU µs / {item}")
                axes.set_xlabel("" if not height else title)
    for axes in figure.axes[:4]:
        axes.set_ylim(bottom=0)
    figure.axes[0].legend(frameon=False)
    figure.tight_layout()
    return figure


def main() -> None:
    """Draw both files."""
    mpl.rcParams["svg.hashsalt"] = "cometchat-rest"
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["font.family"] = "sans-serif"
    results = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    folder = Path(sys.argv[2])
    folder.mkdir(exist_ok=True)
    bars(results).savefig(folder / "benchmarks.svg", **_SAVING)
    growth(results["growth"]).savefig(folder / "growth.svg", **_SAVING)


if __name__ == "__main__":
    main()
