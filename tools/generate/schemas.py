"""Reads the schemas of a description: references followed, and parts put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tools.description import Document, Node, Place, mapping, sequence

#: The keywords of a schema that a docstring names, because the client does not check most of them.
_LIMITS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
)


def target(document: Document, node: Any) -> Node:
    """A node, or the one that it refers to; an empty one in place of a schema that is only true
    or false."""
    schema = Place(document, "", node).followed().node
    return schema if isinstance(schema, Mapping) else {}


def choices(
    document: Document, schema: Node, keywords: Iterable[str] = ("oneOf", "anyOf")
) -> list[Node]:
    """The schemas of which a value fits one."""
    return [target(document, choice) for key in keywords for choice in sequence(schema, key)]


def parts(document: Document, schema: Node) -> list[Node]:
    """A schema, and the schemas of its allOf."""
    return [schema, *choices(document, schema, ["allOf"])]


def fields(document: Document, schema: Node) -> list[tuple[str, Node]]:
    """Each field of an object, and what one part of its allOf says about it."""
    return [
        (name, target(document, field))
        for part in parts(document, schema)
        for name, field in mapping(part, "properties").items()
    ]


def limits(schema: Node) -> str:
    """The limits of a schema, for a docstring."""
    texts = [f"{name} {schema[name]}" for name in _LIMITS if name in schema]
    return f" ({', '.join(texts)})" if texts else ""
