"""The arguments of an operation, as the templates print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import field, frozen
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from tools.description import Node, Operation, followed, mapping

from .code import LIST, annotation, optional, plain_text
from .resources import body_name
from .schemas import limits

#: The field of a call that holds a body, by the kind of the body in the generator.
_BODIES = {
    "content": "content={body}.payload",
    "data": "form={body}.to_dict()",
    "files": "files={body}.to_multipart()",
    "json": "json=_to_json({body})",
}


@frozen
class Argument:
    """An argument of a method.

    Attributes:
        name: its name in Python.
        prop: the property that the generator made of it.
        text: its description, without limits.
        node: the parameter in the description; empty for a body.
        schema: the schema of the parameter; empty for a body.
    """

    name: str
    prop: PropertyProtocol
    text: str
    node: Node = field(factory=dict)
    schema: Node = field(factory=dict)

    @property
    def description(self) -> str:
        """Its description, with the limits of its schema."""
        return (self.text + limits(self.schema)).strip()

    @property
    def is_secret(self) -> bool:
        """Whether its value must never show."""
        return self.node.get("x-secret") is True

    @property
    def parameter(self) -> str:
        """The expression that makes its `Parameter`."""
        facts = [f"{name}={value!r}" for name, value in _facts(self.schema)]
        arguments = [repr(self.node["name"]), repr(self.name), *facts]
        return f"Parameter({', '.join(arguments)})"

    def declaration(self, array: str = LIST) -> str:
        """Its declaration in a `def`."""
        if self.is_secret:
            # A secret is a text of the path, which is always required.
            return f"{self.name}: str | Secret"
        if self.prop.required:
            return f"{self.name}: {annotation(self.prop, array)}"
        return f"{self.name}: {optional(self.prop, array)} = None"


@frozen
class Arguments:
    """The arguments of an operation: those of the path and of the body have an order, and the
    others have names."""

    endpoint: Endpoint
    operation: Operation

    @property
    def in_path(self) -> list[Argument]:
        """The arguments of the path."""
        return self._parameters("path", self.endpoint.path_parameters)

    @property
    def bodies(self) -> list[Argument]:
        """The argument for the body, if there is one."""
        return [
            Argument(body_name(self.operation), body.prop, plain_text(body.prop.description))
            for body in self.endpoint.bodies
        ]

    @property
    def in_query(self) -> list[Argument]:
        """The arguments of the query."""
        return self._parameters("query", self.endpoint.query_parameters)

    @property
    def in_headers(self) -> list[Argument]:
        """The arguments of the headers."""
        return self._parameters("header", self.endpoint.header_parameters)

    @property
    def parameters(self) -> list[Argument]:
        """The arguments that are parameters."""
        return [*self.in_path, *self.in_query, *self.in_headers]

    @property
    def all(self) -> list[Argument]:
        """All arguments, in the order of the method."""
        return [*self.in_path, *self.bodies, *self.in_query, *self.in_headers]

    @property
    def secrets(self) -> list[str]:
        """The names of those that must never show."""
        return [argument.name for argument in self.all if argument.is_secret]

    @property
    def repeated(self) -> tuple[tuple[str, str], ...]:
        """Those that the response repeats, with the place of each."""
        return tuple(
            (argument.name, argument.node["x-repeated-at"])
            for argument in self.parameters
            if "x-repeated-at" in argument.node
        )

    def declarations(self, array: str = LIST) -> str:
        """Their declarations in a `def`."""
        options = [*self.in_query, *self.in_headers]
        declarations = [argument.declaration(array) for argument in self.all]
        if options:
            declarations.insert(-len(options), "*")
        return ", ".join(declarations)

    @property
    def passed(self) -> str:
        """All of them in a call of a function with the same arguments."""
        return ", ".join(f"{argument.name}={argument.name}" for argument in self.all)

    @property
    def call(self) -> Iterator[str]:
        """The arguments of its `Call`, after the operation."""
        # The template of a path has the names of the arguments.
        yield from _values("path_values", {each.name: each for each in self.in_path})
        yield from _values("query", {each.node["name"]: each for each in self.in_query})
        yield from _values("headers", {each.node["name"]: each for each in self.in_headers})
        name = body_name(self.operation)
        for body in self.endpoint.bodies:
            code = _BODIES[body.body_type.value].format(body=name)
            yield code if body.prop.required else f"{code} if {name} is not None else None"

    def _parameters(self, place: str, props: Iterable[PropertyProtocol]) -> list[Argument]:
        nodes = {node["name"]: node for node in self.operation.parameters if node["in"] == place}
        arguments = []
        for prop in props:
            node = nodes[prop.name.get_untrusted_value()]
            schema = followed(self.operation.document, mapping(node, "schema"))
            text = node.get("description", "")
            arguments.append(Argument(str(prop.python_name), prop, text, node, schema))
        return arguments


def _facts(schema: Node) -> Iterator[tuple[str, Any]]:
    """The facts that a client checks about a value: type, limits and values."""
    stated = schema.get("type", [])
    listed = [stated] if isinstance(stated, str) else stated
    types = [kind for kind in listed if kind != "null"]
    if len(types) == 1:
        yield "type", types[0]
    for name in ("minimum", "maximum"):
        if name in schema:
            yield name, schema[name]
    if "enum" in schema:
        yield "choices", tuple(schema["enum"])


def _values(name: str, arguments: dict[str, Argument]) -> Iterator[str]:
    items = ", ".join(f"{key!r}: {argument.name}" for key, argument in arguments.items())
    if items:
        yield f"{name}={{{items}}}"
