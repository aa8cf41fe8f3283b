"""The parts of `openapi.yaml` that the house rules look at."""

from collections.abc import Iterator, Mapping
from typing import Any

from tools.description import Document, escaped, followed, nodes, operations


def below(schema: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A schema and all schemas inside it; a `$ref` is not followed."""
    yield pointer, schema
    for key in ("items", "additionalProperties", "not", "propertyNames", "contains"):
        if isinstance(schema.get(key), dict):
            yield from below(schema[key], f"{pointer}/{key}")
    for key in ("allOf", "oneOf", "anyOf", "prefixItems"):
        for index, each in enumerate(schema.get(key, ())):
            yield from below(each, f"{pointer}/{key}/{index}")
    for key in ("properties", "patternProperties", "$defs"):
        for name, each in schema.get(key, {}).items():
            yield from below(each, f"{pointer}/{key}/{escaped(name)}")


def parameters(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every parameter, except references to a parameter."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and {"name", "in", "schema"} <= node.keys():
            yield pointer, node


def media(document: Document) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every body of a request or a response: pointer, media type, media type object."""
    for pointer, node in nodes(document):
        if isinstance(node, dict) and isinstance(node.get("content"), dict):
            for kind, each in node["content"].items():
                yield f"{pointer}/content/{escaped(kind)}", kind, each


def schemas(document: Document) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every schema of the document."""
    for name, schema in document["components"]["schemas"].items():
        yield from below(schema, f"/components/schemas/{name}")
    for pointer, parameter in parameters(document):
        yield from below(parameter["schema"], f"{pointer}/schema")
    for pointer, _, each in media(document):
        yield from below(each["schema"], f"{pointer}/schema")


def text_of(node: Mapping[str, Any], key: str) -> str:
    """The text of a key without surrounding white space; an absent key is an empty text."""
    return (node.get(key) or "").strip()


def response_schemas(document: Document) -> dict[str, Mapping[str, Any]]:
    """Every schema that a response can contain, by pointer, with all references followed."""
    found: dict[str, Mapping[str, Any]] = {}

    def take(schema: Mapping[str, Any], pointer: str) -> None:
        for place, each in below(schema, pointer):
            found[place] = each
            target = each.get("$ref", "").removeprefix("#")
            if target and target not in found:
                take(followed(document, {"$ref": f"#{target}"}), target)

    for operation in operations(document):
        for status, response in operation.node["responses"].items():
            for kind, each in followed(document, response).get("content", {}).items():
                take(
                    each["schema"],
                    f"{operation.pointer}/responses/{status}/content/{escaped(kind)}/schema",
                )
    return found
