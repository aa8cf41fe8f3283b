"""The parts of the documentation that are made from `openapi.yaml`: operations, resources and
models."""

from __future__ import annotations

import json
from collections.abc import Iterator

from openapi_python_client.strings import pascal_case

import cometchat_rest
from cometchat_openapi import models
from tools.contract.deviations import contract_part, used_components
from tools.description import DESCRIPTION, Operation, operations, read, resolved
from tools.generate.resources import Method, Resource, resources

from . import exchanges

_DOCUMENT = read(DESCRIPTION)
_NAMES = frozenset(models.__all__)


def _further() -> Iterator[tuple[Operation, Resource, Method]]:
    """The operations that service.md does not know, with their methods; the page describes the
    others by hand."""
    known = {operation.name for operation in operations(contract_part(_DOCUMENT))}
    methods = {
        name: (resource, method)
        for resource in resources(_DOCUMENT).values()
        for name, method in resource.methods.items()
    }
    for operation in operations(_DOCUMENT):
        if operation.name not in known:
            yield operation, *methods[operation.name]


def rows() -> str:
    """The rows of further operations, for the table of all operations."""
    return "\n".join(
        f"| {operation.node['summary']} | `{method.place}` |"
        f" `{resource.class_name}.{method.name}` |"
        for operation, resource, method in _further()
    )


def sections() -> str:
    """A section for each further operation: its description, a call, and the request and
    response of the call."""
    return "\n\n".join(_section(*each) for each in _further())


def _section(operation: Operation, resource: Resource, method: Method) -> str:
    arguments = [repr(each["example"]) for each in operation.parameters if each["in"] == "path"]
    lines = ["from cometchat_rest import Client"]
    if operation.body is not None:
        model = pascal_case(operation.body_class)
        lines = [
            f"from cometchat_rest import Client, {model}",
            "",
            f"body = {model}.from_dict({operation.body_example!r})",
        ]
        arguments.append("body=body")
    call = f"chat.{resource.name}.{method.name}({', '.join(arguments)})"
    code = "\n".join([*lines, "", "with Client() as chat:", f"    print({call})", ""])
    heading = f"## {operation.node['summary']}"
    description = operation.node["description"].strip()
    text = f"{heading}\n\n{description}\n\n```python\n{code}```\n\n"
    return text + exchanges.rendered(code)


def generated_resources() -> str:
    """The reference of each resource that no overlay extends."""
    return "\n\n".join(
        f"::: cometchat_openapi.api.{resource.name}.{resource.class_name}"
        for resource in resources(_DOCUMENT).values()
        if not getattr(cometchat_rest, resource.class_name, Method).__module__.startswith(
            "cometchat_rest"
        )
    )


def resource_names() -> str:
    """The attributes of a client, as a phrase."""
    *others, last = (f"`chat.{name}`" for name in resources(_DOCUMENT))
    return f"{', '.join(others)} and {last}"


def model_reference() -> str:
    """The reference of each public model, below the first tag whose operations use it."""
    shown: set[str] = set()
    parts = []
    for tag in _DOCUMENT["tags"]:
        used = _models_of(tag["name"]) - shown
        shown |= used
        parts += [f"## {tag['name']}"] if used else []
        order = map(pascal_case, _DOCUMENT["components"]["schemas"])
        parts += [_model(name) for name in order if name in used]
    # Sets of values that are described in the place of their use.
    rest = sorted(_NAMES - shown)
    return "\n\n".join([*parts, *(["## Values"] if rest else []), *map(_model, rest)])


def _models_of(tag: str) -> set[str]:
    """The names of the public models that the operations of a tag send and receive."""
    bodies = [
        resolved(_DOCUMENT, operation.node.get(part, {}))
        for operation in operations(_DOCUMENT)
        for part in ("requestBody", "responses")
        if tag in operation.node["tags"]
    ]
    return {
        pascal_case(name.partition("/")[2]) for name in used_components(_DOCUMENT, bodies)
    } & _NAMES


def _model(name: str) -> str:
    options: dict[str, object] = {"heading_level": 3}
    if isinstance(getattr(models, name), type):
        options |= {"members": [], "inherited_members": False}
    return f"::: cometchat_openapi.models.{name}\n    options: {json.dumps(options)}"
