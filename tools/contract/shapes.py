"""Reduces a schema to the values that it allows: resolves references, `allOf`, unions and both
notations for null."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from tools.description import Node, Place, is_object, mapping, reference, sequence

Names: TypeAlias = frozenset[str]
#: Places that apply together to one value.
Places: TypeAlias = tuple[Place, ...]
#: The choices for a value; without a choice it can be anything.
Schema: TypeAlias = tuple[Places, ...]

_UNIONS = ("oneOf", "anyOf")
#: Keywords that are not limits: a shape shows them in another way, or they allow the same values,
#: whatever they say.
_NO_LIMITS = {
    *_UNIONS,
    "allOf",
    "type",
    "nullable",
    "enum",
    "const",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "default",
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
_NULL = Names(["null"])
_TYPE_OF = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


@frozen
class Property:
    """A property of an object."""

    #: `required`, `optional`, or `required in some` of several alternatives.
    presence: str
    schema: Schema


@frozen
class Shape:
    """The values that one alternative of a schema allows."""

    #: The place that says most about the values.
    pointer: str
    #: The name of the alternative, else its types.
    label: str = ""
    #: The types of the values; `None` allows every type.
    types: Names | None = None
    #: The only values, as text; `None` allows every value.
    values: Names | None = None
    #: All further keywords that limit the values, and at last the default.
    limits: Node = field(factory=dict)
    properties: Mapping[str, Property] = field(factory=dict)
    #: The schema of the items of an array.
    items: Schema = ()
    #: Whether all other properties are refused, and their schema.
    is_closed: bool = False
    other_properties: Schema = ()
    #: A reference without a target.
    dangling: str | None = None


@frozen
class _Alternative:
    """The places that apply together to one alternative of a value."""

    name: str
    parts: Places


def shapes(schema: Schema) -> list[Shape]:
    """Return the alternatives of a value; several choices are merged into one."""
    if len(schema) > 1:
        choices = [shape for choice in schema for shape in shapes((choice,))]
        return [merged(choices, schema[-1][-1].pointer)]
    groups = [_alternatives(place, Names()) for choice in schema for place in choice]
    alternatives = [_shape(alternative) for alternative in _combined(groups)]
    return _without_covered(_with_null_as_type(alternatives))


def _shape(alternative: _Alternative) -> Shape:
    parts = alternative.parts
    types = _common(_types(part.node) for part in parts)
    return Shape(
        pointer=_pointer(parts),
        label=alternative.name or type_text(types),
        types=types,
        values=_common(_values(part.node) for part in parts),
        limits=_limits_of(parts),
        properties=_properties(parts),
        items=_schema(_below(parts, "items")),
        is_closed=any(_is_closed(part) for part in parts),
        other_properties=_schema(_below(parts, "additionalProperties")),
        dangling=_dangling(parts),
    )


def _is_closed(part: Place) -> bool:
    return part.node.get("additionalProperties") is False


def _dangling(parts: Places) -> str | None:
    """The first reference without a target."""
    dangling = [reference(part.node) for part in parts if part.target() is None]
    return next(filter(None, dangling), None)


def _schema(parts: Iterable[Place]) -> Schema:
    """The schema of a value to which all parts apply; only an object says something about it."""
    choice = tuple(part for part in parts if is_object(part.node))
    return (choice,) if choice else ()


def _common(sets: Iterable[Names | None]) -> Names | None:
    """The intersection of sets; `None` is the set of all."""
    limited = [each for each in sets if each is not None]
    return Names.intersection(*limited) if limited else None


def _union(sets: Iterable[Names | None]) -> Names | None:
    """The union of sets; `None` is the set of all."""
    union = Names()
    for each in sets:
        if each is None:
            return None
        union |= each
    return union


def _below(parts: Places, keyword: str) -> Places:
    return tuple(part.below(keyword) for part in parts if keyword in part.node)


def _pointer(parts: Places) -> str:
    """The pointer of the last part that says more than a description."""
    telling = [part for part in parts if part.node.keys() - {"description"}]
    pointers = [part.pointer for part in telling or parts]
    return pointers[-1] if pointers else ""


def _properties(parts: Places) -> dict[str, Property]:
    """The properties that every part allows."""
    places: dict[str, list[Place]] = {}
    for part in parts:
        for name in mapping(part.node, "properties"):
            places.setdefault(name, []).append(part.below("properties", name))
    for part in filter(_is_closed, parts):
        allowed = mapping(part.node, "properties")
        places = {name: places[name] for name in places if name in allowed}
    required = {name for part in parts for name in sequence(part.node, "required")}
    return {
        name: Property("required" if name in required else "optional", _schema(places[name]))
        for name in places
    }


def _limits_of(parts: Places) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    for part in parts:
        limits |= _limits(part.node)
    ordered = {name: limits[name] for name in sorted(limits)}
    for default in _below(parts, "default"):
        ordered["default"] = default.node
    return ordered


def _with_null_as_type(alternatives: list[Shape]) -> list[Shape]:
    """Make null, as an alternative, a type of each of the other alternatives."""
    others = [shape for shape in alternatives if shape.types != _NULL]
    if not others or len(others) == len(alternatives):
        return alternatives
    return [evolve(shape, types=_union([shape.types, _NULL])) for shape in others]


def _without_covered(alternatives: list[Shape]) -> list[Shape]:
    """Leave out an alternative beside one that allows all its values. A list of values beside
    "any text" does not limit anything."""
    plain = [shape.types for shape in alternatives if shape.types and _is_plain_scalar(shape)]

    def is_covered(shape: Shape) -> bool:
        if shape.types is None or not _is_limited(shape):
            return False
        return any(shape.types <= types for types in plain)

    return [shape for shape in alternatives if not is_covered(shape)]


def _is_plain_scalar(shape: Shape) -> bool:
    """Whether an alternative allows every value of its types, which have no inner values."""
    types = shape.types or Names()
    return types.isdisjoint({"object", "array"}) and not _is_limited(shape)


def _is_limited(shape: Shape) -> bool:
    return bool(shape.values or shape.limits.keys() - {"default"})


def merged(alternatives: list[Shape], pointer: str) -> Shape:
    """Return one shape for the values that at least one of the alternatives allows."""
    keywords = dict.fromkeys(name for shape in alternatives for name in shape.limits)
    names = dict.fromkeys(name for shape in alternatives for name in shape.properties)
    return Shape(
        pointer=pointer,
        types=_union(shape.types for shape in alternatives),
        values=_union(shape.values for shape in alternatives),
        limits={name: _each(shape.limits.get(name) for shape in alternatives) for name in keywords},
        properties={name: _merged_property(name, alternatives) for name in names},
        items=_any_of(shape.items for shape in alternatives),
        is_closed=all(shape.is_closed for shape in alternatives),
        other_properties=_any_of(shape.other_properties for shape in alternatives),
    )


def _merged_property(name: str, alternatives: list[Shape]) -> Property:
    absent = Property("absent", ())
    properties = [shape.properties.get(name, absent) for shape in alternatives]
    presences = {each.presence for each in properties}
    presence = "optional"
    if presences == {"required"}:
        presence = "required"
    elif "required" in presences:
        presence = "required in some"
    return Property(presence, _any_of(each.schema for each in properties))


def _each(values: Iterable[Any]) -> Any:
    """The value that all alternatives have, else a list of their values."""
    distinct: list[Any] = []
    for value in values:
        if value not in distinct:
            distinct.append(value)
    return distinct[0] if len(distinct) == 1 else distinct


def _any_of(schemas: Iterable[Schema]) -> Schema:
    """The union of schemas; equal choices count once."""
    choices: dict[str, Places] = {}
    for schema in schemas:
        for choice in schema:
            content = repr([place.node for place in choice])
            choices.setdefault(content, choice)
    return tuple(choices.values())


# The alternatives of a schema.


def _alternatives(place: Place, seen: Names) -> list[_Alternative]:
    """The alternatives of a schema; `seen` has the references that led to it."""
    groups = [[_Alternative("", (place,))]]
    target = place.target()
    if target is not None and target.pointer not in seen:
        groups.append(_alternatives(target, seen | {target.pointer}))
    groups += [_alternatives(part, seen) for part in place.listed("allOf")]
    groups += [_choices(place, union, seen) for union in _UNIONS if union in place.node]
    return _combined(groups)


def _choices(place: Place, union: str, seen: Names) -> list[_Alternative]:
    """The alternatives of all choices of a union, each with a name."""
    alternatives = []
    for choice in place.listed(union):
        for alternative in _alternatives(choice, seen):
            name = alternative.name or _name(place.node, choice)
            alternatives.append(evolve(alternative, name=name))
    return alternatives


def _name(union: Node, choice: Place) -> str:
    """The name of a choice: its discriminator value, else the name of its component."""
    target = reference(choice.node) or ""
    component = target.rpartition("/")[2]
    for value, mapped in mapping(mapping(union, "discriminator"), "mapping").items():
        if mapped in (target, component):
            return str(value)
    return component


def _combined(groups: list[list[_Alternative]]) -> list[_Alternative]:
    """Combine each alternative of a group with each of the other groups."""
    number = prod(len(group) for group in groups)
    if number > _MOST:
        place = groups[0][0].parts[0]
        raise ValueError(
            f"{place.pointer}: more than {_MOST:,} combinations of alternatives; remove this"
            " operation"
        )
    combined = []
    for combination in product(*groups):
        name = "".join(each.name for each in combination)
        parts = [part for each in combination for part in each.parts]
        combined.append(_Alternative(name, tuple(parts)))
    return combined


# The keywords of one node.


def type_text(types: Names | None) -> str:
    """The names of some types."""
    if types is None:
        return "anything"
    hidden = {"integer"} if "number" in types else set()
    return " or ".join(sorted(types - hidden)) or "nothing"


def _types(node: Node) -> Names | None:
    """The types that a schema states, or those that its other keywords imply."""
    stated = [node.get("type"), *sequence(node, "type")]
    types = {name for name in stated if isinstance(name, str)} or set(_implied_types(node))
    if not types:
        return None
    if node.get("nullable") is True:
        types.add("null")
    if "number" in types:
        # Every integer is a number.
        types.add("integer")
    return Names(types)


def _implied_types(node: Node) -> Iterator[str]:
    if {"properties", "required", "additionalProperties"} & node.keys():
        yield "object"
    if "items" in node:
        yield "array"
    if _limits(node).get("format") == "binary":
        yield "string"
    for value in _literals(node):
        if type(value) in _TYPE_OF:
            yield _TYPE_OF[type(value)]


def _literals(node: Node) -> list[Any]:
    return [node["const"]] if "const" in node else sequence(node, "enum")


def _values(node: Any) -> Names | None:
    literals = _literals(node) if is_object(node) else []
    return Names(map(str, literals)) or None


def _limits(node: Node) -> dict[str, Any]:
    """Every keyword of a node that can limit its values."""
    limits = {name: value for name, value in node.items() if _is_limit(name, value)}
    if limits.get("contentMediaType") == "application/octet-stream":
        limits["format"] = "binary"
        del limits["contentMediaType"]
    return limits


def _is_limit(name: str, value: Any) -> bool:
    if name in _NO_LIMITS or name.startswith(("$", "x-")):
        return False
    # False equals an absent keyword.
    return value is not False or name.startswith("unevaluated")
