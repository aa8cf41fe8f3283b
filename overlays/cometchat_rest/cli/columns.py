"""Records, and what of them a table or a CSV file shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Record: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a table or a CSV file.

    Attributes:
        title: what stands above it; in CSV in lower case, with underscores.
        value: what a record has there.
        width: how many cells it takes on a terminal; 0 for what the others leave.
        least: how many cells it needs to be of use, where others decide on its width.
        spare: whether it goes first where a terminal is narrow; the last of them before the others.
        style: how rich shows it.
        styles: how rich shows certain values.
    """

    title: str
    value: Callable[[Record], object]
    width: int = 0
    least: int = 16
    spare: bool = False
    style: str = ""
    styles: Mapping[str, str] = field(default_factory=dict)


def text_of(value: object) -> str:
    """A value of a record as people read it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    return value if isinstance(value, str) else str(value)


def time_of(seconds: object) -> str:
    """A time of the service for people, in UTC; nothing where there is none."""
    from cometchat_rest.review_times import utc

    time = utc(seconds)
    return "" if time is None else f"{time:%Y-%m-%d %H:%M:%S}"


def within(record: Record, *path: str) -> object:
    """What a record holds at a place; `None` where it has no such place."""
    found: object = record
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found
