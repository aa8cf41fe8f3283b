"""Charts as SVG, drawn by Vega-Lite. They load nothing and contain no script.

Each chart exists twice: wide, and narrow for phones. The page shows one of them, and a table with the same numbers.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from .text import shown

#: A part of a Vega-Lite specification.
Spec: TypeAlias = dict[str, object]
Row: TypeAlias = Mapping[str, str | int | float | None]

_WIDE, _NARROW = 640, 260
# These colours have a contrast of at least 3:1 with white and with the dark page. They differ in brightness, so that
# they also differ on paper and for people who do not see colours.
_PALETTE = ["#3b7dc4", "#d0722e", "#7a6fd0", "#3f9168", "#b5559b", "#8a8f2f"]
# Words of the axes are in the font of the page. The library measures texts with a similar font.
_DAYS: Spec = {"format": "%d %b", "labelOverlap": "greedy", "labelSeparation": 16}
_COUNTS: Spec = {"tickMinStep": 1, "tickCount": 4, "labelOverlap": "greedy", "labelSeparation": 8}
# The font of the page may be wider than the font that the library measures. Without room, names could be cut off.
_LONGEST_NAME = 22
_ROOM: Spec = {"left": 32, "right": 8, "top": 5, "bottom": 5}
_CONFIG: Spec = {
    "font": "system-ui, sans-serif",
    "background": None,
    "view": {"stroke": None},
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 180},
    # One name in a line: the font of the reader may be wider than the font that the library measures.
    "legend": {"labelFontSize": 12, "title": None, "orient": "top", "columns": 1, "labelLimit": 240},
}


@frozen(kw_only=True)
class Chart:
    """A chart with its numbers.

    Attributes:
        title: the title.
        note: a sentence that explains the numbers.
        heads: the heads of the columns of the table with the numbers.
        rows: the numbers.
        wide: the SVG for a wide page; empty if there is nothing to draw.
        narrow: the SVG for a phone.
        marks: whether a text in the last column marks a row, such as a likely false positive.
    """

    title: str
    note: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    wide: str
    narrow: str
    marks: bool = False


def volume(counts: Sequence[Row]) -> tuple[str, str]:
    """Draw the messages of each day as stacked bars, one colour for each action.

    Args:
        counts: rows with `day` (as `2026-11-22`), `action` and `messages`.
    """
    encoding: Spec = {
        "x": {"field": "day", "type": "temporal", "timeUnit": "utcyearmonthdate", "title": None, "axis": _DAYS},
        "y": {"field": "messages", "type": "quantitative", "title": "Messages", "axis": _COUNTS},
        "color": {"field": "action", "type": "nominal", "scale": {"range": _PALETTE}},
    }
    return _draw(counts, {"mark": "bar", "height": 220, "encoding": encoding})


def bars(counts: Sequence[Row]) -> tuple[str, str]:
    """Draw one horizontal bar for each name, with the approved part in another colour.

    Args:
        counts: rows with `name`, `part` (`approved` or `other`) and `messages`, in the order to show.
    """
    order = list(dict.fromkeys(_label(str(row["name"])) for row in counts))
    shortened = (
        f"length(datum.value) > {_LONGEST_NAME} ? slice(datum.value, 0, {_LONGEST_NAME - 1}) + '…' : datum.value"
    )
    encoding: Spec = {
        "y": {"field": "name", "type": "nominal", "sort": order, "title": None, "axis": {"labelExpr": shortened}},
        "x": {"field": "messages", "type": "quantitative", "title": "Messages", "axis": _COUNTS},
        "color": {
            "field": "part",
            "type": "nominal",
            "scale": {"domain": ["approved", "other"], "range": [_PALETTE[1], _PALETTE[0]]},
        },
        "order": {"field": "part", "type": "nominal"},
    }
    return _draw(counts, {"mark": "bar", "height": {"step": 24}, "padding": _ROOM, "encoding": encoding})


def durations(counts: Sequence[Row]) -> tuple[str, str]:
    """Draw one bar for each range of time.

    Args:
        counts: rows with `time` and `messages`, in the order to show.
    """
    encoding: Spec = {
        "x": {
            "field": "time",
            "type": "ordinal",
            "sort": [_label(str(row["time"])) for row in counts],
            "title": None,
            "axis": {"labelAngle": -30},
        },
        "y": {"field": "messages", "type": "quantitative", "title": "Messages", "axis": _COUNTS},
    }
    return _draw(counts, {"mark": {"type": "bar", "color": _PALETTE[0]}, "height": 200, "encoding": encoding})


def _draw(counts: Sequence[Row], chart: Spec) -> tuple[str, str]:
    if not counts:
        return "", ""
    return _svg(counts, chart, _WIDE), _svg(counts, chart, _NARROW)


def _label(value: str | float | None) -> str | float | None:
    """A value for a chart: the library stops at control characters, and a line break would end a label."""
    return " ".join(shown(value).split()) if isinstance(value, str) else value


def _svg(counts: Sequence[Row], chart: Spec, width: int) -> str:
    # Loading the library takes a second.
    import vl_convert

    fitted: Spec = {
        **chart,
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": [{name: _label(value) for name, value in row.items()} for row in counts]},
        "config": _CONFIG,
    }
    # The specification names no address, and the library must not load any.
    svg: str = vl_convert.vegalite_to_svg(fitted, allowed_base_urls=[])
    return svg
