"""The image of a trace in the documentation."""

from __future__ import annotations

from tools.trace_image import IMAGE, draw, traced


def test_image_shows_the_spans_of_the_client() -> None:
    """`docs/assets/trace.svg` shows the spans that a client makes today. `make screens` draws it."""
    rows = traced()
    assert [(row.depth, row.span.name) for row in rows] == [
        (0, "POST /lists"),
        (1, "keywords.update"),
        (2, "GET /moderation/keywords/{keyword_id}"),
        (2, "GET /moderation/keywords/{keyword_id}"),
        (2, "PUT /moderation/keywords/{keyword_id}"),
    ]
    assert draw(rows) == IMAGE.read_text("utf-8")
