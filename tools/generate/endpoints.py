"""The operations of a description, as the templates print them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from .code import annotation, json_name, optional, own_imports, plain_text
from .paging import PagingView, paging_of
from .resources import Method, facts, limits

#: The field of a call that holds a body, by the kind of the body in the generator.
_BODIES = {
    "files": "files={body}.to_multipart()",
    "json": "json=_to_json({body})",
    "data": "form={body}.to_dict()",
}
_BYTES = "content={body}.payload"


@frozen
class Argument:
    """An argument of a method: its name, its type with its default, and its description with the
    limits of its schema."""

    name: str
    type: str
    description: str


@frozen
class EndpointView:
    """An operation: the data that its templates print.

    Attributes:
        name: the name of its module.
        signature: the arguments of `prepare`.
        method_signature: the arguments of the method, without `self`.
        passed: the arguments that the method passes to `prepare`.
        success: the first and the last status of each range that means success.
        result: the type of the body.
        method_result: the type of the method's result; for a list with pages, those of its items
            and of its `meta`.
        is_envelope: whether the body only holds `data`, which the method returns.
        parameters: the expressions that make its parameters.
        repeated: for each argument that the response repeats, its name and place as literals.
        paging: the names that its pager uses; `None` for an operation without pages.
        call: the arguments of its `Call`, after the operation.
    """

    name: str
    http_method: str
    path: str
    method: Method
    summary: str
    description: str
    signature: str
    method_signature: str
    passed: str
    arguments: tuple[Argument, ...]
    success: tuple[tuple[int, int], ...]
    result: str
    method_result: str
    is_envelope: bool
    parameters: tuple[str, ...]
    repeated: tuple[tuple[str, str], ...]
    paging: PagingView | None
    call: tuple[str, ...]
    imports: tuple[str, ...]
    method_imports: tuple[str, ...]


@frozen
class _Answer:
    """The successful response of an operation."""

    success: tuple[tuple[int, int], ...]
    prop: PropertyProtocol | None

    @property
    def fields(self) -> dict[str, PropertyProtocol]:
        if not isinstance(self.prop, ModelProperty):
            return {}
        properties = (
            *(self.prop.required_properties or ()),
            *(self.prop.optional_properties or ()),
        )
        return {prop.name.get_untrusted_value(): prop for prop in properties}

    @property
    def is_envelope(self) -> bool:
        return [*self.fields] == ["data"] and self.fields["data"].required

    @property
    def type(self) -> str:
        return "None" if self.prop is None else annotation(self.prop)


def endpoint_view(endpoint: Endpoint, method: Method) -> EndpointView:
    """The view of an operation."""
    answer = _answer(endpoint)
    paging = paging_of(method)
    parameters = [*_parameters(endpoint, method)]
    bodies = [
        Argument(method.body_name, _argument_type(body.prop), plain_text(body.prop.description))
        for body in endpoint.bodies
    ]
    number = len(endpoint.path_parameters)
    positional = [*parameters[:number], *bodies]
    options = parameters[number:]
    declared = [f"{each.name}: {each.type}" for each in (*positional, *options)]
    if options:
        declared.insert(len(positional), "*")
    return EndpointView(
        name=endpoint.name,
        http_method=endpoint.method.upper(),
        path=_literal(endpoint.path.get_untrusted_value()),
        method=method,
        summary=plain_text(endpoint.summary),
        description=plain_text(endpoint.description),
        signature=", ".join(declared),
        method_signature=_in_class(", ".join(["self", *declared])),
        passed=", ".join(
            each.name if each in parameters[:number] else f"{each.name}={each.name}"
            for each in (*positional, *options)
        ),
        arguments=(*positional, *options),
        success=answer.success,
        result=answer.type,
        method_result=_in_class(_method_result(answer, has_pages=paging is not None)),
        is_envelope=answer.is_envelope,
        parameters=tuple(_parameter(method, node) for node in method.parameters),
        repeated=tuple(_repeated(method)),
        paging=paging,
        call=tuple(_call(endpoint, method)),
        imports=own_imports(endpoint.relative_imports),
        method_imports=own_imports(_imports(endpoint, answer)),
    )


def result_class(endpoint: Endpoint) -> str:
    """The type of the body of an operation."""
    return _answer(endpoint).type


def _literal(text: str) -> str:
    # json.dumps would write characters outside ASCII as escapes.
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _answer(endpoint: Endpoint) -> _Answer:
    patterns = [
        pattern
        for pattern in endpoint.responses.patterns
        if pattern.status_code.pattern.startswith("2")
    ]
    has_body = patterns[0].source["attribute"] != "None"
    ranges = (pattern.status_code.range for pattern in patterns)
    success = tuple(statuses for statuses in ranges if statuses is not None)
    return _Answer(success, patterns[0].prop if has_body else None)


def _parameters(endpoint: Endpoint, method: Method) -> Iterator[Argument]:
    """The arguments for the path, and then those for query and headers."""
    nodes = {method.arguments[node["in"], node["name"]]: node for node in method.parameters}
    places = (endpoint.path_parameters, endpoint.query_parameters, endpoint.header_parameters)
    for prop in itertools.chain(*places):
        name = str(prop.python_name)
        schema = method.target(nodes[name].get("schema", {}))
        text = nodes[name].get("description", "") + limits(schema)
        kind = "str | Secret" if name in method.secrets else _argument_type(prop)
        yield Argument(name, kind, text.strip())


def _argument_type(prop: PropertyProtocol) -> str:
    return annotation(prop) if prop.required else f"{optional(prop)} = None"


def _in_class(code: str) -> str:
    """Types as a class can name them whose method has the name of a builtin type."""
    return code.replace("list[", "builtins.list[")


def _method_result(answer: _Answer, *, has_pages: bool) -> str:
    fields = answer.fields
    if has_pages:
        items = fields["data"]
        assert isinstance(items, ListProperty)
        item = annotation(items.inner_property)
        return f"[{item}, {annotation(fields['meta'])}]"
    if answer.is_envelope:
        return annotation(fields["data"])
    return answer.type


def _parameter(method: Method, node: Any) -> str:
    described = facts(method.target(node["schema"]))
    argument = method.arguments[node["in"], node["name"]]
    options = "".join(f", {name}={value!r}" for name, value in described.items())
    return f"Parameter({node['name']!r}, {argument!r}{options})"


def _repeated(method: Method) -> Iterator[tuple[str, str]]:
    for node in method.parameters:
        if "x-repeated-at" in node:
            yield (
                _literal(method.arguments[node["in"], node["name"]]),
                _literal(node["x-repeated-at"]),
            )


def _call(endpoint: Endpoint, method: Method) -> Iterator[str]:
    if endpoint.path_parameters:
        names = (f'"{prop.python_name}": {prop.python_name}' for prop in endpoint.path_parameters)
        yield f"path_values={{{', '.join(names)}}}"
    if endpoint.query_parameters:
        yield f"query={_by_json_name(endpoint.query_parameters)}"
    if endpoint.header_parameters:
        yield f"headers={_by_json_name(endpoint.header_parameters)}"
    for body in endpoint.bodies:
        name = method.body_name
        absent = "" if body.prop.required else f" if {name} is not None else None"
        yield _BODIES.get(body.body_type.value, _BYTES).format(body=name) + absent


def _by_json_name(properties: Iterable[PropertyProtocol]) -> str:
    items = (f"{json_name(prop)}: {prop.python_name}" for prop in properties)
    return f"{{{', '.join(items)}}}"


def _imports(endpoint: Endpoint, answer: _Answer) -> set[str]:
    lines = {*endpoint.relative_imports}
    for prop in answer.fields.values():
        lines |= {*prop.get_imports(prefix="..."), *prop.get_lazy_imports(prefix="...")}
    return lines
