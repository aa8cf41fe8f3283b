"""Compares two schemas, and all schemas inside them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias

from attrs import field, frozen

from tools.description import Document, Place

from .difference import Effect, Recorder, names_of, quoted, text
from .shapes import Names, Schema, Shape, merged, places, shapes

#: An alternative on both sides.
_ShapePair: TypeAlias = tuple[Shape, Shape]


@frozen
class Schemas:
    """Compares the schemas of two descriptions."""

    old: Document
    new: Document
    #: The place of a difference if the newer description has no schema.
    pointer: str
    #: Pairs of schemas already compared; a recursive schema would never end.
    _entered: set[tuple[str, ...]] = field(factory=set, init=False)

    def compare(self, recorder: Recorder, old: Schema, new: Schema) -> None:
        """Record the differences of two schemas, at the places of the newer one."""
        older = [place.pointer for place in places(old)]
        newer = [place.pointer for place in places(new)]
        pair = (recorder.side, type(old).__name__, *older, "", *newer)
        if pair not in self._entered:
            self._entered.add(pair)
            pointer = newer[-1] if newer else self.pointer
            self._compare_new(recorder.at(pointer), old, new)

    def _compare_new(self, recorder: Recorder, old: Schema, new: Schema) -> None:
        before = shapes(self.old, old)
        after = shapes(self.new, new)
        missing_before = _missing_target(before)
        missing_after = _missing_target(after)
        if missing_before or missing_after:
            pointer = after[0].pointer if len(after) == 1 else recorder.pointer
            recorder.at(pointer).missing_target(missing_before, missing_after)
            return
        pairs = _paired(before, after)
        for older, newer in pairs:
            self._compare_shapes(recorder.at(newer.pointer), older, newer)
        removed = _without(before, pairs)
        added = _without(after, pairs)
        if removed and added:
            self._compare_without_partners(recorder, removed, added)
        else:
            _record_alternatives(recorder, removed, added, _content)

    def _compare_shapes(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        _ShapeComparison(self, recorder, old, new).compare()

    def _compare_without_partners(
        self, recorder: Recorder, old: list[Shape], new: list[Shape]
    ) -> None:
        """Compare what all alternatives without a partner allow together."""
        _record_alternatives(recorder, old, new, lambda _: "present")
        pointer = new[0].pointer if len(new) == 1 else recorder.pointer
        before = merged(old, recorder.pointer)
        self._compare_shapes(recorder.at(pointer), before, merged(new, pointer))


@frozen
class _ShapeComparison:
    """Compares two alternatives."""

    schemas: Schemas
    recorder: Recorder
    old: Shape
    new: Shape

    def compare(self) -> None:
        if self.old.dangling or self.new.dangling:
            self.recorder.missing_target(self.old.dangling, self.new.dangling)
            return
        self._compare_types()
        self._compare_values()
        self._compare_limits()
        self._compare_defaults()
        self._compare_openness()
        self._compare_properties()
        self._compare_items()
        self._compare_other_properties()

    def _compare_types(self) -> None:
        old = self.old.types
        new = self.new.types
        if old != new:
            effect = Effect.of_sets(old or None, new or None)
            self.recorder.record("type", _type_text(old), _type_text(new), effect)

    def _compare_values(self) -> None:
        old = self.old.values
        new = self.new.values
        if old == new:
            return
        if old is None or new is None or not (old <= new or new <= old):
            # A side allows every value, or each side has values of its own.
            effect = Effect.of_sets(old, new)
            self.recorder.record("values", _value_text(old), _value_text(new), effect)
            return
        for value in sorted(old - new):
            self.recorder.record(f"value {quoted(value)}", "allowed", None, Effect.NARROWER)
        for value in sorted(new - old):
            self.recorder.record(f"value {quoted(value)}", None, "allowed", Effect.WIDER)

    def _compare_limits(self) -> None:
        for name in sorted(self.old.limits.keys() | self.new.limits.keys()):
            before = self.old.limits.get(name)
            after = self.new.limits.get(name)
            if before != after:
                effect = Effect.of_limit(name, before, after)
                self.recorder.record(name, text(before), text(after), effect)

    def _compare_defaults(self) -> None:
        old = self.old.default
        new = self.new.default
        if old != new:
            # A caller that omits the value now gets another one. A default that is new here was
            # only not documented.
            effect = Effect.SAME if old is None else Effect.NARROWER
            self.recorder.record("default", text(old), text(new), effect)

    def _compare_openness(self) -> None:
        was_open = self.old.other_properties is not None
        is_open = self.new.other_properties is not None
        if was_open and not is_open:
            self.recorder.record("other properties", "allowed", "refused", Effect.NARROWER)
        if is_open and not was_open:
            self.recorder.record("other properties", "refused", "allowed", Effect.WIDER)

    def _compare_properties(self) -> None:
        old = self.old
        new = self.new
        for name in names_of(old.properties, new.properties):
            subject = f"property {quoted(name)}"
            self.recorder.presence(subject, old.presence.get(name), new.presence.get(name))
            if name in old.properties and name in new.properties:
                self.schemas.compare(self.recorder, old.properties[name], new.properties[name])

    def _compare_items(self) -> None:
        if "array" in self.old.types and "array" in self.new.types:
            self._compare_inner(self.old.items, self.new.items, f"{self.new.pointer}/items")

    def _compare_other_properties(self) -> None:
        old = self.old.other_properties
        new = self.new.other_properties
        if old is not None and new is not None:
            # A recursive schema would make the pointer longer and longer.
            owner = self.new.pointer.removesuffix("/additionalProperties")
            self._compare_inner(old, new, f"{owner}/additionalProperties")

    def _compare_inner(self, old: Schema, new: Schema, pointer: str) -> None:
        """Compare two inner schemas; the place of a newer one that is absent allows anything."""
        if old or new:
            anything = Place(pointer, {})
            self.schemas.compare(self.recorder, old, new or (anything,))


def _type_text(types: Names) -> str:
    return " or ".join(sorted(types)) or "anything"


def _value_text(values: Names | None) -> str:
    return "any" if values is None else ", ".join(map(quoted, sorted(values)))


def _record_alternatives(
    recorder: Recorder, old: list[Shape], new: list[Shape], content: Callable[[Shape], str]
) -> None:
    for shape in old:
        subject = f"alternative {quoted(shape.label)}"
        recorder.record(subject, content(shape), None, Effect.NARROWER)
    for shape in new:
        subject = f"alternative {quoted(shape.label)}"
        recorder.at(shape.pointer).record(subject, None, content(shape), Effect.WIDER)


def _content(shape: Shape) -> str:
    """The fields of an alternative that is compared with nothing."""
    fields = [f"{quoted(name)} ({word})" for name, word in shape.presence.items()]
    return f"present with {', '.join(fields)}" if fields else "present"


def _missing_target(alternatives: list[Shape]) -> str:
    """The reference without a target, if there is nothing else."""
    return alternatives[0].dangling if len(alternatives) == 1 else ""


def _paired(old: list[Shape], new: list[Shape]) -> list[_ShapePair]:
    """Pair alternatives of the same label, then those with the most common property names if both
    sides have equally many."""

    def likeness(pair: _ShapePair) -> tuple[bool, int]:
        older, newer = pair
        common = older.properties.keys() & newer.properties
        return older.label == newer.label, len(common)

    pairs: list[_ShapePair] = []
    paired = set[int]()
    for older, newer in sorted(product(old, new), key=likeness, reverse=True):
        fits = older.label == newer.label or len(old) == len(new)
        if fits and paired.isdisjoint({id(older), id(newer)}):
            paired |= {id(older), id(newer)}
            pairs.append((older, newer))
    return pairs


def _without(alternatives: list[Shape], pairs: list[_ShapePair]) -> list[Shape]:
    paired = {id(shape) for pair in pairs for shape in pair}
    return [shape for shape in alternatives if id(shape) not in paired]
