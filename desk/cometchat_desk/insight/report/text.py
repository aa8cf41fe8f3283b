"""Texts of messages in a page: data, never markup, and without characters that change the page around them."""

import html
import json
import re
from collections.abc import Sequence

# Control characters and the characters that change the direction of other text. Line breaks and tabs stay, and so do
# the joiners, which Arabic, Hindi and emoji need.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ud800-\udfff]"
)
_WARNING, _NUMERIC = ' class="warning"', ' class="number"'
#: The largest number of characters of one text in the page.
LONGEST_TEXT = 5_000


def shown(text: str) -> str:
    """A text with a visible name in place of each unsafe character, and without the end of a very long text."""
    cut = text[:LONGEST_TEXT]
    safe = _UNSAFE.sub(lambda match: f"[U+{ord(match.group()):04X}]", cut)
    return safe if len(cut) == len(text) else f"{safe}… ({len(text):,} characters)"


def markup(text: str) -> str:
    """A text for a place in HTML between tags or in an attribute."""
    return html.escape(shown(text))


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], marked: Sequence[int] = ()) -> str:
    """A table in HTML.

    Args:
        caption: the caption, for a screen reader; the heading above the table shows it already.
        heads: the head of each column.
        rows: the texts of the cells. A cell with a number is aligned to the right.
        marked: the numbers of the rows to mark as a warning, from 0.
    """
    numeric = [any(column) and all(map(_is_number, filter(None, column))) for column in zip(*rows, strict=True)]
    top = "".join(
        f'<th scope="col"{_NUMERIC if number else ""}>{markup(head)}</th>'
        for head, number in zip(heads, numeric, strict=True)
    )
    lines = "".join(
        f"<tr{_WARNING if number in marked else ''}>{''.join(map(_cell, row))}</tr>" for number, row in enumerate(rows)
    )
    head = f'<caption class="unseen">{markup(caption)}</caption><thead><tr>{top}</tr></thead>'
    return f"<table>{head}<tbody>{lines}</tbody></table>"


def _cell(text: str) -> str:
    return f"<td{_NUMERIC}>{text}</td>" if _is_number(text) else f"<td><bdi>{markup(text)}</bdi></td>"


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[\d,.]+ ?%?", text) is not None


def script_json(value: object) -> str:
    """A value as JSON for a script element: no text can end the element or begin another one."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
