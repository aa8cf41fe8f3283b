"""Calls of the operations of openapi.yaml through their generated methods, made from the examples there."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from cometchat_openapi import models
from tools.description import DESCRIPTION, Operation, operations, read
from tools.generate.resources import resources

_DOCUMENT = read(DESCRIPTION)
DESCRIBED = {operation.name: operation for operation in operations(_DOCUMENT)}

_PER_PAGE = next(each for each in DESCRIBED["list_roles"].parameters if each["name"] == "perPage")
#: The largest page of roles.
LARGEST_PAGE: int = _PER_PAGE["schema"]["maximum"]


@frozen
class DescribedCall:
    """An operation, and its call.

    Attributes:
        operation: the operation.
        act: calls its method with a client; further arguments replace the examples of the path parameters.
        path: the path below the base URL, with the examples.
        method: the resource and its method, such as `roles.list`.
    """

    operation: Operation
    act: Callable[..., Any]
    path: str
    method: str


def described_calls() -> dict[str, DescribedCall]:
    """The call of each operation that has a generated method, by the name of the operation."""
    return {
        name: _call(DESCRIBED[name], resource.name, method.name)
        for resource in resources(_DOCUMENT).values()
        for name, method in resource.methods.items()
        if method.name
    }


def plain(result: Any) -> Any:
    """The JSON value of the result of a call."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    return result.to_dict() if hasattr(result, "to_dict") else result


def deprecated_methods() -> list[str]:
    """The methods that warn when they are first used, such as `Roles.list`."""
    return [
        f"{resource.class_name}.{method.name}"
        for resource in resources(_DOCUMENT).values()
        for method in resource.methods.values()
        if method.deprecated is not None
    ]


def _call(operation: Operation, resource: str, method: str) -> DescribedCall:
    examples = {each["name"]: each["example"] for each in operation.parameters if each["in"] == "path"}
    body: list[Any] = []
    if operation.body is not None:
        model = getattr(models, operation.body_class)
        body = [model.from_dict(operation.body_example)]

    def act(chat: Any, *values: str) -> Any:
        return getattr(getattr(chat, resource), method)(*(values or examples.values()), *body)

    return DescribedCall(operation, act, operation.path.format(**examples), f"{resource}.{method}")
