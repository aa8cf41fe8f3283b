"""Compares two schemas, and all schemas inside them."""

from __future__ import annotations

from itertools import product, zip_longest
from typing import TypeAlias

from attrs import field, frozen

from tools.description import Document, Place

from .difference import Effect, Recorder, names_of, quoted, text
from .shapes import Schema, Shape, shapes

#: An alternative on both sides; `None` if a side lacks it.
_ShapePair: TypeAlias = tuple[Shape | None, Shape | None]


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
        pointers = [place.pointer for place in (*old, Place("", {}), *new)]
        pair = (recorder.side, *pointers)
        if pair in self._entered:
            return
        self._entered.add(pair)
        recorder = recorder.at(new[-1].pointer if new else self.pointer)
        before = shapes(self.old, old)
        after = shapes(self.new, new)
        missing_before = _missing_target(before)
        missing_after = _missing_target(after)
        if missing_before or missing_after:
            pointer = after[0].pointer if len(after) == 1 else recorder.pointer
            recorder.at(pointer).missing_target(missing_before, missing_after)
            return
        for older, newer in _paired(before, after):
            self._compare_alternative(recorder, older, newer)

    def _compare_alternative(
        self, recorder: Recorder, old: Shape | None, new: Shape | None
    ) -> None:
        if old and new:
            self._compare_shapes(recorder.at(new.pointer), old, new)
        elif new:
            subject = f"alternative {quoted(new.label)}"
            recorder.at(new.pointer).record(subject, None, "present", Effect.WIDER)
        elif old:
            subject = f"alternative {quoted(old.label)}"
            recorder.record(subject, "present", None, Effect.NARROWER)

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
            recorder.presence(subject, _presence_of(name, old), _presence_of(name, new))
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
    for value in sorted(old.values - new.values):
        recorder.record(f"value {quoted(value)}", "allowed", None, Effect.NARROWER)
    for value in sorted(new.values - old.values):
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


def _presence_of(name: str, shape: Shape) -> str | None:
    if name not in shape.properties:
        return None
    return "required" if name in shape.required else "optional"


def _type_text(shape: Shape) -> str:
    return " or ".join(sorted(shape.types)) or "anything"


def _value_text(shape: Shape) -> str:
    return "any" if shape.values is None else ", ".join(map(quoted, sorted(shape.values)))


def _missing_target(alternatives: list[Shape]) -> str:
    """The reference without a target, if there is nothing else."""
    return alternatives[0].dangling if len(alternatives) == 1 else ""


def _paired(old: list[Shape], new: list[Shape]) -> list[_ShapePair]:
    """Pair the alternatives of both sides by label; pair the rest by their common properties if
    the counts match."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    labels = {shape.label for shape in old} & {shape.label for shape in new}
    pairs: list[_ShapePair] = []
    for label in sorted(labels):
        pairs += zip_longest(_labelled(old, {label}), _labelled(new, {label}))
    removed = _labelled(old, {shape.label for shape in old} - labels)
    added = _labelled(new, {shape.label for shape in new} - labels)
    if len(removed) == len(added):
        return pairs + _most_alike(removed, added)
    pairs += [(shape, None) for shape in removed]
    pairs += [(None, shape) for shape in added]
    return pairs


def _labelled(alternatives: list[Shape], labels: set[str]) -> list[Shape]:
    return [shape for shape in alternatives if shape.label in labels]


def _most_alike(old: list[Shape], new: list[Shape]) -> list[_ShapePair]:
    """Pair alternatives with the most common property names; keep the order otherwise."""

    def common(pair: tuple[Shape, Shape]) -> int:
        older, newer = pair
        return len(older.properties.keys() & newer.properties)

    pairs: list[_ShapePair] = []
    paired = set[int]()
    for older, newer in sorted(product(old, new), key=common, reverse=True):
        if paired.isdisjoint({id(older), id(newer)}):
            paired |= {id(older), id(newer)}
            pairs.append((older, newer))
    return pairs
