"""Compares two schemas, and all schemas inside them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TypeAlias

from attrs import field, frozen

from tools.description import Document, Place

from .difference import Effect, Recorder, names_of, quoted, text
from .shapes import Shape, shapes

#: The places that apply to one value; none if there is no schema.
Schema: TypeAlias = tuple[Place, ...]


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
        entered = (recorder.side, *pointers)
        if entered in self._entered:
            return
        self._entered.add(entered)
        before = shapes(self.old, old)
        after = shapes(self.new, new)
        recorder = recorder.at(new[-1].pointer if new else self.pointer)
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
            recorder.missing_target(_first_dangling(old), _first_dangling(new))
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
        if old.others is None or new.others is None:
            return
        if old.others or new.others:
            # A recursive schema would make the pointer longer and longer.
            owner = new.pointer.removesuffix("/additionalProperties")
            anything = Place(f"{owner}/additionalProperties", {})
            self.compare(recorder, old.others, new.others or (anything,))


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
    if old.others is not None and new.others is None:
        recorder.record("other properties", "allowed", "refused", Effect.NARROWER)
    if old.others is None and new.others is not None:
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
    return _first_dangling(alternatives[0]) if len(alternatives) == 1 else ""


def _first_dangling(shape: Shape) -> str:
    return shape.dangling[0] if shape.dangling else ""


def _paired(old: list[Shape], new: list[Shape]) -> list[tuple[Shape | None, Shape | None]]:
    """Pair the alternatives of both sides by label; pair the rest by their common properties if
    the counts match."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    old_by_label = _by_label(old)
    new_by_label = _by_label(new)
    labels = old_by_label.keys() & new_by_label.keys()
    pairs: list[tuple[Shape | None, Shape | None]] = []
    for label in sorted(labels):
        pairs += zip(old_by_label[label], new_by_label[label], strict=False)
    old_rest = [shape for shape in old if shape.label not in labels]
    new_rest = [shape for shape in new if shape.label not in labels]
    if len(old_rest) == len(new_rest):
        return pairs + _most_alike(old_rest, new_rest)
    pairs += [(shape, None) for shape in old_rest]
    pairs += [(None, shape) for shape in new_rest]
    return pairs


def _by_label(alternatives: list[Shape]) -> Mapping[str, list[Shape]]:
    by_label: dict[str, list[Shape]] = {}
    for shape in alternatives:
        by_label.setdefault(shape.label, []).append(shape)
    return by_label


def _most_alike(old: list[Shape], new: list[Shape]) -> list[tuple[Shape | None, Shape | None]]:
    """Pair alternatives with the most common property names; keep the order otherwise."""

    def common(pair: tuple[Shape, Shape]) -> int:
        older, newer = pair
        return len(older.properties.keys() & newer.properties)

    pairs: list[tuple[Shape | None, Shape | None]] = []
    paired = set[int]()
    for older, newer in sorted(product(old, new), key=common, reverse=True):
        if paired.isdisjoint((id(older), id(newer))):
            paired |= {id(older), id(newer)}
            pairs.append((older, newer))
    return pairs
