"""Reduces a schema to the values that it allows: resolves references, `allOf`, unions and both
notations for null.

Invalid documents are accepted: a reference without a target is recorded, an invalid schema allows
every value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from math import prod
from typing import Any, TypeAlias

from attrs import evolve, frozen

from tools.description import Document, Node, Place, found_at, mapping, reference, sequence

Names: TypeAlias = frozenset[str]
#: The places that apply together to one value; none if there is no schema.
Places: TypeAlias = tuple[Place, ...]

_UNIONS = ("oneOf", "anyOf")
#: Keywords that combine a schema with others.
_COMBINING = ("$ref", "allOf", *_UNIONS)
#: Keywords that are not limits: a shape shows them in another way, or they allow the same values,
#: whatever they say.
_NO_LIMITS = {
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
_TYPE_OF = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


@frozen
class AnyOf:
    """The schemas that alternatives have for a value."""

    choices: tuple[Places, ...]


Schema: TypeAlias = Places | AnyOf


@frozen
class Shape:
    """The values that one alternative of a schema allows."""

    #: The name of the alternative, else its types.
    label: str
    #: The place that says most about the values.
    pointer: str
    #: The types of the values; an empty set allows every type.
    types: Names
    #: The only values, as text; `None` allows every value.
    values: Names | None
    #: The schema of each property.
    properties: Mapping[str, Schema]
    #: Whether each property is required or optional.
    presence: Mapping[str, str]
    #: The schema of the items of an array.
    items: Schema
    #: The schema of all other properties; `None` if they are forbidden.
    other_properties: Schema | None
    #: All further keywords that limit the values.
    limits: Node
    default: Any
    #: A reference without a target.
    dangling: str


@frozen
class _Alternative:
    """The places that apply together to one alternative of a value. None of them combines schemas,
    or has a reference with a target."""

    name: str
    parts: Places


def places(schema: Schema) -> Places:
    """Return all places of a schema."""
    if isinstance(schema, AnyOf):
        return tuple(place for choice in schema.choices for place in choice)
    return schema


def shapes(document: Document, schema: Schema) -> list[Shape]:
    """Return the alternatives of a value."""
    if isinstance(schema, AnyOf):
        alternatives = [shape for choice in schema.choices for shape in shapes(document, choice)]
        return [merged(alternatives, places(schema)[-1].pointer)]
    expanded = [_alternatives(document, place, Names()) for place in schema]
    alternatives = [_shape(alternative) for alternative in _combined(expanded)]
    return _without_covered(_with_null_as_type(alternatives))


def _shape(alternative: _Alternative) -> Shape:
    parts = alternative.parts
    types = _common_types(parts)
    properties = _properties(parts)
    others = _all(parts, "additionalProperties")
    is_closed = any(place.node is False for place in others)
    defaults = _all(parts, "default")
    references = _all(parts, "$ref")
    return Shape(
        label=alternative.name or " or ".join(sorted(types)),
        pointer=_pointer(parts),
        types=types,
        values=_common_values(parts),
        properties=properties,
        presence=_presence(parts, properties),
        items=_all(parts, "items"),
        other_properties=None if is_closed else _objects(others),
        limits=_all_limits(parts),
        default=defaults[-1].node if defaults else None,
        dangling=references[0].node if references else "",
    )


def _common_values(parts: Places) -> Names | None:
    stated = [_values(part.node) for part in parts]
    limiting = [values for values in stated if values is not None]
    return Names.intersection(*limiting) if limiting else None


def _presence(parts: Places, properties: Iterable[str]) -> dict[str, str]:
    required = [name for part in parts for name in sequence(part.node, "required")]
    return {name: "required" if name in required else "optional" for name in properties}


def _all_limits(parts: Places) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    for part in parts:
        limits.update(_limits(part.node))
    return limits


def _all(parts: Places, keyword: str) -> Places:
    return tuple(part.below(keyword) for part in parts if keyword in part.node)


def _objects(parts: Places) -> Places:
    return tuple(part for part in parts if isinstance(part.node, Mapping))


def _pointer(parts: Places) -> str:
    """The pointer of the last part that says more than a description."""
    telling = [part for part in parts if part.node.keys() - {"description"}]
    pointers = [part.pointer for part in telling or parts]
    return pointers[-1] if pointers else ""


def _properties(parts: Places) -> dict[str, Places]:
    """The schema of each property that every part allows."""
    closed = [part for part in parts if part.node.get("additionalProperties") is False]
    properties: dict[str, Places] = {}
    for part in parts:
        for name, place in part.named("properties").items():
            if all(name in mapping(each.node, "properties") for each in closed):
                properties[name] = (*properties.get(name, ()), place)
    return properties


def _with_null_as_type(alternatives: list[Shape]) -> list[Shape]:
    """Make null, as an alternative, a type of each of the other alternatives."""
    others = [shape for shape in alternatives if shape.types != {"null"}]
    if not others or len(others) == len(alternatives):
        return alternatives
    # A shape without types allows null.
    return [
        evolve(shape, types=shape.types | {"null"}) if shape.types else shape for shape in others
    ]


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


def merged(alternatives: list[Shape], pointer: str) -> Shape:
    """Return one shape for the values that at least one of the alternatives allows."""
    return Shape(
        label="",
        pointer=pointer,
        types=_union([shape.types or None for shape in alternatives]) or Names(),
        values=_union([shape.values for shape in alternatives]),
        properties={name: _any_of(schemas) for name, schemas in _properties_of(alternatives)},
        presence=_merged_presence(alternatives),
        items=_any_of([shape.items for shape in alternatives]),
        other_properties=_merged_others(alternatives),
        limits=_merged_limits(alternatives),
        default=_each([shape.default for shape in alternatives]),
        dangling="",
    )


def _union(sets: list[Names | None]) -> Names | None:
    """The union; `None` is the set of all."""
    limited = [each for each in sets if each is not None]
    return Names().union(*limited) if len(limited) == len(sets) else None


def _properties_of(alternatives: list[Shape]) -> Iterator[tuple[str, list[Schema]]]:
    names = dict.fromkeys(name for shape in alternatives for name in shape.properties)
    for name in names:
        yield name, [shape.properties.get(name, ()) for shape in alternatives]


def _merged_presence(alternatives: list[Shape]) -> dict[str, str]:
    presence = {}
    for name, _ in _properties_of(alternatives):
        words = {shape.presence.get(name) for shape in alternatives}
        if words == {"required"}:
            presence[name] = "required"
        else:
            presence[name] = "required in some" if "required" in words else "optional"
    return presence


def _merged_others(alternatives: list[Shape]) -> Schema | None:
    others = [shape.other_properties for shape in alternatives]
    allowed = [schema for schema in others if schema is not None]
    return _any_of(allowed) if allowed else None


def _merged_limits(alternatives: list[Shape]) -> dict[str, Any]:
    names = dict.fromkeys(name for shape in alternatives for name in shape.limits)
    return {name: _each([shape.limits.get(name) for shape in alternatives]) for name in names}


def _each(values: list[Any]) -> Any:
    """The value that all alternatives have, else a list of their values."""
    distinct = [value for index, value in enumerate(values) if value not in values[:index]]
    return distinct[0] if len(distinct) == 1 else distinct


def _any_of(schemas: list[Schema]) -> Schema:
    """The union of schemas; equal schemas count once."""
    distinct: dict[str, Places] = {}
    for schema in schemas:
        for choice in schema.choices if isinstance(schema, AnyOf) else (schema,):
            if choice:
                distinct.setdefault(repr([place.node for place in choice]), choice)
    if len(distinct) > 1:
        return AnyOf(tuple(distinct.values()))
    return next(iter(distinct.values()), ())


def _alternatives(document: Document, place: Place, seen: Names) -> list[_Alternative]:
    """The alternatives of a schema; `seen` has the references that led to it."""
    node = place.node if isinstance(place.node, Mapping) else {}
    own = {key: value for key, value in node.items() if key not in _COMBINING}
    groups = [[_Alternative("", (Place(place.pointer, own),))]]
    target = reference(node)
    if target is not None:
        groups.append(_referenced(document, place, target, seen))
    groups += [_alternatives(document, part, seen) for part in place.listed("allOf")]
    groups += [_chosen(document, place, union, seen) for union in _UNIONS if sequence(node, union)]
    return _combined(groups)


def _chosen(document: Document, place: Place, union: str, seen: Names) -> list[_Alternative]:
    """The alternatives of all choices of a union, each with a name."""
    alternatives = []
    for choice in place.listed(union):
        for alternative in _alternatives(document, choice, seen):
            name = alternative.name or _name(place.node, choice, alternative)
            alternatives.append(evolve(alternative, name=name))
    return alternatives


def _referenced(document: Document, place: Place, target: str, seen: Names) -> list[_Alternative]:
    if target in seen:
        return [_Alternative("", ())]
    node = found_at(document, target)
    if node is None:
        return [_Alternative("", (Place(place.pointer, {"$ref": target}),))]
    return _alternatives(document, Place(target.removeprefix("#"), node), seen | {target})


def _name(union: Node, choice: Place, alternative: _Alternative) -> str:
    """The name of a choice: its discriminator value, else the name of its component."""
    target = reference(choice.node) or ""
    component = target.rpartition("/")[2]
    discriminator = mapping(union, "discriminator")
    for value, mapped in mapping(discriminator, "mapping").items():
        if mapped in (target, component):
            return str(value)
    name = str(discriminator.get("propertyName"))
    places = _properties(alternative.parts).get(name, ())
    values = {value for place in places for value in _values(place.node) or ()}
    return values.pop() if len(values) == 1 else component


def _combined(groups: list[list[_Alternative]]) -> list[_Alternative]:
    """Combine each alternative of a group with each of the other groups."""
    if prod(map(len, groups)) > _MOST:
        place = groups[0][0].parts[0]
        raise ValueError(
            f"{place.pointer}: more than {_MOST:,} combinations of alternatives; remove this"
            " operation"
        )
    combined = []
    for combination in product(*groups):
        name = "".join(each.name for each in combination)
        parts = chain.from_iterable(each.parts for each in combination)
        combined.append(_Alternative(name, tuple(parts)))
    return combined


def _common_types(parts: Places) -> Names:
    """The types that all parts share; every integer is a number."""
    common = Names()
    for part in parts:
        types = _types(part.node)
        if common and types:
            shared = common & types
            if {"integer", "number"} <= common | types:
                shared |= {"integer"}
            common = shared or Names({"nothing"})
        else:
            common = common or types
    return common


def _types(node: Node) -> Names:
    """The types that a schema states, or those that its other keywords imply."""
    stated = [node.get("type"), *sequence(node, "type")]
    types = {name for name in stated if isinstance(name, str)} or set(_implied_types(node))
    if types and node.get("nullable") is True:
        types.add("null")
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
    literals = _literals(node) if isinstance(node, Mapping) else []
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
