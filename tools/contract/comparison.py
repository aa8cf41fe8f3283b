"""Compares two parts of an operation, and all parts and schemas inside them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias

from attrs import field, frozen

from .difference import Effect, Recorder, names_of, quoted
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
    """Compares the parts of a request, or those of all responses of an operation."""

    #: Pairs of schemas already compared; a recursive schema would never end.
    _entered: set[tuple[str, str]] = field(factory=set, init=False)

    def compare(
        self,
        recorder: Recorder,
        old: Part | None,
        new: Part | None,
    ) -> None:
        """Record the differences of two parts; a part without a pointer is recorded at
        its holder."""
        before = old.presence if old else None
        after = new.presence if new else None
        part = new or old
        if new:
            recorder = recorder.at(new.pointer)
        if part:
            recorder.presence(part.subject, before, after)
        if old and new:
            self._compare_contents(recorder, old, new)

    def _compare_contents(self, recorder: Recorder, old: Part, new: Part) -> None:
        if recorder.misses_target(old.dangling, new.dangling):
            return
        recorder.keywords(old.keywords, new.keywords)
        self._compare_parts(recorder, old.parts, new.parts)
        self._compare_schemas(recorder, old.schema, new.schema)

    def _compare_parts(self, recorder: Recorder, old: Parts, new: Parts) -> None:
        for name in names_of(old, new):
            before = old.get(name)
            after = new.get(name)
            self.compare(recorder, before, after)

    def _compare_schemas(self, recorder: Recorder, old: Schema, new: Schema) -> None:
        """Compare two schemas at the place of the newer one; an absent schema allows anything."""
        pair = (_pointers(old), _pointers(new))
        if pair in self._entered or pair == ("", ""):
            return
        self._entered.add(pair)
        if new:
            last = new[-1]
            recorder = recorder.at(last[-1].pointer)
        before = shapes(old)
        after = shapes(new)
        place = recorder.at(_only(after).pointer)
        missing_before = _only(before).dangling
        missing_after = _only(after).dangling
        if not place.misses_target(missing_before, missing_after):
            self._compare_alternatives(recorder, before, after)

    def _compare_alternatives(
        self,
        recorder: Recorder,
        old: list[Shape],
        new: list[Shape],
    ) -> None:
        removed = list(old)
        added = list(new)
        for before, after in _by_likeness(old, new):
            if before in removed and after in added:
                removed.remove(before)
                added.remove(after)
                place = recorder.at(after.pointer)
                self._compare_shapes(place, before, after)
        if not (removed and added):
            _record_alternatives(recorder, removed, added, _content)
            return
        # Compare all values that the alternatives without a partner allow.
        _record_alternatives(recorder, removed, added, _presence)
        place = recorder.at(_only(added).pointer)
        before = merged(removed)
        after = merged(added)
        self._compare_shapes(place, before, after)

    def _compare_shapes(self, recorder: Recorder, old: Shape, new: Shape) -> None:
        if recorder.misses_target(old.dangling, new.dangling):
            return
        _compare_types(recorder, old.types, new.types)
        _compare_values(recorder, old.values, new.values)
        recorder.keywords(old.limits, new.limits)
        _compare_openness(recorder, old, new)
        self._compare_parts(recorder, old.properties, new.properties)
        if old.is_array and new.is_array:
            items = recorder.below("items")
            self._compare_schemas(items, old.items, new.items)
        if not (old.is_closed or new.is_closed):
            others = recorder.below("additionalProperties")
            self._compare_schemas(others, old.other_properties, new.other_properties)


def _pointers(schema: Schema) -> str:
    """The places of a schema; an empty text for an absent one."""
    choices = []
    for choice in schema:
        pointers = [place.pointer for place in choice]
        choices.append(" and ".join(pointers))
    return " or ".join(choices)


def _only(alternatives: list[Shape]) -> Shape:
    """The only alternative; for several alternatives, a shape that says nothing."""
    only, *others = alternatives
    return Shape() if others else only


def _compare_types(
    recorder: Recorder,
    old: Names | None,
    new: Names | None,
) -> None:
    if old != new:
        effect = Effect.of_sets(old, new)
        before = type_text(old)
        after = type_text(new)
        recorder.record("type", before, after, effect)


def _compare_values(
    recorder: Recorder,
    old: Names | None,
    new: Names | None,
) -> None:
    if old == new:
        return
    effect = Effect.of_sets(old, new)
    if old is None or new is None or effect is Effect.OTHER:
        before = _value_text(old)
        after = _value_text(new)
        recorder.record("values", before, after, effect)
        return
    for value in sorted(old - new):
        recorder.record(f"value {value}", "allowed", None, effect)
    for value in sorted(new - old):
        recorder.record(f"value {value}", None, "allowed", effect)


def _value_text(values: Names | None) -> str:
    if values is None:
        return "any"
    return ", ".join(sorted(values))


def _compare_openness(recorder: Recorder, old: Shape, new: Shape) -> None:
    subject = "other properties"
    if new.is_closed and not old.is_closed:
        recorder.record(subject, "allowed", "refused", Effect.NARROWER)
    if old.is_closed and not new.is_closed:
        recorder.record(subject, "refused", "allowed", Effect.WIDER)


def _record_alternatives(
    recorder: Recorder,
    old: list[Shape],
    new: list[Shape],
    content: Callable[[Shape], str],
) -> None:
    for shape in old:
        subject = f"alternative {quoted(shape.label)}"
        recorder.record(subject, content(shape), None, Effect.NARROWER)
    for shape in new:
        subject = f"alternative {quoted(shape.label)}"
        place = recorder.at(shape.pointer)
        place.record(subject, None, content(shape), Effect.WIDER)


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
