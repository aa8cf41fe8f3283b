"""The facts about operations that the generator does not pass to its templates: names of
methods, pages, limits."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, Operation, Place, mapping, sequence
from tools.description import operations as described

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


@frozen
class Method(Operation):
    """One operation of a document, as a method of a resource.

    Attributes:
        arguments: the Python name of each parameter, by place and name.
    """

    arguments: Mapping[tuple[str, str], str] = field(factory=dict)

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
        text = " ".join(str(self.node.get("description") or self.node.get("summary") or "").split())
        told = re.split(r"\bdeprecated\W+", text, flags=re.IGNORECASE)[-1] or text
        return told if self.node.get("deprecated") is True else None

    @property
    def secrets(self) -> list[str]:
        """The arguments that must never show."""
        marked = [each for each in self.parameters if each.get("x-secret") is True]
        return [self.arguments[each["in"], each["name"]] for each in marked]

    @property
    def successes(self) -> list[Mapping[str, Any]]:
        """The content of each successful response, by media type."""
        responses = mapping(self.node, "responses").items()
        return [
            mapping(self.target(each), "content")
            for status, each in responses
            if str(status).startswith("2")
        ]

    @property
    def body(self) -> Mapping[str, Any]:
        """The content of the body, by media type."""
        return mapping(self.target(mapping(self.node, "requestBody")), "content")

    @property
    def body_name(self) -> str:
        """The name of the argument for the body; the mark is that of other generators."""
        body = mapping(self.node, "requestBody")
        name: str = body.get("x-codegen-request-body-name", "body")
        return name

    @property
    def success_fields(self) -> dict[str, Mapping[str, Any]]:
        """The fields of the object that a successful response holds."""
        content = next(iter(self.successes), {})
        return self.fields(mapping(mapping(content, "application/json"), "schema"))

    def fields(self, schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """The fields of an object, with those of the parts of its allOf."""
        node = self.target(schema)
        parts = [node, *map(self.target, sequence(node, "allOf"))]
        return {
            name: self.target(field)
            for part in parts
            for name, field in mapping(part, "properties").items()
        }

    def target(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
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


def resources(document: Document, data: GeneratorData | None = None) -> dict[str, Resource]:
    """The resources of a document, by the name of their attribute.

    With `data`, their methods have the names of their arguments, such as `type_`.
    """
    texts = {tag["name"]: tag.get("description") for tag in sequence(document, "tags")}
    result: dict[str, Resource] = {}
    for method in operations(document):
        name = snake_case(method.tag)
        description = texts.get(method.tag) or f"The operations of {method.tag}."
        resource = result.setdefault(name, Resource(name, pascal_case(method.tag), description))
        resource.methods[snake_case(method.node["operationId"])] = method
    if data is not None:
        for tag, collection in data.endpoint_collections_by_tag.items():
            methods = result[tag].methods
            for endpoint in collection.endpoints:
                names = _argument_names(endpoint)
                methods[endpoint.name] = evolve(methods[endpoint.name], arguments=names)
    return result


def _argument_names(endpoint: Endpoint) -> dict[tuple[str, str], str]:
    """The name of the argument of each parameter, by its place and its name."""
    parameters = {
        "path": endpoint.path_parameters,
        "query": endpoint.query_parameters,
        "header": endpoint.header_parameters,
    }
    return {
        (place, prop.name.get_untrusted_value()): str(prop.python_name)
        for place, properties in parameters.items()
        for prop in properties
    }


def operations(document: Document) -> Iterator[Method]:
    """The operations of a document."""
    for each in described(document):
        yield Method(document, each.path, each.method, each.node)


def target(document: Document, node: Any) -> Mapping[str, Any]:
    """A node, or the one that it refers to; an empty one in place of a schema that is only true
    or false."""
    schema = Place(document, "", node).followed().node
    return schema if isinstance(schema, Mapping) else {}


def facts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that a client checks about a value: type, limits and values."""
    names = ("type", "minimum", "maximum")
    result = {name: schema[name] for name in names if name in schema}
    if isinstance(schema.get("type"), list):
        types = [kind for kind in schema["type"] if kind != "null"]
        result["type"] = types[0] if len(types) == 1 else None
    if "enum" in schema:
        result["choices"] = tuple(schema["enum"])
    return result


def limits(schema: Mapping[str, Any]) -> str:
    """The limits of a schema, for a docstring."""
    texts = [f"{name} {schema[name]}" for name in _LIMITS if name in schema]
    return f" ({', '.join(texts)})" if texts else ""
