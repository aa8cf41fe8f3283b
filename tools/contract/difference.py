"""A difference between two descriptions, and whether it breaks users.

One rule decides. A narrower schema breaks the sender of a request. A wider schema breaks the reader
of a response. A new optional part breaks nobody. A removed part breaks senders and readers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from typing import Any, Literal, TypeAlias

from attrs import frozen

Side: TypeAlias = Literal["request", "response"]

#: Keywords that limit a value: lower bounds and upper bounds.
_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


class Effect(Enum):
    """How the set of valid values changes."""

    SAME = "same"
    NARROWER = "narrower"
    WIDER = "wider"
    OTHER = "other"

    def breaks(self, side: Side) -> bool:
        """Whether the change breaks the sender of such a request, or the reader of such a
        response."""
        if side == "request":
            return self in (Effect.NARROWER, Effect.OTHER)
        return self in (Effect.WIDER, Effect.OTHER)

    @classmethod
    def of_sets(cls, old: frozenset[str] | None, new: frozenset[str] | None) -> Effect:
        """Compare two sets of valid values or types; `None` is the set of all."""
        if new is None:
            return cls.WIDER
        if old is None:
            return cls.NARROWER
        if old <= new:
            return cls.WIDER
        return cls.NARROWER if new <= old else cls.OTHER

    @classmethod
    def of_keyword(cls, name: str, old: Any, new: Any) -> Effect:
        """Compare two values of a keyword; `None` is an absent keyword."""
        if name == "default":
            # A caller that omits the value now gets another one. A default that is new here was
            # only not documented.
            return cls.SAME if old is None else cls.NARROWER
        if name == "deprecated":
            return cls.SAME
        if name in ("style", "explode"):
            return cls.OTHER
        if old is None:
            return cls.NARROWER
        if new is None:
            return cls.WIDER
        if isinstance(old, int | float) and isinstance(new, int | float):
            return cls._of_bound(name, is_higher=new > old)
        return cls.OTHER

    @classmethod
    def _of_bound(cls, name: str, *, is_higher: bool) -> Effect:
        if name in _LOWER:
            return cls.NARROWER if is_higher else cls.WIDER
        if name in _UPPER:
            return cls.WIDER if is_higher else cls.NARROWER
        return cls.OTHER

    @classmethod
    def of_presence(cls, old: str | None, new: str | None) -> Effect:
        """Compare the presence of a part: `None`, or a word such as `required`."""
        if new is None:
            return cls.OTHER
        if old == "required":
            return cls.WIDER
        if new == "required":
            return cls.NARROWER
        # Of several alternatives.
        if old == "required in some":
            return cls.WIDER
        if new == "required in some" and old is not None:
            return cls.NARROWER
        return cls.SAME


@frozen
class Difference:
    """One difference. `pointer` is a place of the newer description."""

    operation: str
    side: Side
    pointer: str
    subject: str
    old: str | None
    new: str | None
    breaking: bool


def text(value: Any) -> str | None:
    """A value as JSON; `None` if there is no value."""
    return None if value is None else quoted(value)


def quoted(value: object) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def names_of(old: Iterable[str], new: Iterable[str]) -> list[str]:
    """The names on both sides, each once, those of the older side first."""
    return list(dict.fromkeys([*old, *new]))
