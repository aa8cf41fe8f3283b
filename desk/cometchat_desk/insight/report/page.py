"""One HTML file that loads nothing: the figures, the charts with their numbers, and the table of messages."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from string import Template

from attrs import frozen

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


@frozen
class Suspect:
    """A rule or a term that is probably wrong.

    Attributes:
        name: the name of the rule, or the term.
        kind: `"rule"`, or `"term in "` and the list.
        reason: why it is probably wrong.
    """

    name: str
    kind: str
    reason: str


@frozen(kw_only=True)
class Suspects:
    """The rules and terms that are probably wrong, and a sentence that explains the mark."""

    note: str
    rows: Sequence[Suspect]


def page(
    *,
    title: str,
    period: str,
    figures: Sequence[tuple[str, str]],
    suspects: Suspects,
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
        suspects: the rules and terms that are probably wrong, shown below the figures.
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
        body=_figures(figures) + _suspects(suspects) + "".join(map(_section, charts)),
        heads="".join(_head(*column) for column in COLUMNS),
        table_note=markup(table_note),
        footer=markup(footer),
        records=script_json(records),
        script=script,
        # The policy of the page allows this script only, so that a text can never run.
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def _asset(name: str) -> str:
    return files("cometchat_desk.insight.report").joinpath(name).read_text("utf-8")


def _figures(figures: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"<div><dt>{markup(name)}</dt><dd>{markup(value)}</dd></div>" for name, value in figures)
    return f'<dl class="figures">{cells}</dl>\n'


def _suspects(found: Suspects) -> str:
    title = "Likely false positives"
    if found.rows:
        rows = [(each.name, each.kind, each.reason) for each in found.rows]
        content = _scrolling(title, table(title, ("Name", "Kind", "Reason"), rows))
    else:
        content = "<p>No rule and no term is marked.</p>"
    return f'<section class="suspects"><h2>{title}</h2><p class="muted">{markup(found.note)}</p>{content}</section>\n'


def _scrolling(label: str, content: str) -> str:
    """A part of the page that scrolls by itself, also with the keyboard."""
    return f'<div class="scroll" role="region" aria-label="{markup(label)}" tabindex="0">{content}</div>'


def _head(name: str, text: str, spare: bool) -> str:
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
        f"<details{state}><summary>Numbers: {markup(chart.title)}</summary>"
        f"{_scrolling(f'Numbers: {chart.title}', numbers)}</details></section>\n"
    )
