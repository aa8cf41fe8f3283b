"""Text of others as a terminal may get it: what the terminal would obey is shown instead."""

from __future__ import annotations

import unicodedata

# Joiners hold letters of many scripts together, and emoji; they move nothing.
_HARMLESS = "\u200c\u200d"


def visible(text: str) -> str:
    """The text in one line, with each control character, line break and change of direction as an escape."""
    if text.isprintable():
        return text
    return "".join(escaped(each) if _is_obeyed(each) else each for each in text)


def escaped(character: str) -> str:
    r"""A character as JSON and Python write it: `\n`, `\u001b`."""
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if character in short:
        return short[character]
    # JSON has nothing longer than four digits.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def visible_json(document: str) -> str:
    """A JSON text that means the same, with nothing in it that a terminal would obey, save for line feeds."""
    if document.isprintable():
        return document
    return "".join(escaped(each) if _is_obeyed(each) and each != "\n" else each for each in document)


def _is_obeyed(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Zl", "Zp") or (category == "Cf" and character not in _HARMLESS)
