"""The parts of the reference that are made from `openapi.yaml`: resources and models."""

from __future__ import annotations

import json

from openapi_python_client.strings import pascal_case

import cometchat_rest
from cometchat_openapi import models
from tools.contract.deviations import used_components
from tools.description import DESCRIPTION, operations, read, resolved
from tools.generate.resources import resources

_DOCUMENT = read(DESCRIPTION)
_NAMES = frozenset(models.__all__)


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
