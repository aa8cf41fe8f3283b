"""The facts about operations that the generator does not pass to its templates: the names of
methods, bodies, responses."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from attrs import field, frozen
from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, Node, Operation, mapping, sequence
from tools.description import operations as described

from .schemas import fields, required, target


@frozen
class Method(Operation):
    """One operation of a document, as a method of a resource."""

    @property
    def title(self) -> str:
        """Method and path, for messages."""
        return f"{self.method.upper()} {self.path}"

    @property
    def tag(self) -> str:
        """Its first tag; empty if it has none."""
        return next(iter(sequence(self.node, "tags")), "")

    @property
    def verb(self) -> str:
        """The name of its method: the first word of the `operationId`."""
        name = snake_case(self.node.get("operationId") or "").partition("_")[0]
        return f"{name}_" if keyword.iskeyword(name) else name

    @property
    def deprecated(self) -> str | None:
        """The text about its replacement; `None` if it is not deprecated."""
        if self.node.get("deprecated") is not True:
            return None
        description = self.node.get("description") or self.node.get("summary") or ""
        text = " ".join(description.split())
        return re.split(r"\bdeprecated\W+", text, flags=re.IGNORECASE)[-1] or text

    @property
    def successes(self) -> list[Node]:
        """The content of each successful response, by media type."""
        return [
            mapping(self.target(response), "content")
            for status, response in mapping(self.node, "responses").items()
            if status.startswith("2")
        ]

    @property
    def body(self) -> Node:
        """The content of the body, by media type."""
        return mapping(self.target(mapping(self.node, "requestBody")), "content")

    @property
    def body_name(self) -> str:
        """The name of the argument for the body; the mark is that of other generators."""
        body = self.target(mapping(self.node, "requestBody"))
        name: str = body.get("x-codegen-request-body-name", "body")
        return name

    @property
    def success_schema(self) -> Node:
        """The schema of a successful response; empty if the response has no body."""
        content = next(iter(self.successes), {})
        return mapping(mapping(content, "application/json"), "schema")

    @property
    def success_fields(self) -> dict[str, Node]:
        """The fields of the object that a successful response holds."""
        return self.fields(self.success_schema)

    def fields(self, schema: Node) -> dict[str, Node]:
        """The fields of an object, with those of the parts of its allOf."""
        return dict(fields(self.document, self.target(schema)))

    def required(self, schema: Node) -> set[str]:
        """The names of the fields that an object must have."""
        return required(self.document, self.target(schema))

    def target(self, node: Node) -> Node:
        """A node, or the one that it refers to."""
        return target(self.document, node)


@frozen
class Resource:
    """The operations of one tag, by the names of their modules; `name` is the attribute of a
    client."""

    name: str
    class_name: str
    description: str
    methods: dict[str, Method] = field(factory=dict)


def resources(document: Document) -> dict[str, Resource]:
    """The resources of a document, by the name of their attribute."""
    texts = {tag["name"]: tag.get("description") for tag in sequence(document, "tags")}
    result: dict[str, Resource] = {}
    for method in operations(document):
        name = snake_case(method.tag)
        description = texts.get(method.tag) or f"The operations of {method.tag}."
        resource = result.setdefault(name, Resource(name, pascal_case(method.tag), description))
        resource.methods[snake_case(method.id)] = method
    return result


def operations(document: Document) -> Iterator[Method]:
    """The operations of a document."""
    for operation in described(document):
        yield Method(document, operation.path, operation.method, operation.node)
