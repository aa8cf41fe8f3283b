"""Encodings of text files: by their first bytes, or by their letters."""

import codecs
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
    """The likely encoding of a text that is not UTF-8; that of Western Europe if none is likely."""
    # Few files need it.
    import chardet

    detected = chardet.detect(data, include_encodings=_PLACES, compat_names=False)["encoding"]
    return detected if detected in _PLACES else "cp1252"
