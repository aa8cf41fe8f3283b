"""Compares two schemas, and all schemas inside them."""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from attrs import field, frozen

from tools.description import Document, Place

from .difference import Effect, Recorder, names_of, quoted, text
from .shapes import Schema, Shape, merged, places, shapes

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
        newest = places(new)
        pointers = [place.pointer for place in (*places(old), Place("", {}), *newest)]
        pair = (recorder.side, type(old).__name__, *pointers)
        if pair in self._entered:
            return
        self._entered.add(pair)
        recorder = recorder.at(newest[-1].pointer if newest else self.pointer)
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
        paired = {id(shape) for pair in pairs for shape in pair}
        removed = [shape for shape in before if id(shape) not in paired]
        added = [shape for shape in after if id(shape) not in paired]
        self._compare_alternatives(recorder, removed, added)

    def _compare_alternatives(self, recorder: Recorder, old: list[Shape], new: list[Shape]) -> None:
        """Compare alternatives without a partner. If both sides have some, their contents are
        compared together."""
        has_both = bool(old and new)
        for shape in old:
            content = "present" if has_both else _content(shape)
            subject = f"alternative {quoted(shape.label)}"
            recorder.record(subject, content, None, Effect.NARROWER)
        for shape in new:
            content = "present" if has_both else _content(shape)
            subject = f"alternative {quoted(shape.label)}"
            recorder.at(shape.pointer).record(subject, None, content, Effect.WIDER)
        if has_both:
            pointer = new[0].pointer if len(new) == 1 else recorder.pointer
            before = merged(old, recorder.pointer)
            self._compare_shapes(recorder.at(pointer), before, merged(new, pointer))

    def _compare_shapes(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        if old.dangling or new.dangling:
            recorder.missing_target(old.dangling, new.dangling)
            return
        _compare_types(recorder, old, new)
        _compare_values(recorder, old, new)
        _compare_limits(recorder, old, new)
        _compare_defaults(recorder, old, new)
        _compare_openness(recorder, old, new)
        self._compare_properties(recorder, old, new)
        self._compare_items(recorder, old, new)
        self._compare_other_properties(recorder, old, new)

    def _compare_properties(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        for name in names_of(old.properties, new.properties):
            subject = f"property {quoted(name)}"
            recorder.presence(subject, old.presence.get(name), new.presence.get(name))
            if name in old.properties and name in new.properties:
                self.compare(recorder, old.properties[name], new.properties[name])

    def _compare_items(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        both_are_arrays = "array" in old.types and "array" in new.types
        if both_are_arrays and (old.items or new.items):
            anything = Place(f"{new.pointer}/items", {})
            self.compare(recorder, old.items, new.items or (anything,))

    def _compare_other_properties(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        if old.other_properties is None or new.other_properties is None:
            return
        if old.other_properties or new.other_properties:
            # A recursive schema would make the pointer longer and longer.
            owner = new.pointer.removesuffix("/additionalProperties")
            anything = Place(f"{owner}/additionalProperties", {})
            self.compare(recorder, old.other_properties, new.other_properties or (anything,))


def _compare_types(recorder: Recorder, old: Shape, new: Shape) -> None:
    if old.types != new.types:
        effect = Effect.of_sets(old.types or None, new.types or None)
        recorder.record("type", _type_text(old), _type_text(new), effect)


def _compare_values(recorder: Recorder, old: Shape, new: Shape) -> None:
    if old.values is None or new.values is None:
        if old.values != new.values:
            effect = Effect.of_sets(old.values, new.values)
            recorder.record("values", _value_text(old), _value_text(new), effect)
        return
    removed = sorted(old.values - new.values)
    added = sorted(new.values - old.values)
    if removed and added:
        recorder.record("values", _value_text(old), _value_text(new), Effect.OTHER)
        return
    for value in removed:
        recorder.record(f"value {quoted(value)}", "allowed", None, Effect.NARROWER)
    for value in added:
        recorder.record(f"value {quoted(value)}", None, "allowed", Effect.WIDER)


def _compare_limits(recorder: Recorder, old: Shape, new: Shape) -> None:
    for name in sorted(old.limits.keys() | new.limits.keys()):
        before = old.limits.get(name)
        after = new.limits.get(name)
        if before != after:
            effect = Effect.of_limit(name, before, after)
            recorder.record(name, text(before), text(after), effect)


def _compare_defaults(recorder: Recorder, old: Shape, new: Shape) -> None:
    if old.default != new.default:
        # A caller that omits the value now gets another one. A default that is new here was only
        # not documented.
        effect = Effect.SAME if old.default is None else Effect.NARROWER
        recorder.record("default", text(old.default), text(new.default), effect)


def _compare_openness(recorder: Recorder, old: Shape, new: Shape) -> None:
    if old.other_properties is not None and new.other_properties is None:
        recorder.record("other properties", "allowed", "refused", Effect.NARROWER)
    if old.other_properties is None and new.other_properties is not None:
        recorder.record("other properties", "refused", "allowed", Effect.WIDER)


def _type_text(shape: Shape) -> str:
    return " or ".join(sorted(shape.types)) or "anything"


def _value_text(shape: Shape) -> str:
    return "any" if shape.values is None else ", ".join(map(quoted, sorted(shape.values)))


def _content(shape: Shape) -> str:
    """What an alternative has, for a difference that lists nothing below it."""
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
