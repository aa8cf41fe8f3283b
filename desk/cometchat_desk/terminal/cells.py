"""The width of text on a terminal, and lines of a limited width (pure).

Terminals disagree about emoji. A new terminal joins the code points of one emoji and shows them in two cells. Another
terminal shows each code point by itself. This module always assumes the larger width, so that no terminal continues a
line in the next line.
"""

import re
import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len

_JOINER = "\u200d"
_WORD = re.compile(r" +|[^ ]+")


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
    if text.isascii() and len(text) <= width:
        return [text.rstrip()]
    lines, line, used = [], "", 0
    for word in _WORD.findall(text):
        size = width_of(word)
        if used + size <= width:
            line, used = line + word, used + size
            continue
        if line.strip():
            lines.append(line.rstrip())
        line, used = "", 0
        if word.isspace():
            continue
        *full, line = _cut(word, width)
        lines.extend(full)
        used = width_of(line)
    if line.strip() or not lines:
        lines.append(line.rstrip())
    return lines


def _cut(word: str, width: int) -> list[str]:
    """A word in pieces of at most `width` cells; a cluster stays whole if it is not wider than that."""
    pieces, piece, used = [], "", 0
    for cluster in clusters(word):
        for part in cluster if _cluster_width(cluster) > width else (cluster,):
            size = _cluster_width(part)
            if piece and used + size > width:
                pieces.append(piece)
                piece, used = "", 0
            piece, used = piece + part, used + size
    return [*pieces, piece]


def _continues(cluster: str, character: str) -> bool:
    """Whether a character belongs to the cluster before it."""
    if character.isascii():
        return False
    if cluster.endswith(_JOINER) or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf"):
        return True
    if _is_skin_tone(character):
        return not cluster.isascii()
    return _is_flag_letter(character) and _is_flag_letter(cluster)


def _cluster_width(cluster: str) -> int:
    return max(cell_len(cluster), sum(map(_code_point_width, cluster)))


def _code_point_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if _is_flag_letter(character) or unicodedata.east_asian_width(character) in "WF" else 1


def _is_skin_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_flag_letter(cluster: str) -> bool:
    """Whether this is a single regional indicator; a pair of them is a flag."""
    return len(cluster) == 1 and "\U0001f1e6" <= cluster <= "\U0001f1ff"
