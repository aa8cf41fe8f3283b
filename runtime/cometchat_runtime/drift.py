"""Differences between a response and the description: finds the place, for strict reading and
for reports."""

import sys
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from attrs import frozen

#: The words for the types of scalars.
SCALARS: Mapping[object, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    NoneType: "null",
}
_UNIONS = (Union, UnionType)


@frozen
class Drift:
    """One place where a response differs from `openapi.yaml`. It never contains the value of the
    response.

    Attributes:
        operation: the operation's name, such as `list_roles`.
        pointer: a JSON pointer into the body of the response, such as `/data/3/createdAt`.
        expected: the value that the description requires, in words.
    """

    operation: str
    pointer: str
    expected: str

    @property
    def place(self) -> str:
        """The pointer with `*` in place of each index: the same for every record of a list."""
        return "/".join("*" if part.isdigit() else part for part in self.pointer.split("/"))


def deviations(expected: object, value: object, pointer: str = "") -> Iterator[tuple[str, str]]:
    """The places where a decoded JSON value differs from a type of the generated package, and
    the types in words."""
    origin = get_origin(expected)
    if (required := mismatch(expected, value)) is not None:
        yield pointer, required
    elif hasattr(expected, "JSON_NAMES") and isinstance(value, dict):
        yield from _in_object(expected, value, pointer)
    elif origin is list and isinstance(value, list):
        (inner,) = get_args(expected)
        for index, item in enumerate(value):
            yield from deviations(inner, item, f"{pointer}/{index}")
    elif origin in _UNIONS:
        found = [list(deviations(choice, value, pointer)) for choice in get_args(expected)]
        # A choice without a difference fits; otherwise that with the deepest difference is the best
        # match.
        yield from max(found, key=lambda each: len(each[0][0]) if each else sys.maxsize)


def mismatch(expected: object, value: object) -> str | None:
    """The required value in words if a value itself, without the values in it, is of another
    type."""
    origin = get_origin(expected)
    if hasattr(expected, "JSON_NAMES"):
        return None if isinstance(value, dict) else "an object"
    if origin is list:
        return None if isinstance(value, list) else "an array"
    if origin is Literal:
        return (
            None
            if value in get_args(expected)
            else "one of " + ", ".join(map(repr, get_args(expected)))
        )
    if origin in _UNIONS:
        required = [mismatch(choice, value) for choice in get_args(expected)]
        return None if None in required else required[0]
    return None if _has_type(expected, value) else SCALARS[expected]


def _in_object(expected: Any, value: dict[str, object], pointer: str) -> Iterator[tuple[str, str]]:
    fields, others = fields_of(expected)
    for name, (inner, required) in fields.items():
        if name not in value:
            if required:
                yield f"{pointer}/{escaped(name)}", "present"
        # Most values are texts and numbers of the right type, and this is the fastest way to see
        # it.
        elif type(value[name]) is not inner:
            yield from deviations(inner, value[name], f"{pointer}/{escaped(name)}")
    for name in value.keys() - fields.keys() if others is not Any else ():
        yield from deviations(others, value[name], f"{pointer}/{escaped(name)}")


@cache
def fields_of(expected: Any) -> tuple[dict[str, tuple[object, bool]], object]:
    """For each JSON name of a generated class, its type and whether it is required; and the type
    of other values."""
    hints = get_type_hints(expected)
    fields = {}
    for name, attribute in expected.JSON_NAMES.items():
        choices = get_args(hints[attribute]) if get_origin(hints[attribute]) in _UNIONS else ()
        required = expected.NULLABLE.get(name, NoneType not in choices)
        # An optional field may be absent, but null still differs from the description.
        without_null = name not in expected.NULLABLE and NoneType in choices
        inner = (
            reduce(or_, (c for c in choices if c is not NoneType))
            if without_null
            else hints[attribute]
        )
        fields[name] = (inner, required)
    others = get_type_hints(expected.additional_properties.fget)["return"]
    return fields, get_args(others)[1]


def _has_type(expected: object, value: object) -> bool:
    """Whether a scalar has its type by the rules of JSON Schema: 5.0 is an integer, true is not
    a number."""
    if expected not in SCALARS:
        return True
    if expected in (str, bool, NoneType):
        return type(value) is expected
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return expected is float or isinstance(value, int) or value.is_integer()


def escaped(name: str) -> str:
    """A name as a part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
