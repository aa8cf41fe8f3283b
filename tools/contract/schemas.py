"""Compares two schemas, and all schemas inside them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

from attrs import field, frozen

from tools.description import Place

from .difference import Effect, Recorder, names_of, quoted
from .shapes import Names, Property, Schema, Shape, merged, shapes, type_text

#: An alternative on both sides.
_ShapePair: TypeAlias = tuple[Shape, Shape]


@frozen
class Schemas:
    """Compares the schemas of one side of an operation."""

    #: Pairs of schemas already compared; a recursive schema would never end.
    _entered: set[Any] = field(factory=set, init=False)

    def compare(self, recorder: Recorder, old: Schema, new: Schema) -> None:
        """Record the differences of two schemas, at the places of the newer one."""
        pair = (_pointers(old), _pointers(new))
        if pair in self._entered:
            return
        self._entered.add(pair)
        if new:
            recorder = recorder.at(new[-1][-1].pointer)
        before = shapes(old)
        after = shapes(new)
        missing_before = _missing_target(before)
        missing_after = _missing_target(after)
        if missing_before or missing_after:
            _at_only(after, recorder).missing_target(missing_before, missing_after)
            return
        removed = list(before)
        added = list(after)
        for older, newer in _by_likeness(before, after):
            if older in removed and newer in added:
                removed.remove(older)
                added.remove(newer)
                self._compare_shapes(recorder.at(newer.pointer), older, newer)
        if not (removed and added):
            _record_alternatives(recorder, removed, added, _content)
            return
        # Compare all values that the alternatives without a partner allow.
        _record_alternatives(recorder, removed, added, lambda _: "present")
        place = _at_only(added, recorder)
        older = merged(removed, recorder.pointer)
        self._compare_shapes(place, older, merged(added, place.pointer))

    def _compare_shapes(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        if old.dangling or new.dangling:
            recorder.missing_target(old.dangling, new.dangling)
            return
        if old.types != new.types:
            effect = Effect.of_sets(old.types, new.types)
            recorder.record("type", type_text(old.types), type_text(new.types), effect)
        _compare_values(recorder, old.values, new.values)
        recorder.keywords(old.limits, new.limits)
        _compare_openness(recorder, old, new)
        for name in names_of(old.properties, new.properties):
            older = old.properties.get(name)
            newer = new.properties.get(name)
            self._compare_properties(recorder, name, older, newer)
        if "array" in (old.types or ()) and "array" in (new.types or ()):
            self._compare_inner(recorder, "items", old.items, new.items)
        if not (old.is_closed or new.is_closed):
            others = (old.other_properties, new.other_properties)
            self._compare_inner(recorder, "additionalProperties", *others)

    def _compare_properties(
        self, recorder: Recorder, name: str, old: Property | None, new: Property | None
    ) -> None:
        before = old.presence if old else None
        after = new.presence if new else None
        recorder.presence(f"property {quoted(name)}", before, after)
        if old and new:
            self.compare(recorder, old.schema, new.schema)

    def _compare_inner(self, recorder: Recorder, keyword: str, old: Schema, new: Schema) -> None:
        """Compare two inner schemas; a newer one that is absent allows anything."""
        if old and not new:
            # A recursive schema would make the pointer longer and longer.
            owner = recorder.pointer.removesuffix(f"/{keyword}")
            new = ((Place({}, f"{owner}/{keyword}", {}),),)
        if new:
            self.compare(recorder, old, new)


def _pointers(schema: Schema) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(place.pointer for place in choice) for choice in schema)


def _missing_target(alternatives: list[Shape]) -> str | None:
    """The reference without a target, if there is nothing else."""
    return alternatives[0].dangling if len(alternatives) == 1 else None


def _at_only(alternatives: list[Shape], recorder: Recorder) -> Recorder:
    """Return a recorder for the only alternative; of several, for their schema."""
    if len(alternatives) == 1:
        return recorder.at(alternatives[0].pointer)
    return recorder


def _compare_values(recorder: Recorder, old: Names | None, new: Names | None) -> None:
    if old == new:
        return
    if old is None or new is None or not (old <= new or new <= old):
        # A side allows every value, or each side has values of its own.
        effect = Effect.of_sets(old, new)
        recorder.record("values", _value_text(old), _value_text(new), effect)
        return
    for value in sorted(old - new):
        recorder.record(f"value {quoted(value)}", "allowed", None, Effect.NARROWER)
    for value in sorted(new - old):
        recorder.record(f"value {quoted(value)}", None, "allowed", Effect.WIDER)


def _value_text(values: Names | None) -> str:
    return "any" if values is None else ", ".join(map(quoted, sorted(values)))


def _compare_openness(recorder: Recorder, old: Shape, new: Shape) -> None:
    if new.is_closed and not old.is_closed:
        recorder.record("other properties", "allowed", "refused", Effect.NARROWER)
    if old.is_closed and not new.is_closed:
        recorder.record("other properties", "refused", "allowed", Effect.WIDER)


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
    fields = [f"{quoted(name)} ({each.presence})" for name, each in shape.properties.items()]
    return f"present with {', '.join(fields)}" if fields else "present"


def _by_likeness(old: list[Shape], new: list[Shape]) -> list[_ShapePair]:
    """The alternatives that can be partners, the best pair first: those of the same label; if both
    sides have equally many, also those with common property names."""

    def likeness(pair: _ShapePair) -> tuple[bool, int]:
        older, newer = pair
        common = older.properties.keys() & newer.properties
        return older.label == newer.label, len(common)

    pairs = [
        (older, newer)
        for older, newer in product(old, new)
        if older.label == newer.label or len(old) == len(new)
    ]
    return sorted(pairs, key=likeness, reverse=True)
