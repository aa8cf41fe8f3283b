"""Titles of columns with words, as spreadsheets and programs write them."""

import re
from functools import cache
from pathlib import Path

from cometchat_desk.files import lines_of


def is_title(text: str) -> bool:
    """Whether a text is a usual title of a column of words."""
    return re.sub(r"[\s_-]+", "_", text.strip().casefold()) in _titles()


@cache
def _titles() -> frozenset[str]:
    lines = lines_of(Path(__file__).with_name("titles.txt"))
    return frozenset(word for line in lines for word in line.split())
