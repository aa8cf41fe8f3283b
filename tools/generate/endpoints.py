"""The operations of a description, as the templates print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import field, frozen
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from tools.description import Node

from .code import annotation, optional, own_imports, plain_text, properties
from .paging import PagingView, paging_of
from .resources import Method, limits

#: The field of a call that holds a body, by the kind of the body in the generator.
_BODIES = {
    "content": "content={body}.payload",
    "data": "form={body}.to_dict()",
    "files": "files={body}.to_multipart()",
    "json": "json=_to_json({body})",
}
#: The type of an argument that must never show.
_HIDDEN = "str | Secret"


@frozen
class Argument:
    """An argument of a method: its name, its type with its default, and its description with the
    limits of its schema.

    Attributes:
        node: the parameter in the description; empty for a body.
    """

    name: str
    type: str
    description: str
    node: Node = field(factory=dict)


@frozen
class MethodView:
    """A method of a resource, for one of the two clients: its `def`, with arguments and result,
    and its statements."""

    head: str
    lines: tuple[str, ...]


@frozen
class EndpointView:
    """An operation: the code that its templates print, and its texts.

    Attributes:
        signature: the arguments of `prepare`.
        success: the first and the last status of each range that means success.
        result: the type of the body.
        parameters: the expressions that make its parameters.
        repeated: the arguments that the response repeats, with the place of each.
        call: the arguments of its `Call`, after the operation.
        returns: the text about the result of its method.
        method_imports: the imports of its methods.
    """

    description: str
    signature: str
    arguments: tuple[Argument, ...]
    secrets: tuple[str, ...]
    success: str
    result: str
    parameters: tuple[str, ...]
    repeated: str | None
    paging: PagingView | None
    call: tuple[str, ...]
    returns: str
    blocking: MethodView
    awaited: MethodView
    imports: tuple[str, ...]
    method_imports: tuple[str, ...]


@frozen
class _Answer:
    """The successful response of an operation."""

    success: tuple[tuple[int, int], ...]
    prop: PropertyProtocol | None
    has_pages: bool

    @property
    def fields(self) -> dict[str, PropertyProtocol]:
        if not isinstance(self.prop, ModelProperty):
            return {}
        return {prop.name.get_untrusted_value(): prop for prop in properties(self.prop)}

    @property
    def is_envelope(self) -> bool:
        """Whether the body only holds `data`, which the method returns."""
        return [*self.fields] == ["data"] and self.fields["data"].required

    @property
    def type(self) -> str:
        return "None" if self.prop is None else annotation(self.prop)

    @property
    def types_of_pages(self) -> str:
        """The types of the items, and of `meta`."""
        data = self.fields["data"]
        assert isinstance(data, ListProperty)
        return f"[{annotation(data.inner_property)}, {annotation(self.fields['meta'])}]"

    @property
    def returns(self) -> str:
        if self.has_pages:
            return "The first page: its items in `data`, and `meta`."
        if self.prop is None:
            return "Nothing."
        return "The `data` of the response." if self.is_envelope else "The response."


def endpoint_view(endpoint: Endpoint, method: Method) -> EndpointView:
    """The view of an operation."""
    paging = paging_of(method)
    answer = _answer(endpoint, has_pages=paging is not None)
    in_path = _arguments(endpoint.path_parameters, "path", method)
    in_query = _arguments(endpoint.query_parameters, "query", method)
    in_headers = _arguments(endpoint.header_parameters, "header", method)
    bodies = [
        Argument(method.body_name, _argument_type(body.prop), plain_text(body.prop.description))
        for body in endpoint.bodies
    ]
    parameters = [*in_path, *in_query, *in_headers]
    arguments = [*in_path, *bodies, *in_query, *in_headers]
    call = [
        *_values("path_values", {argument.name: argument for argument in in_path}),
        *_values("query", {argument.node["name"]: argument for argument in in_query}),
        *_values("headers", {argument.node["name"]: argument for argument in in_headers}),
        *_body(endpoint, method),
    ]
    signature = ", ".join(_signature([*in_path, *bodies], [*in_query, *in_headers]))
    secrets = tuple(argument.name for argument in arguments if argument.type == _HIDDEN)
    passed = ", ".join(f"{argument.name}={argument.name}" for argument in arguments)
    before = [f"{name} = Secret({name})" for name in secrets]
    before.append(f"call = _{endpoint.name}.prepare({passed})")
    definition = f"def {method.verb}({', '.join(filter(None, ['self', signature]))})"
    return EndpointView(
        description=plain_text(endpoint.description),
        signature=signature,
        arguments=tuple(arguments),
        secrets=secrets,
        success=repr(answer.success),
        result=answer.type,
        parameters=tuple(_parameter(argument, method) for argument in parameters),
        repeated=_repeated(parameters),
        paging=paging,
        call=tuple(call),
        returns=answer.returns,
        blocking=_method_view(definition, before, answer, prefix="", wait=""),
        awaited=_method_view(definition, before, answer, prefix="Async", wait="await "),
        imports=own_imports(endpoint.relative_imports),
        method_imports=own_imports(_imports(endpoint, answer)),
    )


def result_class(endpoint: Endpoint) -> str:
    """The type of the body of an operation."""
    return _answer(endpoint, has_pages=False).type


def _answer(endpoint: Endpoint, *, has_pages: bool) -> _Answer:
    patterns = [
        pattern
        for pattern in endpoint.responses.patterns
        if pattern.status_code.pattern.startswith("2")
    ]
    has_body = patterns[0].source["attribute"] != "None"
    ranges = (pattern.status_code.range for pattern in patterns)
    success = tuple(statuses for statuses in ranges if statuses is not None)
    return _Answer(success, patterns[0].prop if has_body else None, has_pages)


def _arguments(
    parameters: Iterable[PropertyProtocol], place: str, method: Method
) -> list[Argument]:
    nodes = {node["name"]: node for node in method.parameters if node["in"] == place}
    return [_argument(prop, nodes[prop.name.get_untrusted_value()], method) for prop in parameters]


def _argument(prop: PropertyProtocol, node: Node, method: Method) -> Argument:
    schema = method.target(node.get("schema", {}))
    text = node.get("description", "") + limits(schema)
    kind = _HIDDEN if node.get("x-secret") is True else _argument_type(prop)
    return Argument(str(prop.python_name), kind, text.strip(), node)


def _argument_type(prop: PropertyProtocol) -> str:
    return annotation(prop) if prop.required else f"{optional(prop)} = None"


def _signature(positional: list[Argument], options: list[Argument]) -> Iterator[str]:
    for argument in positional:
        yield f"{argument.name}: {argument.type}"
    if options:
        yield "*"
    for argument in options:
        yield f"{argument.name}: {argument.type}"


def _method_view(
    definition: str, before: list[str], answer: _Answer, *, prefix: str, wait: str
) -> MethodView:
    send = f"{wait}self._api.send(call)"
    define = f"async {definition}" if wait else definition
    result = answer.type
    if answer.has_pages:
        # Nothing is awaited: the first page is read when it is needed.
        define = definition
        result = f"{prefix}Pages{answer.types_of_pages}"
        lines = [f"return {prefix}Pages(self._api, call)"]
    elif answer.prop is None:
        lines = [send]
    elif answer.is_envelope:
        result = annotation(answer.fields["data"])
        lines = [f"response = {send}", "return response.parsed.data"]
    else:
        lines = [f"response = {send}", "return response.parsed"]
    # A class with a method `list` has another name for the builtin type.
    head = f"{define} -> {result}".replace("list[", "builtins.list[")
    return MethodView(head, (*before, *lines))


def _parameter(argument: Argument, method: Method) -> str:
    facts = _facts(method.target(argument.node["schema"]))
    options = [f"{name}={value!r}" for name, value in facts]
    names = [repr(argument.node["name"]), repr(argument.name)]
    return f"Parameter({', '.join([*names, *options])})"


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


def _repeated(parameters: list[Argument]) -> str | None:
    mark = "x-repeated-at"
    places = [
        (argument.name, argument.node[mark]) for argument in parameters if mark in argument.node
    ]
    return repr(tuple(places)) if places else None


def _values(name: str, arguments: dict[str, Argument]) -> Iterator[str]:
    items = ", ".join(f"{key!r}: {argument.name}" for key, argument in arguments.items())
    if items:
        yield f"{name}={{{items}}}"


def _body(endpoint: Endpoint, method: Method) -> Iterator[str]:
    name = method.body_name
    for body in endpoint.bodies:
        code = _BODIES[body.body_type.value].format(body=name)
        yield code if body.prop.required else f"{code} if {name} is not None else None"


def _imports(endpoint: Endpoint, answer: _Answer) -> set[str]:
    lines = {*endpoint.relative_imports}
    for prop in answer.fields.values():
        lines |= {*prop.get_imports(prefix="..."), *prop.get_lazy_imports(prefix="...")}
    return lines
