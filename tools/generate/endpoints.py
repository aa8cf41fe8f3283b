"""The operations of a description, as the templates print them."""

from __future__ import annotations

from attrs import frozen
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from .arguments import Arguments, arguments_of
from .code import annotation, own_imports, plain_text, properties
from .paging import Paging, paging_of
from .resources import Method


@frozen
class Answer:
    """The successful response of an operation.

    Attributes:
        success: the first and the last status of each range that means success.
        prop: its body; `None` if it has none.
        has_pages: whether further pages can be read.
    """

    success: tuple[tuple[int, int], ...]
    prop: PropertyProtocol | None
    has_pages: bool

    @property
    def type(self) -> str:
        """The type of the body."""
        return "None" if self.prop is None else annotation(self.prop)

    @property
    def fields(self) -> dict[str, PropertyProtocol]:
        """The fields of the body, by their names in JSON."""
        if not isinstance(self.prop, ModelProperty):
            return {}
        return {prop.name.get_untrusted_value(): prop for prop in properties(self.prop)}

    @property
    def is_envelope(self) -> bool:
        """Whether the body only holds `data`, which the method returns."""
        return [*self.fields] == ["data"] and self.fields["data"].required

    @property
    def types_of_pages(self) -> str:
        """The types of the items, and of `meta`."""
        data = self.fields["data"]
        assert isinstance(data, ListProperty)
        return f"[{annotation(data.inner_property)}, {annotation(self.fields['meta'])}]"

    @property
    def returns(self) -> str:
        """The text about the result of the method."""
        if self.has_pages:
            return "The first page: its items in `data`, and `meta`."
        if self.prop is None:
            return "Nothing."
        return "The `data` of the response." if self.is_envelope else "The response."


@frozen
class MethodView:
    """A method of a resource, for one of the two clients: its `def`, with arguments and result,
    and its statements."""

    head: str
    lines: list[str]


@frozen
class EndpointView:
    """An operation, as the templates print it.

    Attributes:
        imports: the imports of its module.
        method_imports: the imports of its methods.
    """

    description: str
    arguments: Arguments
    answer: Answer
    paging: Paging | None
    blocking: MethodView
    awaited: MethodView
    imports: tuple[str, ...]
    method_imports: tuple[str, ...]


def endpoint_view(endpoint: Endpoint, method: Method) -> EndpointView:
    """The view of an operation."""
    arguments = arguments_of(endpoint, method)
    paging = paging_of(method)
    answer = _answer(endpoint, has_pages=paging is not None)
    before = [f"{name} = Secret({name})" for name in arguments.secrets]
    before.append(f"call = _{endpoint.name}.prepare({arguments.passed})")
    definition = f"def {method.verb}({', '.join(['self', *arguments.declarations])})"
    method_imports = {*endpoint.relative_imports}
    for prop in answer.fields.values():
        method_imports |= prop.get_imports(prefix="...") | prop.get_lazy_imports(prefix="...")
    return EndpointView(
        description=plain_text(endpoint.description),
        arguments=arguments,
        answer=answer,
        paging=paging,
        blocking=_method_view(definition, before, answer, prefix="", wait=""),
        awaited=_method_view(definition, before, answer, prefix="Async", wait="await "),
        imports=own_imports(endpoint.relative_imports),
        method_imports=own_imports(method_imports),
    )


def result_class(endpoint: Endpoint) -> str:
    """The type of the body of an operation."""
    return _answer(endpoint, has_pages=False).type


def _answer(endpoint: Endpoint, *, has_pages: bool) -> Answer:
    responses = [
        response
        for response in endpoint.responses.patterns
        if response.status_code.pattern.startswith("2")
    ]
    has_body = responses[0].source["attribute"] != "None"
    ranges = [response.status_code.range for response in responses]
    success = tuple(statuses for statuses in ranges if statuses is not None)
    return Answer(success, responses[0].prop if has_body else None, has_pages)


def _method_view(
    definition: str, before: list[str], answer: Answer, *, prefix: str, wait: str
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
    return MethodView(head, [*before, *lines])
