"""Differences between a response and the description: finds the places, for strict reading and for
reports."""

import sys
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from types import NoneType
from typing import Any, get_args, get_origin

from attrs import frozen

from .model import UNIONS, is_model, mismatch, type_of_others, types_of


@frozen(eq=False, repr=False)
class FieldType:
    """The type of a described field, and whether the field must be present."""

    kind: object
    is_required: bool


@frozen(eq=False, repr=False)
class FieldTypes:
    """The types of the fields of a model, by their JSON names, and of all other fields."""

    fields: Mapping[str, FieldType]
    others: object


def deviations(expected: object, value: object, pointer: str = "") -> Iterator[tuple[str, str]]:
    """The places where a decoded JSON value differs from a type, and the types in words."""
    origin = get_origin(expected)
    required = mismatch(expected, value)
    if required is not None:
        yield pointer, required
    elif is_model(expected) and isinstance(value, dict):
        yield from _in_object(expected, value, pointer)
    elif origin is list and isinstance(value, list):
        (kind,) = get_args(expected)
        for index, item in enumerate(value):
            yield from deviations(kind, item, f"{pointer}/{index}")
    elif origin in UNIONS:
        yield from _in_alternative(get_args(expected), value, pointer)


def _in_alternative(
    choices: tuple[object, ...], value: object, pointer: str
) -> list[tuple[str, str]]:
    """The differences from the best choice: that without a difference, or with the deepest one."""
    results = [list(deviations(choice, value, pointer)) for choice in choices]
    return max(results, key=lambda places: len(places[0][0]) if places else sys.maxsize)


def _in_object(expected: Any, value: dict[str, object], pointer: str) -> Iterator[tuple[str, str]]:
    types = types_of_fields(expected)
    for name, described in types.fields.items():
        if name not in value:
            if described.is_required:
                yield f"{pointer}/{escaped(name)}", "present"
        # Most values are texts and numbers of the right type: this is the fastest way to see it.
        elif type(value[name]) is not described.kind:
            yield from deviations(described.kind, value[name], f"{pointer}/{escaped(name)}")
    if types.others is not Any:
        for name in value.keys() - types.fields.keys():
            yield from deviations(types.others, value[name], f"{pointer}/{escaped(name)}")


@cache
def types_of_fields(model: Any) -> FieldTypes:
    """The types of the fields of a generated class."""
    fields = {}
    for name, attribute in model.JSON_NAMES.items():
        kind = types_of(model)[attribute]
        choices = get_args(kind) if get_origin(kind) in UNIONS else ()
        holder = model.NULLABLE.get(name)
        # An optional field that may be null has a private holder.
        is_required = NoneType not in choices if holder is None else holder == attribute
        # An optional field may be absent, but null still differs from the description.
        if name not in model.NULLABLE and NoneType in choices:
            kind = reduce(or_, (choice for choice in choices if choice is not NoneType))
        fields[name] = FieldType(kind, is_required)
    return FieldTypes(fields, type_of_others(model))


def escaped(name: str) -> str:
    """A name as a part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
