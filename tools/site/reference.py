"""The parts of the reference that are made from `openapi.yaml`: resources and models."""

from __future__ import annotations

import json

import cometchat_rest
from cometchat_openapi import models
from tools.description import DESCRIPTION, read
from tools.generate.resources import resources

_DOCUMENT = read(DESCRIPTION)


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
    """The reference of each public model."""
    return "\n\n".join(["## All models", *map(_model, sorted(models.__all__))])


def _model(name: str) -> str:
    options: dict[str, object] = {"heading_level": 3}
    if isinstance(getattr(models, name), type):
        options["members"] = []
        options["inherited_members"] = False
    return f"::: cometchat_openapi.models.{name}\n    options: {json.dumps(options)}"
