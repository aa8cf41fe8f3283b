"""One HTML file that loads nothing: the figures, the charts with their numbers, and the table of messages."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from string import Template

from .charts import Chart
from .text import markup, script_json, shown, table

#: The columns of the table of messages: the name, the head, and whether a narrow page leaves it out.
COLUMNS = (
    ("time", "Time (UTC)", False),
    ("sender", "Sender", False),
    ("receiver", "Receiver", True),
    ("rule", "Rule", False),
    ("action", "Action", True),
    ("status", "Status", False),
    ("text", "Text", False),
    ("message", "Message id", True),
)


def page(
    *,
    title: str,
    period: str,
    figures: Sequence[tuple[str, str]],
    charts: Sequence[Chart],
    rows: Iterable[Sequence[str]],
    table_note: str,
    footer: str,
) -> str:
    """Make the page.

    Args:
        title: the title.
        period: a sentence about the time that the messages cover.
        figures: names and values, shown at the top.
        charts: the charts, in order.
        rows: the cells of the table of messages, a text for each of `COLUMNS`.
        table_note: a sentence above the table.
        footer: a sentence at the end.
    """
    script = _asset("page.js")
    records = {
        "columns": [{"name": name, "spare": spare} for name, _, spare in COLUMNS],
        "rows": [[shown(cell) for cell in row] for row in rows],
    }
    return Template(_asset("page.html")).substitute(
        title=markup(title),
        period=markup(period),
        style=_asset("page.css"),
        body=_figures(figures) + "".join(map(_section, charts)),
        heads="".join(_head(*column) for column in COLUMNS),
        table_note=markup(table_note),
        footer=markup(footer),
        records=script_json(records),
        script=script,
        # The policy of the page allows this script only, so that a text can never run.
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _asset(name: str) -> str:
    return files("cometchat_rest.insight.report").joinpath(name).read_text("utf-8")


def _figures(figures: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"<div><dt>{markup(name)}</dt><dd>{markup(value)}</dd></div>" for name, value in figures)
    return f'<dl class="figures">{cells}</dl>\n'


def _head(name: str, text: str, spare: bool) -> str:  # noqa: FBT001 - a column of `COLUMNS`
    order = "descending" if name == "time" else "none"
    hidden = ' class="spare"' if spare else ""
    return (
        f'<th scope="col" data-column="{name}" aria-sort="{order}"{hidden}><button type="button">{text}</button></th>'
    )


def _section(chart: Chart) -> str:
    marked = [number for number, row in enumerate(chart.rows) if chart.marks and row[-1]]
    numbers = table(chart.title, chart.heads, chart.rows, marked) if chart.rows else "<p>There are no messages.</p>"
    # The drawing repeats the table, so a screen reader skips it and reads the table.
    drawings = "".join(
        f'<div class="{kind}" aria-hidden="true">{svg}</div>'
        for kind, svg in (("wide", chart.wide), ("narrow", chart.narrow))
        if svg
    )
    state = " open" if chart.marks else ""
    return (
        f'<section><h2>{markup(chart.title)}</h2><p class="muted">{markup(chart.note)}</p>'
        f"<figure>{drawings}</figure>"
        f'<details{state}><summary>Numbers: {markup(chart.title)}</summary><div class="scroll" role="region" '
        f'aria-label="{markup(chart.title)}" tabindex="0">{numbers}</div></details></section>\n'
    )
