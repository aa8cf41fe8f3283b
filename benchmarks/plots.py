"""Draws docs/benchmarks.svg, docs/growth.svg and docs/try.svg from results. Runs in an environment with matplotlib.

python plots.py RESULTS FOLDER    RESULTS is results.json, or try_list.json for docs/try.svg

The drawings have a light background, so that they are readable on a dark page too, and one column, so that the text is
large enough on a phone.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

# Only the environment of the plots has matplotlib.
import matplotlib as mpl  # type: ignore[import-not-found]
from matplotlib.figure import Figure  # type: ignore[import-not-found]
from rows import ROWS

OURS = ("cometchat-rest", "with msgspec")
# Colour-blind readers can distinguish these colours.
_INK, _GREY, _BLUE = "#1a1a1a", "#8a8a8a", "#0072b2"
#: The works in the drawing; the table of the page has all.
_DRAWN = ("A", "B", "C", "E", "F")
#: A longer bar ends at this ratio, with its number beside it.
_LONGEST = 4.0


def bars(results: dict[str, Any]) -> Figure:
    """Draw the ratio of each contender, with its quartiles and its milliseconds; one panel for each work."""
    base, _, *others = results["contenders"]
    figure = Figure(figsize=(5.2, 13), facecolor="#ffffff", layout="constrained")
    for panel, row in zip(figure.subplots(len(_DRAWN), 1), _DRAWN, strict=True):
        names = [name for name in (base, *others) if name in results["ratios"][row]]
        for place, name in enumerate(names):
            ratio, cost = results["ratios"][row][name], results["milliseconds"][row][name]
            end = min(ratio["median"], _LONGEST)
            panel.barh(place, end, 0.7, color=_BLUE if name in OURS else _INK if name == base else _GREY)
            if ratio["median"] <= _LONGEST and name != base:
                panel.hlines(place, ratio["low"], ratio["high"], colors="#d55e00", linewidth=2)
            spread = "" if name == base else f" ({ratio['low']:.2f} to {ratio['high']:.2f})"
            cut = "→ " if ratio["median"] > _LONGEST else ""
            label = f"{cut}{ratio['median']:.2f}{spread}, {cost:.3g} ms"
            panel.text(
                max(end, ratio["high"] if ratio["median"] <= _LONGEST else end) + 0.06,
                place,
                label,
                va="center",
                fontsize=9,
            )
        panel.axvline(1, color=_INK, linewidth=0.8, linestyle="dotted")
        panel.set_title(ROWS[row].title, loc="left", fontsize=11, fontweight="bold")
        panel.set_yticks(
            range(len(names)), ["this package" if name == OURS[0] else name for name in names], fontsize=10
        )
        # The rest of the width has the label of the longest bar.
        panel.set_xlim(0, _LONGEST * 2.4)
        panel.set_xticks(range(int(_LONGEST) + 1))
        panel.invert_yaxis()
        panel.spines[["top", "right"]].set_visible(False)
    figure.supxlabel(f"CPU time of the client, {base} = 1; smaller is better", fontsize=10)
    return figure


def growth(found: dict[str, Any]) -> Figure:
    """Draw CPU time and memory per item by size, for this package and the base."""
    panels = (
        ("records", 1, "kept", "records in one response", "record"),
        ("concurrency", 1, "peak", "GETs at a time", "call"),
        ("upload", 2**10, "peak", "KiB of an uploaded file", "KiB"),
    )
    figure = Figure(figsize=(5.2, 13), facecolor="#ffffff", layout="constrained")
    axes = iter(figure.subplots(2 * len(panels), 1))
    for kind, unit, held, title, item in panels:
        for label, scale, of in (("CPU µs", 1e6, "seconds"), (f"kB {held}", 1e-3, held)):
            panel = next(axes)
            for name, rows in found[kind].items():
                sizes = [row["size"] / unit for row in rows]
                values = [row[of] * scale / size for row, size in zip(rows, sizes, strict=True)]
                panel.plot(sizes, values, "o-", color=_BLUE if name in OURS else _INK, label=name)
            panel.set_xscale("log")
            if kind == "upload":
                panel.set_yscale("log")
            else:
                panel.set_ylim(bottom=0)
            panel.spines[["top", "right"]].set_visible(False)
            panel.set_ylabel(f"{label} / {item}")
            panel.set_xlabel(title)
            panel.legend(frameon=False)
    return figure


def tries(found: dict[str, Any]) -> Figure:
    """Draw the CPU time to try a list, and that of two other ways, by the number of terms."""
    figure = Figure(figsize=(7, 4), layout="constrained", facecolor="white")
    panel = figure.add_subplot()
    for label, name, colour in (("keywords try", "try", _BLUE), ("grep -f", "grep", _GREY), ("loop", "loop", _INK)):
        rows = [row for row in found["rows"] if row[name]["seconds"] is not None]
        seconds = [row[name]["seconds"] + row[name].get("compile", 0) for row in rows]
        panel.plot([row["terms"] for row in rows], seconds, "o-", color=colour, label=label)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("terms")
    panel.set_ylabel(f"CPU seconds for {found['messages']:,} messages")
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(frameon=False)
    return figure


def main() -> None:
    """Draw the files of the results. Each names the results it was made from, so that a test notices an old drawing."""
    mpl.rcParams["svg.hashsalt"] = "cometchat-rest"
    mpl.rcParams["svg.fonttype"] = "none"
    mpl.rcParams["font.family"] = "sans-serif"
    source = Path(sys.argv[1]).read_bytes()
    results = json.loads(source)
    folder = Path(sys.argv[2])
    # Equal drawings give equal files.
    metadata = {"Date": None, "Description": f"results {hashlib.sha256(source).hexdigest()}"}
    if "rows" in results:
        tries(results).savefig(folder / "try.svg", metadata=metadata)
        return
    bars(results).savefig(folder / "benchmarks.svg", metadata=metadata)
    growth(results["growth"]).savefig(folder / "growth.svg", metadata=metadata)


if __name__ == "__main__":
    main()
