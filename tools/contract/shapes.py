"""Reduces a schema to the values that it allows: resolves references, `allOf`, unions and both
notations for null.

Invalid documents are accepted: a reference without a target is recorded, an invalid schema allows
every value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import product
from math import prod
from typing import Any

from attrs import evolve, field, frozen

from tools.description import Document, Place, found_at, mapping, reference, sequence

_UNIONS = ("oneOf", "anyOf")
#: Keywords that combine a schema with others.
_COMBINING = ("$ref", "allOf", *_UNIONS)
#: Keywords that a shape shows in another way.
_SHOWN = {
    "type",
    "nullable",
    "enum",
    "const",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "default",
}
#: Keywords that allow the same values, whatever they say.
_NOTES = {
    "title",
    "description",
    "example",
    "examples",
    "externalDocs",
    "discriminator",
    "xml",
    "definitions",
}
#: The largest number of combinations of alternatives in one schema; each combination is compared.
_MOST = 1000
_TYPE_OF = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


@frozen
class Shape:
    """The values that one alternative of a schema allows. Each inner schema is a tuple of all
    places that apply."""

    pointer: str
    label: str
    #: An empty set allows every type.
    types: frozenset[str] = frozenset()
    #: `None` allows every value.
    values: frozenset[str] | None = None
    properties: Mapping[str, tuple[Place, ...]] = field(factory=dict)
    required: frozenset[str] = frozenset()
    items: tuple[Place, ...] = ()
    #: `None` if other properties are forbidden.
    others: tuple[Place, ...] | None = ()
    limits: Mapping[str, Any] = field(factory=dict)
    default: Any = None
    #: References without a target.
    dangling: tuple[str, ...] = ()


def shapes(document: Document, places: tuple[Place, ...]) -> list[Shape]:
    """Return the alternatives of a value to which all these places apply."""
    expanded = [_alternatives(document, place, frozenset()) for place in places]
    alternatives = [_shape(each) for each in _combined(expanded)]
    return _without_covered(_with_null_as_type(alternatives))


def _with_null_as_type(alternatives: list[Shape]) -> list[Shape]:
    """Make null, as an alternative, a type of each of the other alternatives."""
    values = [shape for shape in alternatives if shape.types != {"null"}]
    if not values or len(values) == len(alternatives):
        return alternatives
    return [evolve(shape, types=shape.types | {"null"}) for shape in values]


def _without_covered(alternatives: list[Shape]) -> list[Shape]:
    """Leave out an alternative beside one that allows all its values. A list of values beside
    "any text" does not limit anything."""
    plain = [shape for shape in alternatives if _is_plain_scalar(shape)]

    def is_covered(shape: Shape) -> bool:
        is_limited = bool(shape.values or shape.limits)
        return is_limited and any(shape.types <= wide.types for wide in plain)

    return [shape for shape in alternatives if not is_covered(shape)]


def _is_plain_scalar(shape: Shape) -> bool:
    is_limited = shape.values or shape.limits or shape.properties or shape.items or shape.dangling
    is_scalar = shape.types and shape.types.isdisjoint({"object", "array"})
    return bool(is_scalar and not is_limited)


@frozen
class _Alternative:
    """The parts that apply together in one alternative of a schema. A part has no reference, and
    does not combine schemas."""

    label: str
    parts: tuple[Place, ...]


def _alternatives(document: Document, place: Place, seen: frozenset[str]) -> list[_Alternative]:
    """The alternatives of a schema; `seen` has the references that led to it."""
    node = place.node if isinstance(place.node, Mapping) else {}
    own = {key: value for key, value in node.items() if key not in _COMBINING}
    groups = [[_Alternative("", (Place(place.pointer, own),))]]
    target = reference(node)
    if target is not None:
        groups.append(_referenced(document, place, target, seen))
    groups += [_alternatives(document, part, seen) for part in place.listed("allOf")]
    for union in _UNIONS:
        choices = place.listed(union)
        if choices:
            groups.append(_chosen(document, node, choices, seen))
    return _combined(groups)


def _combined(groups: list[list[_Alternative]]) -> list[_Alternative]:
    """Combine each alternative of a group with each of the other groups."""
    if prod(len(group) for group in groups) > _MOST:
        first = next(part for group in groups for each in group for part in each.parts)
        raise ValueError(
            f"{first.pointer}: more than {_MOST:,} combinations of alternatives; remove this"
            " operation"
        )
    return [_together(combination) for combination in product(*groups)]


def _together(combination: Iterable[_Alternative]) -> _Alternative:
    label = ""
    parts: tuple[Place, ...] = ()
    for each in combination:
        label += each.label
        parts += each.parts
    return _Alternative(label, parts)


def _chosen(
    document: Document, union: Mapping[str, Any], choices: list[Place], seen: frozenset[str]
) -> list[_Alternative]:
    """The alternatives of all choices of a union, each with a label."""
    alternatives = []
    for choice in choices:
        for each in _alternatives(document, choice, seen):
            label = each.label or _label(union, choice.node, each)
            alternatives.append(evolve(each, label=label))
    return alternatives


def _referenced(
    document: Document, place: Place, target: str, seen: frozenset[str]
) -> list[_Alternative]:
    if target in seen:
        return [_Alternative("", ())]
    node = found_at(document, target)
    if node is None:
        return [_Alternative("", (Place(place.pointer, {"$ref": target}),))]
    return _alternatives(document, Place(target.removeprefix("#"), node), seen | {target})


def _label(union: Mapping[str, Any], choice: Any, alternative: _Alternative) -> str:
    """The label of a choice: its discriminator value, else its name, else nothing."""
    target = reference(choice) or ""
    name = target.rpartition("/")[2]
    discriminator = mapping(union, "discriminator")
    for value, mapped in mapping(discriminator, "mapping").items():
        if mapped in (target, name):
            return str(value)
    properties = _properties(alternative.parts)
    places = properties.get(str(discriminator.get("propertyName")), ())
    values = {value for place in places for value in _values(place.node) or ()}
    return values.pop() if len(values) == 1 else name


def _shape(alternative: _Alternative) -> Shape:
    parts = alternative.parts
    types = reduce(_common_types, [_types(part.node) for part in parts], frozenset[str]())
    limits: dict[str, Any] = {}
    for part in parts:
        limits.update(_limits(part.node))
    defaults = [part.node["default"] for part in _with(parts, "default")]
    return Shape(
        pointer=_pointer(parts),
        label=alternative.label or " or ".join(sorted(types)),
        types=types,
        values=_common_values(parts),
        properties=_properties(parts),
        required=_required(parts),
        items=tuple(part.below("items") for part in _with(parts, "items")),
        others=_others(parts),
        limits=limits,
        default=defaults[-1] if defaults else None,
        dangling=tuple(part.node["$ref"] for part in _with(parts, "$ref")),
    )


def _with(parts: Iterable[Place], keyword: str) -> list[Place]:
    return [part for part in parts if keyword in part.node]


def _pointer(parts: tuple[Place, ...]) -> str:
    """The pointer of the last part that says more than a description."""
    telling = [part for part in parts if part.node.keys() - {"description"}]
    pointers = [part.pointer for part in telling or parts]
    return pointers[-1] if pointers else ""


def _properties(parts: Iterable[Place]) -> dict[str, tuple[Place, ...]]:
    """The places of each property that every part allows."""
    closed = [part for part in parts if part.node.get("additionalProperties") is False]
    properties: dict[str, tuple[Place, ...]] = {}
    for part in parts:
        for name, place in part.named("properties").items():
            if all(name in mapping(each.node, "properties") for each in closed):
                properties[name] = (*properties.get(name, ()), place)
    return properties


def _required(parts: Iterable[Place]) -> frozenset[str]:
    names = [name for part in parts for name in sequence(part.node, "required")]
    return frozenset(name for name in names if isinstance(name, str))


def _common_values(parts: Iterable[Place]) -> frozenset[str] | None:
    stated = [_values(part.node) for part in parts]
    limiting = [values for values in stated if values is not None]
    return frozenset.intersection(*limiting) if limiting else None


def _others(parts: Iterable[Place]) -> tuple[Place, ...] | None:
    """The schemas of all other properties; `None` if a part forbids other properties."""
    places = [part.below("additionalProperties") for part in _with(parts, "additionalProperties")]
    if any(place.node is False for place in places):
        return None
    return tuple(place for place in places if isinstance(place.node, Mapping))


def _types(node: Mapping[str, Any]) -> frozenset[str]:
    """The types that a schema states, or those that its other keywords imply."""
    stated = [node.get("type"), *sequence(node, "type")]
    types = {name for name in stated if isinstance(name, str)} or set(_implied_types(node))
    if types and node.get("nullable") is True:
        types.add("null")
    return frozenset(types)


def _implied_types(node: Mapping[str, Any]) -> Iterator[str]:
    if {"properties", "required", "additionalProperties"} & node.keys():
        yield "object"
    if "items" in node:
        yield "array"
    if _limits(node).get("format") == "binary":
        yield "string"
    for value in _literals(node):
        if type(value) in _TYPE_OF:
            yield _TYPE_OF[type(value)]


def _common_types(types: frozenset[str], more: frozenset[str]) -> frozenset[str]:
    """The types that two sets share; every integer is a number."""
    if not types or not more:
        return types or more
    common = types & more
    if {"integer", "number"} <= types | more:
        common |= {"integer"}
    return common or frozenset({"nothing"})


def _literals(node: Mapping[str, Any]) -> list[Any]:
    return [node["const"]] if "const" in node else sequence(node, "enum")


def _values(node: Any) -> frozenset[str] | None:
    literals = _literals(node) if isinstance(node, Mapping) else []
    return frozenset(map(str, literals)) or None


def _limits(node: Mapping[str, Any]) -> dict[str, Any]:
    """Every keyword of a node that can limit its values."""
    limits = {name: value for name, value in node.items() if _is_limit(name, value)}
    if limits.get("contentMediaType") == "application/octet-stream":
        limits["format"] = "binary"
        del limits["contentMediaType"]
    return limits


def _is_limit(name: str, value: Any) -> bool:
    if name in _SHOWN or name in _NOTES or name.startswith(("$", "x-")):
        return False
    # False equals an absent keyword.
    return value is not False or name.startswith("unevaluated")
