"""Differences between a response and the description: finds the place, for strict reading and for reports."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from attrs import frozen

log = logging.getLogger("cometchat_rest._call.drift")

#: The words for the types of scalars.
SCALARS: Mapping[object, str] = {str: "a string", int: "an integer", float: "a number", bool: "a boolean"}


@frozen
class Drift:
    """One place where a response differs from `openapi.yaml`. It never contains the value of the response.

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
    """The places where a decoded JSON value differs from a type of the generated package.

    Args:
        expected: a generated class, `list[...]`, a union, a `Literal`, or a scalar type.
        value: the value of the response.
        pointer: the place of `value` in the whole body.

    Yields:
        A JSON pointer and the required value in words, in the order of the description.
    """
    origin = get_origin(expected)
    if hasattr(expected, "JSON_NAMES"):
        if isinstance(value, dict):
            yield from _in_object(expected, value, pointer)
        else:
            yield pointer, "an object"
    elif origin is list:
        if isinstance(value, list):
            (inner,) = get_args(expected)
            for index, each in enumerate(value):
                yield from deviations(inner, each, f"{pointer}/{index}")
        else:
            yield pointer, "an array"
    elif origin in (Union, UnionType):
        yield from _in_union(get_args(expected), value, pointer)
    elif origin is Literal:
        if value not in get_args(expected):
            yield pointer, "one of " + ", ".join(map(repr, get_args(expected)))
    elif expected in SCALARS and not _has_type(expected, value):
        yield pointer, SCALARS[expected]


def _in_union(choices: tuple[object, ...], value: object, pointer: str) -> Iterator[tuple[str, str]]:
    differences = [list(deviations(choice, value, pointer)) for choice in choices]
    if all(differences):
        # The choice with the deepest difference is the best match.
        yield from max(differences, key=lambda found: len(found[0][0]))


def _in_object(expected: Any, value: dict[str, object], pointer: str) -> Iterator[tuple[str, str]]:
    fields, others = fields_of(expected)
    for name, (inner, required) in fields.items():
        place = f"{pointer}/{escaped(name)}"
        if name in value:
            yield from deviations(inner, value[name], place)
        elif required:
            yield place, "present"
    for name in value.keys() - fields.keys() if others is not Any else ():
        yield from deviations(others, value[name], f"{pointer}/{escaped(name)}")


@cache
def fields_of(expected: Any) -> tuple[dict[str, tuple[object, bool]], object]:
    """For each JSON name of a generated class, its type and whether it is required; and the type of other values."""
    hints = get_type_hints(expected)
    fields = {}
    for name, attribute in expected.JSON_NAMES.items():
        choices = get_args(hints[attribute]) if get_origin(hints[attribute]) in (Union, UnionType) else ()
        required = NoneType not in choices
        # An optional field may be absent, but null still differs from the description.
        inner = hints[attribute] if required else reduce(or_, (c for c in choices if c is not NoneType))
        fields[name] = (inner, required)
    others = get_type_hints(expected.additional_properties.fget)["return"]
    return fields, get_args(others)[1]


def _has_type(expected: object, value: object) -> bool:
    """Whether a JSON scalar has a type, by the rules of JSON Schema: 5.0 is an integer, true is not a number."""
    if expected is str or expected is bool:
        return type(value) is expected
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return expected is float or isinstance(value, int) or value.is_integer()


def escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


_reported: dict[tuple[str, str], Drift] = {}


def report(drift: Drift) -> None:
    """Log a difference once in the life of the process: a page of a thousand such records is one line."""
    # One atomic step instead of a lock: after a fork, a thread that does not exist in the child could hold the lock.
    if _reported.setdefault((drift.operation, drift.place), drift) is not drift:
        return
    log.warning(
        "contract.drift: the response to %s differs from the description at %s: not %s",
        drift.operation,
        drift.pointer,
        drift.expected,
        extra={"event": "contract.drift", "operation": drift.operation, "pointer": drift.pointer},
    )
