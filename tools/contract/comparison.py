"""Compares two parts of an operation, and all parts and schemas inside them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias

from attrs import evolve, field, frozen

from tools.description import Node

from .difference import Difference, Effect, Side, names_of, quoted, text
from .shapes import (
    Names,
    Part,
    Parts,
    Schema,
    Shape,
    merged,
    shapes,
    type_text,
)

#: An alternative on both sides.
_ShapePair: TypeAlias = tuple[Shape, Shape]


@frozen
class Comparison:
    """Compares the parts of a request, or those of all responses of an operation, and records the
    differences at one place."""

    operation: str
    side: Side
    pointer: str
    #: All comparisons of an operation share this list.
    differences: list[Difference]
    #: Pairs of schemas already compared; a recursive schema would never end.
    _entered: set[str] = field(factory=set)

    def at(self, pointer: str) -> Comparison:
        """Return a comparison at another place; an empty pointer is this place."""
        return evolve(self, pointer=pointer or self.pointer)

    def below(self, keyword: str) -> Comparison:
        """Return a comparison of the value of a keyword."""
        return self.at(f"{self.pointer}/{keyword}")

    def record(self, subject: str, old: str | None, new: str | None, effect: Effect) -> None:
        """Record a difference."""
        breaking = effect.breaks(self.side)
        difference = Difference(
            self.operation, self.side, self.pointer, subject, old, new, breaking
        )
        self.differences.append(difference)

    def presence(self, subject: str, old: str | None, new: str | None) -> None:
        """Compare the presence of a part: `None`, or a word such as `required`."""
        if old != new:
            self.record(subject, old, new, Effect.of_presence(old, new))

    def keywords(self, old: Node, new: Node) -> None:
        """Compare keywords by their values."""
        for name in names_of(old, new):
            before = old.get(name)
            after = new.get(name)
            if before != after:
                effect = Effect.of_keyword(name, before, after)
                self.record(name, text(before), text(after), effect)

    def compare(self, old: Part | None, new: Part | None) -> None:
        """Compare two parts; a part without a pointer is compared at its holder."""
        part = new or old
        if part:
            before = old.presence if old else None
            after = new.presence if new else None
            place = self.at(new.pointer) if new else self
            place.presence(part.subject, before, after)
            if old and new:
                place.compare_contents(old, new)

    def compare_contents(self, old: Part, new: Part) -> None:
        """Compare what two parts contain."""
        if self.misses_target(old.dangling, new.dangling):
            return
        self.keywords(old.keywords, new.keywords)
        self.compare_parts(old.parts, new.parts)
        self.compare_schemas(old.schema, new.schema)

    def misses_target(self, old: str | None, new: str | None) -> bool:
        """Record the references without a target, and return whether there is one."""
        before = f"{old} (target missing)" if old else None
        after = f"{new} (target missing)" if new else None
        if before or after:
            self.record("reference", before, after, Effect.OTHER)
        return bool(before or after)

    def compare_parts(self, old: Parts, new: Parts) -> None:
        """Compare the parts of each name."""
        for name in names_of(old, new):
            before = old.get(name)
            after = new.get(name)
            self.compare(before, after)

    def compare_schemas(self, old: Schema, new: Schema) -> None:
        """Compare two schemas at the place of the newer one; an absent schema allows anything."""
        pointers = f"{_pointers(old)} {_pointers(new)}"
        if pointers in self._entered or not (old or new):
            return
        self._entered.add(pointers)
        before = shapes(old)
        after = shapes(new)
        holder = self.at(new[-1].pointer) if new else self
        place = holder.at(_only(after).pointer)
        missing_before = _only(before).dangling
        missing_after = _only(after).dangling
        if not place.misses_target(missing_before, missing_after):
            holder.compare_alternatives(before, after)

    def compare_alternatives(self, old: list[Shape], new: list[Shape]) -> None:
        """Compare the alternatives of two schemas: pairs of them, and then all others at once."""
        removed = list(old)
        added = list(new)
        for before, after in _by_likeness(old, new):
            if before in removed and after in added:
                removed.remove(before)
                added.remove(after)
                self.compare_shapes(before, after)
        if removed and added:
            # Compare all values that the alternatives without a partner allow.
            self.record_unpaired(removed, added, _presence)
            place = self.at(_only(added).pointer)
            place.compare_shapes(merged(removed), merged(added))
        else:
            self.record_unpaired(removed, added, _content)

    def record_unpaired(
        self,
        old: list[Shape],
        new: list[Shape],
        content: Callable[[Shape], str],
    ) -> None:
        """Record the alternatives that only one side has."""
        for shape in old:
            subject = f"alternative {quoted(shape.label)}"
            self.record(subject, content(shape), None, Effect.NARROWER)
        for shape in new:
            subject = f"alternative {quoted(shape.label)}"
            self.at(shape.pointer).record(subject, None, content(shape), Effect.WIDER)

    def compare_shapes(self, old: Shape, new: Shape) -> None:
        """Compare two alternatives at the place of the newer one."""
        place = self.at(new.pointer)
        if place.misses_target(old.dangling, new.dangling):
            return
        place.compare_types(old.types, new.types)
        place.compare_values(old.values, new.values)
        place.keywords(old.limits, new.limits)
        place.compare_openness(old, new)
        place.compare_parts(old.properties, new.properties)
        if old.is_array and new.is_array:
            place.below("items").compare_schemas(old.items, new.items)
        if not (old.is_closed or new.is_closed):
            others = place.below("additionalProperties")
            others.compare_schemas(old.other_properties, new.other_properties)

    def compare_types(self, old: Names | None, new: Names | None) -> None:
        """Compare the types of values; `None` allows every type."""
        if old != new:
            effect = Effect.of_sets(old, new)
            self.record("type", type_text(old), type_text(new), effect)

    def compare_values(self, old: Names | None, new: Names | None) -> None:
        """Compare the only values; `None` allows every value."""
        if old == new:
            return
        effect = Effect.of_sets(old, new)
        if old is None or new is None or effect is Effect.OTHER:
            self.record("values", _value_text(old), _value_text(new), effect)
            return
        for value in sorted(old - new):
            self.record(f"value {value}", "allowed", None, effect)
        for value in sorted(new - old):
            self.record(f"value {value}", None, "allowed", effect)

    def compare_openness(self, old: Shape, new: Shape) -> None:
        """Compare whether properties without a description are allowed."""
        if new.is_closed and not old.is_closed:
            self.record("other properties", "allowed", "refused", Effect.NARROWER)
        if old.is_closed and not new.is_closed:
            self.record("other properties", "refused", "allowed", Effect.WIDER)


def _pointers(schema: Schema) -> list[list[str]]:
    return [[place.pointer for place in choice.places] for choice in schema]


def _only(alternatives: list[Shape]) -> Shape:
    """The only alternative; for several alternatives, a shape that says nothing."""
    only, *others = alternatives
    return Shape() if others else only


def _value_text(values: Names | None) -> str:
    return "any" if values is None else ", ".join(sorted(values))


def _presence(_: Shape) -> str:
    return "present"


def _content(shape: Shape) -> str:
    """The fields of an alternative that is compared with nothing."""
    fields = []
    for name, part in shape.properties.items():
        fields.append(f"{quoted(name)} ({part.presence})")
    return f"present with {', '.join(fields)}" if fields else "present"


def _by_likeness(old: list[Shape], new: list[Shape]) -> list[_ShapePair]:
    """The alternatives that can be partners, the best pair first: those of the same label; if both
    sides have equally many, also those with common property names."""

    pairs = []
    for older, newer in product(old, new):
        if older.label == newer.label or len(old) == len(new):
            pairs.append((older, newer))
    return sorted(pairs, key=_likeness, reverse=True)


def _likeness(pair: _ShapePair) -> tuple[bool, int]:
    older, newer = pair
    common = older.properties.keys() & newer.properties
    return older.label == newer.label, len(common)
