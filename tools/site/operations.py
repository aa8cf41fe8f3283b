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


def rows() -> str:
    """The rows of further operations, for the table of all operations."""
    lines = []
    for operation, resource, method in _further():
        summary = operation.node["summary"]
        lines.append(f"| {summary} | `{method.place}` | `{resource.class_name}.{method.name}` |")
    return "\n".join(lines)


def sections() -> str:
    """A section for each further operation: its description, a call, and the request and
    response of the call."""
    parts = [_section(operation, resource, method) for operation, resource, method in _further()]
    return "\n\n".join(parts)


def _further() -> Iterator[tuple[Operation, Resource, Method]]:
    """The operations that service.md does not know, with their methods; the page describes the
    others by hand."""
    by_hand = {operation.name for operation in operations(contract_part(_DOCUMENT))}
    methods: dict[str, tuple[Resource, Method]] = {}
    for resource in resources(_DOCUMENT).values():
        for name, method in resource.methods.items():
            methods[name] = (resource, method)
    for operation in operations(_DOCUMENT):
        if operation.name not in by_hand:
            resource, method = methods[operation.name]
            yield operation, resource, method


def _section(operation: Operation, resource: Resource, method: Method) -> str:
    code = _call(operation, resource, method)
    heading = f"## {operation.node['summary']}"
    description = operation.node["description"].strip()
    program = f"```python\n{code}```"
    return "\n\n".join([heading, description, program, exchanges.rendered(code)])


def _call(operation: Operation, resource: Resource, method: Method) -> str:
    """A program that makes one call, with the examples of the description."""
    paths = [parameter for parameter in operation.parameters if parameter["in"] == "path"]
    arguments = [repr(parameter["example"]) for parameter in paths]
    lines = ["from cometchat_rest import Client"]
    if operation.body is not None:
        model = pascal_case(operation.body_class)
        lines = [f"from cometchat_rest import Client, {model}", ""]
        lines.append(f"body = {model}.from_dict({operation.body_example!r})")
        arguments.append("body=body")
    call = f"chat.{resource.name}.{method.name}({', '.join(arguments)})"
    lines += ["", "with Client() as chat:", f"    print({call})", ""]
    return "\n".join(lines)


def generated_resources() -> str:
    """The reference of each resource that no overlay extends."""
    parts = []
    for resource in resources(_DOCUMENT).values():
        public = getattr(cometchat_rest, resource.class_name, None)
        has_overlay = public is not None and public.__module__.startswith("cometchat_rest")
        if not has_overlay:
            parts.append(f"::: cometchat_openapi.api.{resource.name}.{resource.class_name}")
    return "\n\n".join(parts)


def resource_names() -> str:
    """The attributes of a client, as a phrase."""
    *names, last = [f"`chat.{name}`" for name in resources(_DOCUMENT)]
    return f"{', '.join(names)} and {last}"


def model_reference() -> str:
    """The reference of each public model, below the first tag whose operations use it."""
    order = [pascal_case(name) for name in _DOCUMENT["components"]["schemas"]]
    shown: set[str] = set()
    parts = []
    for tag in _DOCUMENT["tags"]:
        new = _models_of(tag["name"]) - shown
        if new:
            parts.append(f"## {tag['name']}")
            parts += [_model(name) for name in order if name in new]
        shown |= new
    # Sets of values that are described in the place of their use.
    rest = sorted(_NAMES - shown)
    if rest:
        parts.append("## Values")
        parts += [_model(name) for name in rest]
    return "\n\n".join(parts)


def _models_of(tag: str) -> set[str]:
    """The names of the public models that the operations of a tag send and receive."""
    bodies = []
    for operation in operations(_DOCUMENT):
        if tag in operation.node["tags"]:
            bodies.append(resolved(_DOCUMENT, operation.node.get("requestBody", {})))
            bodies.append(resolved(_DOCUMENT, operation.node["responses"]))
    components = used_components(_DOCUMENT, bodies)
    names = {pascal_case(component.partition("/")[2]) for component in components}
    return names & _NAMES


def _model(name: str) -> str:
    options: dict[str, object] = {"heading_level": 3}
    if isinstance(getattr(models, name), type):
        options["members"] = []
        options["inherited_members"] = False
    return f"::: cometchat_openapi.models.{name}\n    options: {json.dumps(options)}"
