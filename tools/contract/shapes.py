"""Reduces a schema to the values that it allows: resolves references, `allOf`, unions and both
notations for null.

Invalid documents are accepted: a reference without a target is recorded, an invalid schema allows
every value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, TypeAlias

from attrs import evolve, frozen

from tools.description import Document, Node, Place, found_at, mapping, reference, sequence

Names: TypeAlias = frozenset[str]
#: The places that apply to one value; none if there is no schema.
Schema: TypeAlias = tuple[Place, ...]

_UNIONS = ("oneOf", "anyOf")
#: Keywords that combine a schema with others.
_COMBINING = ("$ref", "allOf", *_UNIONS)
#: Keywords that are not limits: a shape shows them in another way.
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
#: Keywords that are not limits: they allow the same values, whatever they say.
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
    """The values that one alternative of a schema allows.

    All parts apply together. A part has no reference with a target, and does not combine schemas.
    """

    name: str
    parts: Schema
    #: Whether null was another alternative.
    or_null: bool = False

    @cached_property
    def label(self) -> str:
        """The name of the alternative, else its types."""
        return self.name or " or ".join(sorted(self._own_types))

    @cached_property
    def pointer(self) -> str:
        """The pointer of the last part that says more than a description."""
        telling = [part for part in self.parts if part.node.keys() - {"description"}]
        pointers = [part.pointer for part in telling or self.parts]
        return pointers[-1] if pointers else ""

    @cached_property
    def types(self) -> Names:
        """The types of the values; an empty set allows every type."""
        if self.or_null and self._own_types:
            return self._own_types | {"null"}
        return self._own_types

    @cached_property
    def _own_types(self) -> Names:
        common = Names()
        for part in self.parts:
            common = _common_types(common, _types(part.node))
        return common

    @cached_property
    def values(self) -> Names | None:
        """The only values, as text; `None` allows every value."""
        stated = [_values(part.node) for part in self.parts]
        limiting = [values for values in stated if values is not None]
        return Names.intersection(*limiting) if limiting else None

    @cached_property
    def properties(self) -> Mapping[str, Schema]:
        """The schema of each property that every part allows."""
        closed = [part for part in self.parts if part.node.get("additionalProperties") is False]
        properties: dict[str, Schema] = {}
        for part in self.parts:
            for name, place in part.named("properties").items():
                if all(name in mapping(each.node, "properties") for each in closed):
                    properties[name] = (*properties.get(name, ()), place)
        return properties

    @cached_property
    def required(self) -> Names:
        """The names of the required properties."""
        names = [name for part in self.parts for name in sequence(part.node, "required")]
        return Names(name for name in names if isinstance(name, str))

    @cached_property
    def items(self) -> Schema:
        """The schema of the items of an array."""
        return self._all("items")

    @cached_property
    def other_properties(self) -> Schema | None:
        """The schema of all other properties; `None` if a part forbids other properties."""
        places = self._all("additionalProperties")
        if any(place.node is False for place in places):
            return None
        return tuple(place for place in places if isinstance(place.node, Mapping))

    @cached_property
    def limits(self) -> Node:
        """All further keywords that limit the values."""
        limits: dict[str, Any] = {}
        for part in self.parts:
            limits.update(_limits(part.node))
        return limits

    @cached_property
    def default(self) -> Any:
        """The default of the last part that has one."""
        places = self._all("default")
        return places[-1].node if places else None

    @cached_property
    def dangling(self) -> str:
        """The first reference without a target."""
        places = self._all("$ref")
        return places[0].node if places else ""

    def _all(self, keyword: str) -> Schema:
        return tuple(part.below(keyword) for part in self.parts if keyword in part.node)


def shapes(document: Document, schema: Schema) -> list[Shape]:
    """Return the alternatives of a value."""
    expanded = [_alternatives(document, place, Names()) for place in schema]
    return _without_covered(_with_null_as_type(_combined(expanded)))


def _with_null_as_type(alternatives: list[Shape]) -> list[Shape]:
    """Make null, as an alternative, a type of each of the other alternatives."""
    values = [shape for shape in alternatives if shape.types != {"null"}]
    if not values or len(values) == len(alternatives):
        return alternatives
    return [evolve(shape, or_null=True) for shape in values]


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


def _alternatives(document: Document, place: Place, seen: Names) -> list[Shape]:
    """The alternatives of a schema; `seen` has the references that led to it."""
    node = place.node if isinstance(place.node, Mapping) else {}
    own = {key: value for key, value in node.items() if key not in _COMBINING}
    groups = [[Shape("", (Place(place.pointer, own),))]]
    target = reference(node)
    if target is not None:
        groups.append(_referenced(document, place, target, seen))
    groups += [_alternatives(document, part, seen) for part in place.listed("allOf")]
    groups += [_chosen(document, place, union, seen) for union in _UNIONS if sequence(node, union)]
    return _combined(groups)


def _chosen(document: Document, place: Place, union: str, seen: Names) -> list[Shape]:
    """The alternatives of all choices of a union, each with a name."""
    alternatives = []
    for choice in place.listed(union):
        for shape in _alternatives(document, choice, seen):
            name = shape.name or _name(place.node, choice, shape)
            alternatives.append(evolve(shape, name=name))
    return alternatives


def _referenced(document: Document, place: Place, target: str, seen: Names) -> list[Shape]:
    if target in seen:
        return [Shape("", ())]
    node = found_at(document, target)
    if node is None:
        return [Shape("", (Place(place.pointer, {"$ref": target}),))]
    return _alternatives(document, Place(target.removeprefix("#"), node), seen | {target})


def _name(union: Node, choice: Place, shape: Shape) -> str:
    """The name of a choice: its discriminator value, else the name of its component."""
    target = reference(choice.node) or ""
    component = target.rpartition("/")[2]
    discriminator = mapping(union, "discriminator")
    for value, mapped in mapping(discriminator, "mapping").items():
        if mapped in (target, component):
            return str(value)
    places = shape.properties.get(str(discriminator.get("propertyName")), ())
    values = {value for place in places for value in _values(place.node) or ()}
    return values.pop() if len(values) == 1 else component


def _combined(groups: list[list[Shape]]) -> list[Shape]:
    """Combine each alternative of a group with each of the other groups."""
    if prod(map(len, groups)) > _MOST:
        parts = [part for group in groups for shape in group for part in shape.parts]
        raise ValueError(
            f"{parts[0].pointer}: more than {_MOST:,} combinations of alternatives; remove this"
            " operation"
        )
    return [_together(combination) for combination in product(*groups)]


def _together(alternatives: tuple[Shape, ...]) -> Shape:
    name = ""
    parts: Schema = ()
    for shape in alternatives:
        name += shape.name
        parts += shape.parts
    return Shape(name, parts)


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


def _common_types(types: Names, more: Names) -> Names:
    """The types that two sets share; every integer is a number."""
    if not types or not more:
        return types or more
    common = types & more
    if {"integer", "number"} <= types | more:
        common |= {"integer"}
    return common or Names({"nothing"})


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
    if name in _SHOWN or name in _NOTES or name.startswith(("$", "x-")):
        return False
    # False equals an absent keyword.
    return value is not False or name.startswith("unevaluated")
