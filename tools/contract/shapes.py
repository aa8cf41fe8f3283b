"""Reduces a schema to the values that it allows: resolves references, `allOf`, unions and both
notations for null."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from tools.description import (
    Node,
    Place,
    is_object,
    mapping,
    reference,
    sequence,
)

from .difference import names_of, quoted

Names: TypeAlias = frozenset[str]
ValueT = TypeVar("ValueT")

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
_HOLDERS = {"object", "array"}
_OBJECT_KEYWORDS = {"properties", "required", "additionalProperties"}
_TYPE_OF: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


@frozen
class Choice:
    """The places that apply together to a value, and the name of this alternative."""

    places: tuple[Place, ...] = ()
    name: str = ""

    @property
    def pointer(self) -> str:
        """The last of the places; an empty text without a place."""
        return self.places[-1].pointer if self.places else ""


#: The choices for a value; without a choice it can be anything.
Schema: TypeAlias = tuple[Choice, ...]


@frozen
class Part:
    """A part of a request or of a response, such as a parameter, a body or a property."""

    subject: str
    #: The place of its differences; by default that of its holder.
    pointer: str = ""
    #: `present`, `required`, `optional`, or `required in some` of several alternatives.
    presence: str = "present"
    keywords: Node = field(factory=dict)
    schema: Schema = ()
    parts: Parts = field(factory=dict)
    #: A reference without a target.
    dangling: str | None = None


#: Parts by name.
Parts: TypeAlias = Mapping[str, Part]


@frozen
class Shape:
    """The values that one alternative of a schema allows."""

    #: The name of the alternative, else its types.
    label: str = ""
    #: The last of the places that describe the values.
    pointer: str = ""
    #: The types of the values; `None` allows every type.
    types: Names | None = None
    #: The only values, as JSON; `None` allows every value.
    values: Names | None = None
    #: All further keywords that limit the values, and at last the default.
    limits: Node = field(factory=dict)
    properties: Parts = field(factory=dict)
    #: The schema of the items of an array.
    items: Schema = ()
    #: Whether all other properties are refused, and their schema.
    is_closed: bool = False
    other_properties: Schema = ()
    #: A reference without a target.
    dangling: str | None = None

    @property
    def is_array(self) -> bool:
        """Whether the values are known to be arrays."""
        return self.types is not None and "array" in self.types

    @property
    def is_limited(self) -> bool:
        """Whether not every value of the types is allowed."""
        limits = self.limits.keys() - {"default"}
        return bool(self.values or limits)


def schema_at(keyword: str, places: Iterable[Place]) -> Schema:
    """Return the schema that some places have under a keyword; only an object says something."""
    schemas = [place.below(keyword) for place in places if is_object(place.node.get(keyword))]
    return (Choice(tuple(schemas)),) if schemas else ()


def shapes(schema: Schema) -> list[Shape]:
    """Return the alternatives of a value; several choices are merged into one."""
    alternatives: list[Shape] = []
    for choice in schema or (Choice(),):
        alternatives += _shapes(choice)
    return [merged(alternatives)] if len(schema) > 1 else alternatives


def _shapes(choice: Choice) -> list[Shape]:
    groups = [_alternatives(place, Names()) for place in choice.places]
    alternatives = [_shape(alternative) for alternative in _combined(groups)]
    return _without_covered(_with_null_as_type(alternatives))


def merged(alternatives: list[Shape]) -> Shape:
    """Return one shape for the values that at least one of the alternatives allows."""
    return Shape(
        types=_union(shape.types for shape in alternatives),
        values=_union(shape.values for shape in alternatives),
        limits=_merged_by_name(_merged_limit, [shape.limits for shape in alternatives]),
        properties=_merged_by_name(_merged_property, [each.properties for each in alternatives]),
        items=_any_of(shape.items for shape in alternatives),
        is_closed=all(shape.is_closed for shape in alternatives),
        other_properties=_any_of(shape.other_properties for shape in alternatives),
    )


def _union(sets: Iterable[Names | None]) -> Names | None:
    """The union of sets; `None` is the set of all."""
    union = Names()
    for each in sets:
        if each is None:
            return None
        union |= each
    return union


def _merged_by_name(
    merge: Callable[[list[ValueT | None]], ValueT],
    mappings: list[Mapping[str, ValueT]],
) -> dict[str, ValueT]:
    """Merge the values of each name; a mapping that lacks the name has `None`."""
    names = dict.fromkeys(name for each in mappings for name in each)
    return {name: merge([each.get(name) for each in mappings]) for name in names}


def _merged_limit(values: list[Any]) -> Any:
    """The value that all alternatives have, else a list of their values."""
    distinct: list[Any] = []
    for value in values:
        if value not in distinct:
            distinct.append(value)
    return distinct[0] if len(distinct) == 1 else distinct


def _merged_property(alternatives: list[Part | None]) -> Part:
    parts = [part for part in alternatives if part]
    required = [part for part in parts if part.presence == "required"]
    presence = "required in some" if required else "optional"
    if len(required) == len(alternatives):
        presence = "required"
    schema = _any_of(part.schema for part in parts)
    return Part(parts[0].subject, presence=presence, schema=schema)


def _any_of(schemas: Iterable[Schema]) -> Schema:
    """The union of schemas; equal choices count once."""
    choices: dict[str, Choice] = {}
    for schema in schemas:
        for choice in schema:
            content = repr([place.node for place in choice.places])
            choices.setdefault(content, choice)
    return tuple(choices.values())


def _with_null_as_type(alternatives: list[Shape]) -> list[Shape]:
    """Make null, as an alternative, a type of each of the other alternatives."""
    others = [shape for shape in alternatives if shape.types != _NULL]
    if not others or len(others) == len(alternatives):
        return alternatives
    return [evolve(shape, types=_union([shape.types, _NULL])) for shape in others]


def _without_covered(alternatives: list[Shape]) -> list[Shape]:
    """Leave out an alternative beside one that allows all its values. A list of values beside
    "any text" does not limit anything."""
    scalars = [shape.types for shape in alternatives if not shape.is_limited]
    plain = [types for types in scalars if types and types.isdisjoint(_HOLDERS)]

    def is_covered(shape: Shape) -> bool:
        if shape.types is None or not shape.is_limited:
            return False
        return any(shape.types <= types for types in plain)

    return [shape for shape in alternatives if not is_covered(shape)]


# One alternative.


def _shape(choice: Choice) -> Shape:
    places = choice.places
    nodes = [place.node for place in places]
    types = _common(_types(node) for node in nodes)
    return Shape(
        label=choice.name or type_text(types),
        pointer=choice.pointer,
        types=types,
        values=_common(_values(node) for node in nodes),
        limits=_limits_of(nodes),
        properties=_properties(places),
        items=schema_at("items", places),
        is_closed=any(_is_closed(node) for node in nodes),
        other_properties=schema_at("additionalProperties", places),
        dangling=next(_dangling(places), None),
    )


def _dangling(parts: Iterable[Place]) -> Iterator[str]:
    """The references without a target."""
    for part in parts:
        if "$ref" in part.node and part.target() is None:
            yield part.node["$ref"]


def _common(sets: Iterable[Names | None]) -> Names | None:
    """The intersection of sets; `None` is the set of all."""
    limited = [each for each in sets if each is not None]
    return Names.intersection(*limited) if limited else None


def _is_closed(node: Node) -> bool:
    return node.get("additionalProperties") is False


def _properties(parts: tuple[Place, ...]) -> Parts:
    """The properties that every part allows, and the required ones that no part describes."""
    holders = [part.inner("properties") for part in parts]
    allowed = [name for holder in holders for name in holder.node]
    required: set[str] = set()
    for part, holder in zip(parts, holders, strict=True):
        required.update(sequence(part.node, "required"))
        if _is_closed(part.node):
            allowed = [name for name in allowed if name in holder.node]
    properties = {}
    for name in names_of(allowed, sorted(required)):
        properties[name] = Part(
            f"property {quoted(name)}",
            presence="required" if name in required else "optional",
            schema=schema_at(name, holders),
        )
    return properties


def _limits_of(nodes: list[Node]) -> Node:
    limits: dict[str, Any] = {}
    defaults = {}
    for node in nodes:
        limits |= _limits(node)
        if "default" in node:
            defaults["default"] = node["default"]
    return dict(sorted(limits.items())) | defaults


# The alternatives of a schema.


def _alternatives(place: Place, seen: Names) -> list[Choice]:
    """The alternatives of a schema; `seen` has the references that led to it."""
    groups = [[Choice((place,))]]
    target = place.target()
    if target and target.pointer not in seen:
        groups.append(_alternatives(target, seen | {target.pointer}))
    groups += [_alternatives(part, seen) for part in place.listed("allOf")]
    unions = [union for union in _UNIONS if union in place.node]
    groups += [_choices(place, union, seen) for union in unions]
    return _combined(groups)


def _choices(place: Place, union: str, seen: Names) -> list[Choice]:
    """The alternatives of all choices of a union, each with a name."""
    alternatives = []
    for choice in place.listed(union):
        name = _name(place.node, choice.node)
        for alternative in _alternatives(choice, seen):
            named = evolve(alternative, name=alternative.name or name)
            alternatives.append(named)
    return alternatives


def _name(union: Node, choice: Node) -> str:
    """The name of a choice: its discriminator value, else the name of its component."""
    target = reference(choice) or ""
    component = target.rpartition("/")[2]
    discriminator = mapping(union, "discriminator")
    for value, mapped in mapping(discriminator, "mapping").items():
        if mapped in (target, component):
            return str(value)
    return component


def _combined(groups: list[list[Choice]]) -> list[Choice]:
    """Combine each alternative of a group with each of the other groups."""
    if prod(len(group) for group in groups) > _MOST:
        raise ValueError(
            f"{groups[0][0].places[0].pointer}: more than {_MOST:,} combinations of alternatives;"
            " remove this operation"
        )
    combined = []
    for combination in product(*groups):
        places = [place for choice in combination for place in choice.places]
        name = "".join(choice.name for choice in combination)
        combined.append(Choice(tuple(places), name))
    return combined


# The keywords of one node.


def type_text(types: Names | None) -> str:
    """Return the names of some types."""
    if types is None:
        return "anything"
    hidden = {"integer"} if "number" in types else set()
    return " or ".join(sorted(types - hidden)) or "nothing"


def _types(node: Node) -> Names | None:
    """The types that a schema states, or those that its other keywords imply."""
    stated = [node.get("type"), *sequence(node, "type")]
    types = {name for name in stated if isinstance(name, str)}
    if not types:
        types = set(_implied_types(node))
    if types and node.get("nullable") is True:
        types.add("null")
    if "number" in types:
        # Every integer is a number.
        types.add("integer")
    return Names(types) or None


def _implied_types(node: Node) -> Iterator[str]:
    if _OBJECT_KEYWORDS & node.keys():
        yield "object"
    if "items" in node:
        yield "array"
    if _limits(node).get("format") == "binary":
        yield "string"
    for value in _literals(node):
        name = _TYPE_OF.get(type(value))
        if name:
            yield name


def _literals(node: Node) -> list[Any]:
    if "const" in node:
        return [node["const"]]
    return sequence(node, "enum")


def _values(node: Node) -> Names | None:
    values = [quoted(value) for value in _literals(node)]
    return Names(values) or None


def _limits(node: Node) -> dict[str, Any]:
    """Every keyword of a node that can limit its values."""
    names = [name for name in node if _is_limit(name, node[name])]
    limits = {name: node[name] for name in names}
    if limits.get("contentMediaType") == "application/octet-stream":
        limits["format"] = "binary"
        del limits["contentMediaType"]
    return limits


def _is_limit(name: str, value: Any) -> bool:
    if name in _NO_LIMITS or name.startswith(("$", "x-")):
        return False
    # False equals an absent keyword.
    return value is not False or name.startswith("unevaluated")
