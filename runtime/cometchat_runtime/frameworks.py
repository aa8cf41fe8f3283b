"""Models in pydantic and FastAPI; not loaded before one of them asks.

The package of a model has the schemas of its description in `schemas.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from copy import deepcopy
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, TypeAlias

from pydantic import TypeAdapter
from pydantic_core import core_schema

from .drift import deviations
from .model import Model, is_model

#: Makes the JSON Schema for a schema of pydantic.
Handler: TypeAlias = Callable[[Any], dict[str, Any]]

_REFERENCE = "#/components/schemas/"
# The classes whose JSON Schema is being made now: a class that refers to itself must not be
# described twice.
_in_progress: ContextVar[tuple[type[Model], ...]] = ContextVar("_in_progress", default=())


def core_schema_of(cls: type[Model]) -> Any:
    """The schema with which pydantic reads a model (`from_dict`) and serializes it (`to_dict`)."""

    def read(value: object) -> Model:
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise ValueError("the value must be a JSON object")  # noqa: TRY004 - as pydantic asks
        mismatches: list[type] = []
        # A copy, because reading consumes the object.
        model = cls.from_dict(deepcopy(value), mismatches)
        if mismatches:
            names = dict.fromkeys(mismatch.__name__ for mismatch in mismatches)
            described = f"the description of {', '.join(names)}"
            raise ValueError(f"the value differs from {described}{_place(cls, value)}")
        return model

    to_dict = core_schema.plain_serializer_function_ser_schema(cls.to_dict)
    return core_schema.no_info_plain_validator_function(read, ref=_ref(cls), serialization=to_dict)


def _place(cls: type[Model], value: object) -> str:
    """The first place that is not as described, as the end of a sentence; empty for a field that
    the description does not allow, and for 5.0 as an integer."""
    for pointer, expected in deviations(cls, value):
        return f": {pointer} is not {expected}"
    return ""


def json_schema_of(cls: type[Model], handler: Handler) -> dict[str, Any]:
    """The JSON Schema of a model or of its subclass, as in the description.

    The classes in it become definitions of pydantic.
    """
    # The class that was generated: the last one before `Model`, because a user may extend it.
    generated = [parent for parent in cls.__mro__ if is_model(parent) and parent is not Model][-1]
    # That of `package.models.item` is `package`.
    package = generated.__module__.rpartition(".models.")[0]
    before = _in_progress.set((*_in_progress.get(), cls))
    try:
        schema = _schemas(package)[generated.__name__]
        described: dict[str, Any] = _with_definitions(package, schema, handler)
        return described
    finally:
        _in_progress.reset(before)


@cache
def _schemas(package: str) -> Mapping[str, dict[str, Any]]:
    text = files(package).joinpath("schemas.json").read_text("utf-8")
    schemas: dict[str, dict[str, Any]] = json.loads(text)
    return schemas


def _ref(cls: type[Model]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _with_definitions(package: str, node: Any, handler: Handler) -> Any:
    if isinstance(node, list):
        return [_with_definitions(package, item, handler) for item in node]
    if not isinstance(node, dict):
        return node
    schema = {
        name: _with_definitions(package, value, handler)
        for name, value in node.items()
        if name != "$ref" and not name.startswith("x-")
    }
    if "$ref" not in node:
        return schema
    name = node["$ref"].removeprefix(_REFERENCE)
    target = getattr(import_module(f"{package}.models"), name, None)
    if is_model(target):
        return {**_definition(target, handler), **schema}
    return {**_schemas(package)[name], **schema}


def _definition(cls: Any, handler: Handler) -> dict[str, Any]:
    """A reference to the definition of a class, which pydantic adds to the schema."""
    if cls in _in_progress.get():
        return handler(core_schema.definition_reference_schema(_ref(cls)))
    # pydantic describes the items of a list by their own class.
    items: dict[str, Any] = handler(core_schema.list_schema(TypeAdapter(cls).core_schema))["items"]
    return items
