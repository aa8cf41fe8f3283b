"""The width of text on a terminal, and lines of a limited width (pure).

Terminals disagree about emoji. A new terminal joins the code points of one emoji and shows them in two cells. Another
terminal shows each code point by itself. This module always assumes the larger width, so that no terminal continues a
line in the next line.
"""

import re
import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len

_WORD = re.compile("( *)([^ ]*)")


def width_of(text: str) -> int:
    """The number of cells that a text needs on any terminal; the text has no control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_cluster_width, clusters(text)))


def clusters(text: str) -> Iterator[str]:
    """The parts of a text that a terminal may show as one character: a base with its marks, a joined emoji, a flag."""
    cluster = ""
    for character in text:
        if cluster and not _continues(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, or of one wider code point, broken at spaces if possible."""
    if width_of(text) <= width:
        return [text.rstrip()]
    lines, used = [""], 0
    for spaces, word in _WORD.findall(text):
        fits = used + len(spaces) + width_of(word) <= width
        if not fits:
            lines.append("")
            used = 0
        for part in (*(spaces if fits else ""), *_parts(word, width)):
            if used + _cluster_width(part) > width:
                lines.append("")
                used = 0
            lines[-1] += part
            used += _cluster_width(part)
    return [line.rstrip() for line in lines if line.strip()] or [""]


def _parts(word: str, width: int) -> Iterator[str]:
    for cluster in clusters(word):
        yield from cluster if _cluster_width(cluster) > width else (cluster,)


def _continues(cluster: str, character: str) -> bool:
    if character.isascii():
        return False
    if cluster.endswith("\u200d") or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf"):
        return True
    if "\U0001f3fb" <= character <= "\U0001f3ff":  # the color of the skin
        return not cluster.isascii()
    return _is_flag_letter(character) and _is_flag_letter(cluster)


def _cluster_width(cluster: str) -> int:
    return max(cell_len(cluster), sum(map(_code_point_width, cluster)))


def _code_point_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if _is_flag_letter(character) or unicodedata.east_asian_width(character) in "WF" else 1


def _is_flag_letter(cluster: str) -> bool:
    """Whether this is a single regional indicator; a pair of them is a flag."""
    return len(cluster) == 1 and "\U0001f1e6" <= cluster <= "\U0001f1ff"
