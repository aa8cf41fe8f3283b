"""Titles of columns with words, as spreadsheets and programs write them."""

import re
from functools import cache
from pathlib import Path

from cometchat_desk.files import lines_of

# The names of columns that programs write, and the end of a title that names a language.
_COLUMN = re.compile(
    r"sep=.|unnamed: ?\d+|(?:column|spalte|colonne|columna|coluna|field|feld)(?:[ _][a-z]|[ _]?\d)"
)
_LANGUAGE = re.compile(r"(?:_|_?[(\[])[a-z]{2}[)\]]?$")


def is_title(text: str) -> bool:
    """Whether a text is a usual title of a column of words."""
    first = text.strip().strip("\"':#").casefold()
    title = re.sub(r"[\s_-]+", "_", re.sub(r"\W*\(.*\)$", "", first))
    names = [name.strip("_") for name in title.split("/")]
    return (
        _COLUMN.fullmatch(first) is not None
        or _titles().issuperset(names)
        or _LANGUAGE.sub("", title) in _titles()
    )


@cache
def _titles() -> frozenset[str]:
    lines = lines_of(Path(__file__).with_name("titles.txt"))
    return frozenset(word for line in lines for word in line.split())
