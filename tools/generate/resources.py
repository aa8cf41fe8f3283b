"""The facts about operations that the generator does not pass to its templates: names of
methods, pages, limits."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen
from openapi_python_client.parser import GeneratorData
from openapi_python_client.strings import pascal_case, snake_case

from tools.description import Document, Place, mapping, sequence
from tools.description import operations as described

#: The keywords of a schema that a docstring names, because the client does not check most of them.
_LIMITS = (
    *(
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
    ),
    *("minItems", "maxItems", "uniqueItems"),
)


@frozen
class Method:
    """One operation of a document, as a method of a resource.

    Attributes:
        place: method and path, for messages.
        node: its content.
        parameters: one of the operation replaces that of the path with the same name and place.
        arguments: the Python name of each parameter, by place and name.
    """

    place: str
    node: Mapping[str, Any]
    parameters: tuple[Mapping[str, Any], ...]
    document: Document = field(repr=False)
    arguments: Mapping[tuple[str, str], str] = field(factory=dict)

    @property
    def tag(self) -> str:
        """Its first tag; empty if it has none."""
        return next(iter(sequence(self.node, "tags")), "")

    @property
    def name(self) -> str:
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
    def item_key(self) -> str | None:
        """The attribute that identifies an item of a list with pages, or an empty text; `None` for
        other operations.

        It is the first required property of an item, as in the records of this service.
        """
        content = next(iter(self.successes), {})
        body = mapping(
            self.target(mapping(mapping(content, "application/json"), "schema")), "properties"
        )
        meta = mapping(self.target(mapping(body, "meta")), "properties")
        data = self.target(mapping(body, "data"))
        queries = {each["name"] for each in self.parameters if each["in"] == "query"}
        if (
            "pagination" not in meta
            or data.get("type") != "array"
            or not {"page", "perPage"} <= queries
        ):
            return None
        item = self.target(mapping(data, "items"))
        return next(
            (snake_case(n) for n in mapping(item, "properties") if n in sequence(item, "required")),
            "",
        )

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
    """The resources of a document, by the name of their attribute; with the arguments of `data`,
    such as `type_`."""
    texts = {tag["name"]: tag.get("description") for tag in sequence(document, "tags")}
    result: dict[str, Resource] = {}
    for each in operations(document):
        name, description = (
            snake_case(each.tag),
            texts.get(each.tag) or f"The operations of {each.tag}.",
        )
        resource = result.setdefault(name, Resource(name, pascal_case(each.tag), description))
        resource.methods[snake_case(each.node["operationId"])] = each
    for tag, collection in data.endpoint_collections_by_tag.items() if data is not None else ():
        for e in collection.endpoints:
            given = {
                "path": e.path_parameters,
                "query": e.query_parameters,
                "header": e.header_parameters,
            }
            names = {
                (k, p.name.get_untrusted_value()): str(p.python_name)
                for k, found in given.items()
                for p in found
            }
            result[tag].methods[e.name] = evolve(result[tag].methods[e.name], arguments=names)
    return result


def operations(document: Document) -> Iterator[Method]:
    """The operations of a document."""
    for each in described(document):
        yield Method(f"{each.method.upper()} {each.path}", each.node, each.parameters, document)


def target(document: Document, node: Any) -> Mapping[str, Any]:
    """A node, or the one that it refers to; an empty one in place of a schema that is only true
    or false."""
    found: Mapping[str, Any] = Place("", node).followed_object(document).node
    return found


def facts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a client checks about a value: its type, its limits, its values and its default."""
    types = [each for each in schema.get("type", ()) if each != "null"]
    given = {key: schema[key] for key in ("type", "minimum", "maximum", "default") if key in schema}
    if isinstance(schema.get("type"), list):
        given["type"] = types[0] if len(types) == 1 else None
    return given | ({"choices": tuple(schema["enum"])} if "enum" in schema else {})


def limits(schema: Mapping[str, Any]) -> str:
    """The limits of a schema, for a docstring."""
    found = [f"{name} {schema[name]}" for name in _LIMITS if name in schema]
    return f" ({', '.join(found)})" if found else ""
