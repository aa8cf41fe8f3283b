"""One HTML file that loads nothing: the figures, the sections with their tables, and the table of messages."""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from string import Template

from attrs import frozen

from . import charts
from .markup import markup, script_json, shown

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
_NUMERIC, _WARNING = ' class="number"', ' class="warning"'


@frozen(kw_only=True)
class Section:
    """A section with a table."""

    title: str  # the title
    note: str  # a sentence that explains the table
    heads: Sequence[str]  # the heads of the columns
    rows: Sequence[Sequence[str]]  # the cells. A cell with a number is aligned to the right
    bars: Sequence[Sequence[int]] = ()  # the parts of the bar beside each row; empty for a table without bars
    marked: Sequence[int] = ()  # the numbers of the rows to mark as a warning, from 0
    drawing: str = ""  # HTML above the table, which is then folded
    empty: str = "There are no messages."  # the sentence for a section without rows


def page(
    *,
    title: str,
    period: str,
    figures: Sequence[tuple[str, str]],
    sections: Sequence[Section],
    rows: Iterable[Sequence[str]],
    table_note: str,
    footer: str,
) -> str:
    """Make the page. `rows` has a text for each of `COLUMNS`; `period`, `table_note` and `footer` are sentences."""
    script = _asset("page.js")
    cells = "".join(f"<div><dt>{markup(name)}</dt><dd>{markup(value)}</dd></div>" for name, value in figures)
    records = {
        "columns": [{"name": name, "spare": spare} for name, _, spare in COLUMNS],
        "rows": [[shown(cell) for cell in row] for row in rows],
    }
    return Template(_asset("page.html")).substitute(
        title=markup(title),
        period=markup(period),
        style=_asset("page.css"),
        body=f'<dl class="figures">{cells}</dl>\n{"".join(map(_section, sections))}',
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


def _head(name: str, text: str, spare: bool) -> str:
    order = "descending" if name == "time" else "none"
    hidden = ' class="spare"' if spare else ""
    return (
        f'<th scope="col" data-column="{name}" aria-sort="{order}"{hidden}><button type="button">{text}</button></th>'
    )


def _section(section: Section) -> str:
    title = markup(section.title)
    content = f"<p>{markup(section.empty)}</p>"
    if section.rows:
        # The part scrolls by itself, also with the keyboard.
        content = f'<div class="scroll" role="region" aria-label="{title}" tabindex="0">{_table(section)}</div>'
    if section.rows and section.drawing:
        folded = f"<details><summary>Numbers: {title}</summary>{content}</details>"
        content = f"<figure>{section.drawing}</figure>{folded}"
    return f'<section><h2>{title}</h2><p class="muted">{markup(section.note)}</p>{content}</section>\n'


def _table(section: Section) -> str:
    numeric = [any(column) and all(map(_is_number, filter(None, column))) for column in zip(*section.rows, strict=True)]
    heads = "".join(
        f'<th scope="col"{_NUMERIC if number else ""}>{markup(head)}</th>'
        for head, number in zip(section.heads, numeric, strict=True)
    )
    largest = max(map(sum, section.bars), default=0)
    bars = [f'<td class="bars">{charts.bar(parts, largest)}</td>' for parts in section.bars]
    lines = "".join(
        f"<tr{_WARNING if number in section.marked else ''}>"
        f"{''.join(map(_cell, row))}{bars[number] if bars else ''}</tr>"
        for number, row in enumerate(section.rows)
    )
    chart = '<th scope="col"><span class="unseen">Bar</span></th>' if bars else ""
    caption = f'<caption class="unseen">{markup(section.title)}</caption>'
    return f"<table>{caption}<thead><tr>{heads}{chart}</tr></thead><tbody>{lines}</tbody></table>"


def _cell(text: str) -> str:
    return f"<td{_NUMERIC}>{text}</td>" if _is_number(text) else f"<td><bdi>{markup(text)}</bdi></td>"


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[\d,.]+ ?%?", text) is not None
