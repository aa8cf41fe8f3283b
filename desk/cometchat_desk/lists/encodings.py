"""Encodings of text files: by their first bytes, or by their letters."""

import codecs
import unicodedata
from collections.abc import Sequence
from typing import Final

# The encodings that the first bytes of a text name.
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# The encodings that spreadsheets write, each with its languages or its part of the world.
_PLACES: Final = {
    "cp1252": "Western Europe",
    "cp1250": "Central Europe",
    "cp1251": "Cyrillic",
    "cp1253": "Greek",
    "cp1254": "Turkish",
    "cp1255": "Hebrew",
    "cp1256": "Arabic",
    "cp874": "Thai",
    "cp932": "Japanese",
    "cp949": "Korean",
    "gb18030": "Chinese",
    "big5hkscs": "traditional Chinese",
    "koi8-r": "Russian",
}


def with_place(encoding: str) -> str:
    """The name of an encoding for people."""
    return f"{encoding} ({_PLACES[encoding]})"


#: Names of encodings for people, each with its part of the world.
NAMES: Final = (*map(with_place, _PLACES), "utf-16")


def marked_encoding(data: bytes) -> str | None:
    """The encoding that the first bytes of a text name; `None` if they name none."""
    return next((name for mark, name in _MARKS.items() if data.startswith(mark)), None)


def possible_encodings(data: bytes, named: str | None = None) -> Sequence[str]:
    """The encodings of a text, of which the first one that reads it counts: the one that its first
    bytes name, else UTF-8, and then the one that the user names."""
    marked = marked_encoding(data)
    names = [marked] if marked else ["utf-8-sig", named]
    return [name for name in names if name is not None]


def likely_encoding(data: bytes) -> str:
    """The likely encoding of a text that is not UTF-8; that of Western Europe if none is likely.

    In a short text, chardet can miss an encoding; it then finds one that makes signs of letters.
    """
    # Few files need it.
    import chardet

    guesses = chardet.detect_all(data, include_encodings=_PLACES, compat_names=False)
    confidence = {guess["encoding"]: guess["confidence"] for guess in guesses}
    if confidence.keys().isdisjoint(_PLACES):
        return "cp1252"
    likely = sorted(_PLACES, key=lambda name: confidence.get(name, 0.0), reverse=True)
    return next((name for name in likely if _has_letters(data, name)), "cp1252")


def _has_letters(data: bytes, encoding: str) -> bool:
    """Whether most characters that are not ASCII would be letters; some are quotes or dashes."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return False
    characters = [character for character in text if not character.isascii()]
    letters = [each for each in characters if each.isalpha() or unicodedata.category(each) == "Mn"]
    return len(letters) >= 0.6 * len(characters)
