"""Calls of the operations of openapi.yaml through their generated methods, made from the
examples there."""

import copy
from collections.abc import Callable
from typing import Any

from attrs import frozen

from cometchat_openapi import models
from cometchat_runtime.model import File
from tools.description import DESCRIPTION, followed, mapping, read
from tools.generate.resources import resources, verb

from .described import Described, described

_DOCUMENT = read(DESCRIPTION)
DESCRIBED = {operation.name: operation for operation in described(_DOCUMENT)}

_PER_PAGE = next(each for each in DESCRIBED["list_roles"].parameters if each["name"] == "perPage")
#: The largest page of roles.
LARGEST_PAGE: int = _PER_PAGE["schema"]["maximum"]


@frozen
class DescribedCall:
    """An operation, and its call.

    Attributes:
        operation: the operation.
        act: calls its method with a client; further values replace the examples of the path
            parameters, and arguments with a name are added.
        path: the path below the base URL, with the examples.
        method: the resource and its method, such as `roles.list`.
    """

    operation: Described
    act: Callable[..., Any]
    path: str
    method: str


def described_calls() -> dict[str, DescribedCall]:
    """The call of each operation that has a generated method, by the name of the operation."""
    return {
        name: _call(DESCRIBED[name], resource.name, verb(operation.id))
        for resource in resources(_DOCUMENT).values()
        for name, operation in resource.methods.items()
    }


def plain(result: Any) -> Any:
    """The JSON value of the result of a call."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    return result.to_dict() if hasattr(result, "to_dict") else result


def deprecated_methods() -> list[str]:
    """The methods that warn when they are first used, such as `Roles.list`."""
    return [
        f"{resource.class_name}.{verb(operation.id)}"
        for resource in resources(_DOCUMENT).values()
        for operation in resource.methods.values()
        if operation.deprecated is not None
    ]


def probed_example(name: str) -> Any:
    """The described response of an operation; it repeats the page size of the probe for
    conformance."""
    body = copy.deepcopy(DESCRIBED[name].example)
    for place, size in (("current", "limit"), ("pagination", "per_page")):
        if mapping(mapping(body, "meta"), place):
            body["meta"][place][size] = 99
    return body


def examples_in_path(operation: Described) -> dict[str, Any]:
    """The example identifiers of the description."""
    return {each["name"]: each["example"] for each in operation.parameters if each["in"] == "path"}


def _call(operation: Described, resource: str, method: str) -> DescribedCall:
    examples = examples_in_path(operation)
    body: list[Any] = []
    if operation.body is not None:
        model, fields = getattr(models, operation.body_class), operation.body_example
        properties = mapping(followed(operation.document, operation.body[1]), "properties")
        files = {
            name: File(b"x", name) for name in fields if properties[name].get("format") == "binary"
        }
        body = [model.from_dict({**fields, **files})]

    def act(chat: Any, *values: str, **arguments: Any) -> Any:
        return getattr(getattr(chat, resource), method)(
            *(values or examples.values()), *body, **arguments
        )

    return DescribedCall(operation, act, operation.path.format(**examples), f"{resource}.{method}")
