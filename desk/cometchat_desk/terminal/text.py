"""Escape untrusted text for a terminal, so that the terminal shows control characters and does not execute them."""

from __future__ import annotations

import unicodedata

# Joiners connect letters of many scripts, and emoji. They do not change anything else on the terminal.
_HARMLESS = "\u200c\u200d"


def visible(text: str) -> str:
    """The text in one line: control characters, line breaks and changes of direction become escapes."""
    if text.isprintable():
        return text
    return "".join(escaped(part) if _controls_terminal(part) else part for part in text)


def escaped(character: str) -> str:
    r"""A character as JSON and Python write it: `\n`, `\u001b`."""
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if character in short:
        return short[character]
    # An escape in JSON has four digits.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def visible_json(document: str) -> str:
    """The same JSON document, with escapes for everything that controls a terminal, except line feeds."""
    if document.isprintable():
        return document
    return "\n".join(map(visible, document.split("\n")))


def _controls_terminal(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and character not in _HARMLESS)
