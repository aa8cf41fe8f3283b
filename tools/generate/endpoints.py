"""The operations of a description, as the templates print them."""

from __future__ import annotations

from attrs import frozen
from openapi_python_client.parser.openapi import Endpoint
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.responses import Response

from tools.description import Operation

from .arguments import Arguments
from .code import LIST, annotation, own_imports, plain_text, properties
from .paging import Paging, paging_of
from .resources import verb

#: The builtin type, in a class that can have a method `list`.
_BUILTIN_LIST = "builtins.list"


@frozen
class Answer:
    """The successful response of an operation."""

    endpoint: Endpoint

    @property
    def success(self) -> tuple[tuple[int, int], ...]:
        """The first and the last status of each range that means success."""
        ranges = [response.status_code.range for response in self._responses]
        return tuple(statuses for statuses in ranges if statuses is not None)

    @property
    def prop(self) -> PropertyProtocol | None:
        """Its body; `None` if it has none."""
        response = self._responses[0]
        return None if response.source["attribute"] == "None" else response.prop

    @property
    def type(self) -> str:
        """The type of the body."""
        return self.type_with(LIST)

    def type_with(self, array: str) -> str:
        """The type of the body, with this name of the builtin `list`."""
        return "None" if self.prop is None else annotation(self.prop, array)

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
    def _responses(self) -> list[Response]:
        return [
            response
            for response in self.endpoint.responses.patterns
            if response.status_code.pattern.startswith("2")
        ]


@frozen
class EndpointView:
    """An operation, as the templates print it. The method of an awaited client has the prefix
    `Async`, and that of a blocking client has none."""

    endpoint: Endpoint
    operation: Operation

    @property
    def description(self) -> str:
        """Its description; can be empty."""
        return plain_text(self.endpoint.description)

    @property
    def verb(self) -> str:
        """The name of its method."""
        return verb(self.operation.id)

    @property
    def arguments(self) -> Arguments:
        """Its arguments."""
        return Arguments(self.endpoint, self.operation)

    @property
    def answer(self) -> Answer:
        """Its successful response."""
        return Answer(self.endpoint)

    @property
    def paging(self) -> Paging | None:
        """How further pages are read; `None` for an operation without pages."""
        return paging_of(self.operation)

    @property
    def returns(self) -> str:
        """The text about the result of the method."""
        if self.paging is not None:
            return "The first page: its items in `data`, and `meta`."
        if self.answer.prop is None:
            return "Nothing."
        return "The `data` of the response." if self.answer.is_envelope else "The response."

    @property
    def imports(self) -> tuple[str, ...]:
        """The imports of its module."""
        return own_imports(self.endpoint.relative_imports)

    @property
    def method_imports(self) -> tuple[str, ...]:
        """The imports of its methods."""
        lines = {*self.endpoint.relative_imports}
        for prop in self.answer.fields.values():
            lines |= prop.get_imports(prefix="...") | prop.get_lazy_imports(prefix="...")
        return own_imports(lines)

    def head(self, prefix: str) -> str:
        """The `def` of its method, with arguments and result."""
        # The method of a list with pages awaits nothing: the first page is read when it is needed.
        is_awaited = prefix == "Async" and self.paging is None
        arguments = self.arguments.declarations(_BUILTIN_LIST)
        separator = ", " if arguments else ""
        define = "async def" if is_awaited else "def"
        return f"{define} {self.verb}(self{separator}{arguments}) -> {self._result(prefix)}"

    def lines(self, prefix: str) -> list[str]:
        """The statements of its method."""
        lines = [f"{name} = Secret({name})" for name in self.arguments.secrets]
        lines.append(f"call = _{self.endpoint.name}.prepare({self.arguments.passed})")
        send = f"{'await ' if prefix else ''}self._api.send(call)"
        if self.paging is not None:
            return [*lines, f"return {prefix}Pages(self._api, call)"]
        if self.answer.prop is None:
            return [*lines, send]
        result = "response.parsed.data" if self.answer.is_envelope else "response.parsed"
        return [*lines, f"response = {send}", f"return {result}"]

    def _result(self, prefix: str) -> str:
        """The type of the result of its method."""
        fields = self.answer.fields
        if self.paging is not None:
            data = fields["data"]
            assert isinstance(data, ListProperty)
            item = annotation(data.inner_property, _BUILTIN_LIST)
            return f"{prefix}Pages[{item}, {annotation(fields['meta'], _BUILTIN_LIST)}]"
        if self.answer.is_envelope:
            return annotation(fields["data"], _BUILTIN_LIST)
        return self.answer.type_with(_BUILTIN_LIST)
