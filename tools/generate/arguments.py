"""The arguments of an operation, as the templates print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import field, frozen
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from tools.description import Node

from .code import annotation, optional, plain_text
from .resources import Method
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
    """An argument of a method: its name, its type with its default, and its description with the
    limits of its schema.

    Attributes:
        node: the parameter in the description; empty for a body.
        parameter: the expression that makes its `Parameter`; empty for a body.
        is_secret: whether its value must never show.
    """

    name: str
    type: str
    description: str
    node: Node = field(factory=dict)
    parameter: str = ""
    is_secret: bool = False


@frozen
class Arguments:
    """The arguments of an operation: those of the path and of the body have an order, and the
    others have names.

    Attributes:
        call: the arguments of its `Call`, after the operation.
    """

    in_path: list[Argument]
    bodies: list[Argument]
    in_query: list[Argument]
    in_headers: list[Argument]
    call: list[str]

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

    @property
    def declarations(self) -> list[str]:
        """Their declarations in a `def`."""
        options = [*self.in_query, *self.in_headers]
        declarations = [f"{argument.name}: {argument.type}" for argument in self.all]
        if options:
            declarations.insert(-len(options), "*")
        return declarations

    @property
    def passed(self) -> str:
        """All of them in a call of a function with the same arguments."""
        return ", ".join(f"{argument.name}={argument.name}" for argument in self.all)


def arguments_of(endpoint: Endpoint, method: Method) -> Arguments:
    """The arguments of an operation."""
    in_path = _arguments(endpoint.path_parameters, "path", method)
    in_query = _arguments(endpoint.query_parameters, "query", method)
    in_headers = _arguments(endpoint.header_parameters, "header", method)
    bodies = [
        Argument(method.body_name, _type(body.prop), plain_text(body.prop.description))
        for body in endpoint.bodies
    ]
    # The template of a path has the names of the arguments.
    call = [
        *_values("path_values", {argument.name: argument for argument in in_path}),
        *_values("query", {argument.node["name"]: argument for argument in in_query}),
        *_values("headers", {argument.node["name"]: argument for argument in in_headers}),
        *_body(endpoint, method.body_name),
    ]
    return Arguments(in_path, bodies, in_query, in_headers, call)


def _arguments(
    parameters: Iterable[PropertyProtocol], place: str, method: Method
) -> list[Argument]:
    nodes = {node["name"]: node for node in method.parameters if node["in"] == place}
    return [_argument(prop, nodes[prop.name.get_untrusted_value()], method) for prop in parameters]


def _argument(prop: PropertyProtocol, node: Node, method: Method) -> Argument:
    name = str(prop.python_name)
    schema = method.target(node["schema"])
    description = node.get("description", "") + limits(schema)
    facts = [f"{key}={value!r}" for key, value in _facts(schema)]
    parameter = ", ".join([repr(node["name"]), repr(name), *facts])
    is_secret = node.get("x-secret") is True
    return Argument(
        name=name,
        # A secret is a text of the path, which is always required.
        type="str | Secret" if is_secret else _type(prop),
        description=description.strip(),
        node=node,
        parameter=f"Parameter({parameter})",
        is_secret=is_secret,
    )


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


def _type(prop: PropertyProtocol) -> str:
    return annotation(prop) if prop.required else f"{optional(prop)} = None"


def _values(name: str, arguments: dict[str, Argument]) -> Iterator[str]:
    items = ", ".join(f"{key!r}: {argument.name}" for key, argument in arguments.items())
    if items:
        yield f"{name}={{{items}}}"


def _body(endpoint: Endpoint, name: str) -> Iterator[str]:
    for body in endpoint.bodies:
        code = _BODIES[body.body_type.value].format(body=name)
        yield code if body.prop.required else f"{code} if {name} is not None else None"
