"""The resources of a description, and their methods."""

from __future__ import annotations

import keyword

from attrs import field, frozen
from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, Operation, operations, sequence


@frozen
class Resource:
    """The operations of one tag, by the names of their modules; `name` is the attribute of a
    client."""

    name: str
    class_name: str
    description: str
    methods: dict[str, Operation] = field(factory=dict)


def resources(document: Document) -> dict[str, Resource]:
    """The resources of a document, by the name of their attribute."""
    texts = {tag["name"]: tag.get("description") for tag in sequence(document, "tags")}
    result: dict[str, Resource] = {}
    for operation in operations(document):
        tag = operation.tag
        name = snake_case(tag)
        description = texts.get(tag) or f"The operations of {tag}."
        resource = result.setdefault(name, Resource(name, pascal_case(tag), description))
        resource.methods[snake_case(operation.id)] = operation
    return result


def verb(operation_id: str) -> str:
    """The name of a method: the first word of the `operationId`."""
    name = snake_case(operation_id).partition("_")[0]
    return f"{name}_" if keyword.iskeyword(name) else name


def body_name(operation: Operation) -> str:
    """The name of the argument for the body; the mark is that of other generators."""
    name: str = operation.request_body.get("x-codegen-request-body-name", "body")
    return name
