"""Draws docs/assets/trace.svg: the spans of a request to a program, with a call that is retried."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import httpx
from attrs import frozen
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import SpanKind

from cometchat_rest import Client, Telemetry

IMAGE = Path(__file__).parents[1] / "docs" / "assets" / "trace.svg"

_WIDTH, _ROW, _TOP, _LEFT, _INDENT = 760, 38, 40, 400, 18
_COLOURS = {"ok": "#00796b", "error": "#c62828", "program": "#5c6bc0"}
_LIST = {
    "id": "profanity-list",
    "name": "Profanity",
    "category": "word",
    "isCSV": False,
    "createdAt": 1,
    "updatedAt": 1,
}


@frozen
class Row:
    """A span, with the moments of its start and its end. A moment is a number: no time is measured."""

    span: ReadableSpan
    depth: int
    start: int
    end: int


class _Order(SpanProcessor):
    """Notes the order in which spans start and end."""

    def __init__(self) -> None:
        self.moments: list[tuple[str, Any]] = []

    def on_start(self, span: Any, parent_context: Any = None) -> None:  # noqa: ARG002 - a method of the base class
        self.moments.append(("start", span))

    def on_end(self, span: Any) -> None:
        self.moments.append(("end", span))


def _service() -> httpx.MockTransport:
    """A service that is unavailable for the first request."""
    failures = iter([httpx.Response(503, headers={"Retry-After": "0"})])
    return httpx.MockTransport(lambda _: next(failures, None) or httpx.Response(200, json={"data": _LIST}))


def traced() -> list[Row]:
    """The spans of one request to a program that updates a list, in the order of their starts."""
    order, provider = _Order(), TracerProvider()
    provider.add_span_processor(order)
    telemetry = Telemetry(tracer_provider=provider)
    with (
        Client(app_id="app", api_key="key", transport=_service(), telemetry=telemetry) as chat,
        provider.get_tracer("program").start_as_current_span("POST /lists", kind=SpanKind.SERVER),
    ):
        chat.keywords.update("profanity-list", ["spam"])
    rows, depth = [], 0
    ends = {span.context.span_id: moment for moment, (what, span) in enumerate(order.moments) if what == "end"}
    for moment, (what, span) in enumerate(order.moments):
        if what == "start":
            rows.append(Row(span, depth, moment, ends[span.context.span_id]))
        depth += 1 if what == "start" else -1
    return rows


def _details(span: ReadableSpan) -> str:
    attributes = span.attributes or {}
    names = ("http.response.status_code", "http.request.resend_count", "error.type")
    return ", ".join(f"{name.removeprefix('http.')}={attributes[name]!s}" for name in names if name in attributes)


def draw(rows: list[Row]) -> str:
    """The image of these spans."""
    height = _TOP + _ROW * len(rows) + 10
    step = (_WIDTH - _LEFT - 20) / max(row.end for row in rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" font-size="13">',
        "<style>text { font-family: sans-serif }</style>",
        "<title>The spans of a request with a retried call</title>",
        f'<rect width="{_WIDTH}" height="{height}" rx="6" fill="#ffffff"/>',
        '<g fill="#616161" font-size="12"><text x="14" y="24">span</text>',
        f'<text x="{_LEFT}" y="24">time (not to scale)</text></g>',
    ]
    for number, row in enumerate(rows):
        attributes = row.span.attributes or {}
        kind = "program" if row.span.kind is not SpanKind.CLIENT else "error" if "error.type" in attributes else "ok"
        y, x, width = _TOP + number * _ROW, _LEFT + row.start * step, (row.end - row.start) * step
        left = 14 + row.depth * _INDENT
        lines += [
            f'<text x="{left}" y="{y + 14}" fill="#212121">{escape(row.span.name)}</text>',
            f'<rect x="{x:.1f}" y="{y + 2}" width="{width:.1f}" height="12" rx="2" fill="{_COLOURS[kind]}"/>',
        ]
        if details := _details(row.span):
            lines.append(f'<text x="{left}" y="{y + 28}" fill="#616161" font-size="11">{escape(details)}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    IMAGE.write_text(draw(traced()), "utf-8")
