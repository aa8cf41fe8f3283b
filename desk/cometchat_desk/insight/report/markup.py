"""Texts of messages in a page: data, never markup, and without characters that change the page around them."""

import html
import json
import re

# Control characters and the characters that change the direction of other text. Line breaks and tabs stay, and so do
# the joiners, which Arabic, Hindi and emoji need.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ud800-\udfff]"
)
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


def script_json(value: object) -> str:
    """A value as JSON for a script element: no text can end the element or begin another one."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
