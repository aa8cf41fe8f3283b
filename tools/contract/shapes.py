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

from tools.description import Document, Place, found_at, mapping, sequence

_UNIONS = ("oneOf", "anyOf")
_COMBINED = ("$ref", "allOf", *_UNIONS)
#: Keywords that limit a value: lower bounds and upper bounds.
LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
#: Keywords that are not limits: a shape shows them in another way, or they allow the same values.
_NO_LIMITS = {
    *(
        "type",
        "nullable",
        "enum",
        "const",
        "properties",
        "required",
        "items",
        "additionalProperties",
        "default",
    ),
    *(
        "title",
        "description",
        "example",
        "examples",
        "externalDocs",
        "discriminator",
        "xml",
        "definitions",
    ),
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
    found = [
        _shape(list(each.parts), each.label) for each in map(_together, _combinations(expanded))
    ]
    # A list of values beside "any text" is no limit.
    found = _with_null(found)
    return [
        each
        for each in found
        if not any(_covers(other, each) for other in found if other is not each)
    ]


def _with_null(alternatives: list[Shape]) -> list[Shape]:
    """The alternatives with null as a type in place of null as an alternative."""
    others = [shape for shape in alternatives if shape.types != {"null"}]
    if not others or len(others) == len(alternatives):
        return alternatives
    return [evolve(shape, types=shape.types | {"null"}) for shape in others]


@frozen
class _Parts:
    label: str
    parts: tuple[Place, ...]


def _alternatives(document: Document, place: Place, seen: frozenset[str]) -> list[_Parts]:
    """The parts of a schema without references and unions, for each alternative."""
    node = place.node if isinstance(place.node, Mapping) else {}
    own = {key: value for key, value in node.items() if key not in _COMBINED}
    groups = [[_Parts("", (Place(place.pointer, own),))]]
    if isinstance(target := node.get("$ref"), str):
        groups.append(_referenced(document, place, target, seen))
    groups += [
        _alternatives(document, place.below("allOf", index), seen)
        for index in range(len(sequence(node, "allOf")))
    ]
    groups += [_choices(document, place, union, seen) for union in _UNIONS if sequence(node, union)]
    return [_together(group) for group in _combinations(groups)]


def _together(group: tuple[_Parts, ...]) -> _Parts:
    return _Parts(
        "".join(each.label for each in group), tuple(part for each in group for part in each.parts)
    )


def _combinations(groups: list[list[_Parts]]) -> Iterable[tuple[_Parts, ...]]:
    if prod(map(len, groups)) > _MOST:
        places = [part.pointer for group in groups for each in group for part in each.parts]
        raise ValueError(
            f"{places[0]}: more than {_MOST:,} combinations of alternatives; remove this operation"
        )
    return product(*groups)


def _choices(document: Document, place: Place, union: str, seen: frozenset[str]) -> list[_Parts]:
    return [
        evolve(each, label=each.label or _label(place.node, choice, each))
        for index, choice in enumerate(place.node[union])
        for each in _alternatives(document, place.below(union, index), seen)
    ]


def _referenced(
    document: Document, place: Place, target: str, seen: frozenset[str]
) -> list[_Parts]:
    if target in seen:
        return [_Parts("", ())]
    found = found_at(document, target)
    if found is None:
        return [_Parts("", (Place(place.pointer, {"$ref": target}),))]
    return _alternatives(document, Place(target.removeprefix("#"), found), seen | {target})


def _label(union: Mapping[str, Any], choice: Any, parts: _Parts) -> str:
    """The label of a choice: its discriminator value, else its name, else its type."""
    reference = str(choice.get("$ref", "")) if isinstance(choice, Mapping) else ""
    name = reference.rpartition("/")[2]
    discriminator = mapping(union, "discriminator")
    for value, target in mapping(discriminator, "mapping").items():
        if target in (reference, name):
            return str(value)
    discriminating = _shape(list(parts.parts), "").properties.get(
        str(discriminator.get("propertyName")), ()
    )
    values = {value for place in discriminating for value in _values(place.node) or ()}
    return values.pop() if len(values) == 1 else name


def _shape(parts: list[Place], label: str) -> Shape:
    types = reduce(_both, [_types(part.node) for part in parts], frozenset[str]())
    defaults = _with(parts, "default")
    return Shape(
        pointer=_pointer(parts),
        label=label or " or ".join(sorted(types)),
        types=types,
        values=_common_values(parts),
        properties=_properties(parts),
        required=_required(parts),
        items=tuple(part.below("items") for part in _with(parts, "items")),
        others=_others(parts),
        limits=dict(limit for part in parts for limit in _limits(part.node).items()),
        default=defaults[-1].node["default"] if defaults else None,
        dangling=tuple(part.node["$ref"] for part in _with(parts, "$ref")),
    )


def _with(parts: list[Place], keyword: str) -> list[Place]:
    return [part for part in parts if keyword in part.node]


def _pointer(parts: list[Place]) -> str:
    """The pointer of the last part that says more than a description."""
    telling = [part for part in parts if part.node.keys() - {"description"}] or parts
    return telling[-1].pointer if telling else ""


def _properties(parts: list[Place]) -> dict[str, tuple[Place, ...]]:
    """The places of each property that every part allows."""
    closed = [
        mapping(part.node, "properties")
        for part in parts
        if part.node.get("additionalProperties") is False
    ]
    properties: dict[str, tuple[Place, ...]] = {}
    for part in parts:
        for name in mapping(part.node, "properties"):
            if all(name in names for names in closed):
                properties[name] = (*properties.get(name, ()), part.below("properties", name))
    return properties


def _required(parts: list[Place]) -> frozenset[str]:
    return frozenset(
        name for part in parts for name in sequence(part.node, "required") if isinstance(name, str)
    )


def _common_values(parts: list[Place]) -> frozenset[str] | None:
    stated = [values for part in parts if (values := _values(part.node)) is not None]
    return frozenset.intersection(*stated) if stated else None


def _others(parts: list[Place]) -> tuple[Place, ...] | None:
    """The schemas of all other properties; `None` if a part forbids other properties."""
    stating = _with(parts, "additionalProperties")
    if any(part.node["additionalProperties"] is False for part in stating):
        return None
    places = [part.below("additionalProperties") for part in stating]
    return tuple(place for place in places if isinstance(place.node, Mapping))


def _types(node: Mapping[str, Any]) -> frozenset[str]:
    """The types that a schema states, or those that its other keywords imply."""
    stated = node.get("type")
    types = {name for name in (stated, *sequence(node, "type")) if isinstance(name, str)} or set(
        _implied_types(node)
    )
    return frozenset(types | ({"null"} if node.get("nullable") is True and types else set()))


def _implied_types(node: Mapping[str, Any]) -> Iterator[str]:
    if {"properties", "required", "additionalProperties"} & node.keys():
        yield "object"
    if "items" in node:
        yield "array"
    if _limits(node).get("format") == "binary":
        yield "string"
    yield from (_TYPE_OF[type(value)] for value in _literals(node) if type(value) in _TYPE_OF)


def _both(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """The common types of two sets; every integer is a number."""
    if not (one and other):
        return one or other
    common = one & other
    if "number" in one | other and "integer" in one | other:
        common |= {"integer"}
    return common or frozenset({"nothing"})


def _literals(node: Mapping[str, Any]) -> list[Any]:
    return [node["const"]] if "const" in node else sequence(node, "enum")


def _values(node: Any) -> frozenset[str] | None:
    literals = _literals(node) if isinstance(node, Mapping) else []
    return frozenset(str(value) for value in literals) or None


def _limits(node: Mapping[str, Any]) -> dict[str, Any]:
    """Every keyword of a node that can limit its values. False equals an absent keyword."""
    limits = {
        name: value
        for name, value in node.items()
        if name not in _NO_LIMITS
        and not name.startswith(("$", "x-"))
        and (value is not False or name.startswith("unevaluated"))
    }
    if limits.get("contentMediaType") == "application/octet-stream":
        limits["format"] = "binary"
        del limits["contentMediaType"]
    return limits


def _covers(wide: Shape, narrow: Shape) -> bool:
    """Whether the first shape is a plain scalar that allows every value of the second."""
    bare = not (wide.values or wide.properties or wide.items or wide.limits or wide.dangling)
    scalar = wide.types and not wide.types & {"object", "array"}
    return bool(bare and scalar and narrow.types <= wide.types and (narrow.values or narrow.limits))
