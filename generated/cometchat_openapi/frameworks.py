"""Models in pydantic and FastAPI; not loaded before one of them asks. schemas.json has the schemas of openapi.yaml."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextvars import ContextVar
from copy import deepcopy
from functools import cache
from importlib.resources import files
from typing import Any

from . import models
from .types import Model

_REFERENCE = "#/components/schemas/"
# The classes whose JSON Schema is being made now: a class that refers to itself must not be described twice.
_in_progress: ContextVar[tuple[type[Model], ...]] = ContextVar("_in_progress", default=())


def core_schema_of(cls: type[Model]) -> Any:
    """The schema with which pydantic reads a model (`from_dict`) and serializes it (`to_dict`)."""
    from pydantic_core import core_schema

    def read(value: object) -> Model:
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise ValueError("the value must be a JSON object")
        mismatches: list[type] = []
        # A copy, because reading consumes the object.
        model = cls.from_dict(deepcopy(value), mismatches)
        if mismatches:
            names = dict.fromkeys(each.__name__ for each in mismatches)
            raise ValueError(f"the value differs from the description of {', '.join(names)}")
        return model

    to_dict = core_schema.plain_serializer_function_ser_schema(cls.to_dict)
    return core_schema.no_info_plain_validator_function(read, ref=_ref(cls), serialization=to_dict)


def _ref(cls: type[Model]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


@cache
def _schemas() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(__name__.rpartition(".")[0]).joinpath("schemas.json").read_text("utf-8"))
    return found


def json_schema_of(cls: type[Model], handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """The JSON Schema of a model or of its subclass, as in openapi.yaml; the classes in it become definitions of pydantic."""
    generated = next(each for each in cls.__mro__ if each.__name__ in _schemas())
    before = _in_progress.set((*_in_progress.get(), cls))
    try:
        described: dict[str, Any] = _with_definitions(_schemas()[generated.__name__], handler)
        return described
    finally:
        _in_progress.reset(before)


def _with_definitions(node: Any, handler: Callable[[Any], dict[str, Any]]) -> Any:
    if isinstance(node, list):
        return [_with_definitions(each, handler) for each in node]
    if not isinstance(node, dict):
        return node
    schema = {name: _with_definitions(each, handler) for name, each in node.items() if name[:2] not in ("$r", "x-")}
    if "$ref" in node:
        name = node["$ref"].removeprefix(_REFERENCE)
        target: Any = getattr(models, name, None)
        is_model = isinstance(target, type) and issubclass(target, Model)
        schema = {**(_definition(target, handler) if is_model else _schemas()[name]), **schema}
    return schema


def _definition(cls: type[Model], handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """A reference to the definition of a class, which pydantic adds to the schema."""
    from pydantic import TypeAdapter
    from pydantic_core import core_schema

    if cls in _in_progress.get():
        return handler(core_schema.definition_reference_schema(_ref(cls)))
    # pydantic describes the items of a list by their own class.
    items: dict[str, Any] = handler(core_schema.list_schema(TypeAdapter(cls).core_schema))["items"]
    return items
