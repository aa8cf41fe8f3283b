"""The objects of a description: where they are, and their limits."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tools.description import Document, Node, escaped, is_object

#: The key of the JSON pointer in the copy of a document that the generator reads.
PLACE = "x-place"
#: Keywords whose content is a value, a condition or a request of the service, and not a part of
#: the client.
_VALUES = frozenset(
    {
        "callbacks",
        "const",
        "default",
        "else",
        "enum",
        "example",
        "examples",
        "if",
        "not",
        "security",
        "then",
    }
)
#: Keywords of objects whose keys are names and not keywords.
_NAMED = frozenset(
    {
        "$defs",
        "content",
        "encoding",
        "headers",
        "links",
        "mapping",
        "parameters",
        "pathItems",
        "paths",
        "patternProperties",
        "properties",
        "requestBodies",
        "responses",
        "schemas",
        "securitySchemes",
        "variables",
    }
)

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


def objects(
    node: object, pointer: str = "", *, has_names: bool = False
) -> Iterator[tuple[str, Node]]:
    """Yield each object whose keys are keywords, with its JSON pointer; a value, such as an
    example, has none.

    A name can be spelled as a keyword is: the position tells.

    Args:
        node: where to begin.
        pointer: its JSON pointer.
        has_names: whether its keys are names, such as those of properties.
    """
    if isinstance(node, list):
        for number, item in enumerate(node):
            yield from objects(item, f"{pointer}/{number}")
    if not is_object(node):
        return
    if not has_names:
        yield pointer, node
    for key, value in node.items():
        is_keyword = not has_names
        if is_keyword and (key in _VALUES or key.startswith("x-")):
            continue
        below = f"{pointer}/{escaped(key)}"
        yield from objects(value, below, has_names=is_keyword and key in _NAMED)


def objects_of(document: Document) -> Iterator[tuple[str, Node]]:
    """Yield each object of the paths and components, with its JSON pointer."""
    for key in ("paths", "components"):
        yield from objects(document.get(key), f"/{key}", has_names=key in _NAMED)


def with_places(document: Document) -> dict[str, Any]:
    """A copy in which each object of the paths and components has its JSON pointer, because the
    generator says about an object only what it contains."""
    marked = copy.deepcopy(dict(document))
    for pointer, node in [*objects_of(marked)]:
        assert isinstance(node, dict)
        node[PLACE] = pointer
    return marked


def limits(schema: Node) -> str:
    """The limits of a schema, for a docstring."""
    texts = [f"{name} {schema[name]}" for name in _LIMITS if name in schema]
    return f" ({', '.join(texts)})" if texts else ""
