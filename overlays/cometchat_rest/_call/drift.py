"""How an answer departs from the description: the way to name the place, for strict reading and for reports."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from attrs import frozen

log = logging.getLogger("cometchat_rest._call.drift")

_SCALARS: Mapping[object, str] = {str: "a string", int: "an integer", float: "a number", bool: "a boolean"}


@frozen
class Drift:
    """One place where an answer departs from `openapi.yaml`. The value found there is never part of it.

    Attributes:
        operation: the operation's name, such as `list_roles`.
        pointer: a JSON pointer into the answer's body, such as `/data/3/createdAt`.
        expected: what the description says, in words.
    """

    operation: str
    pointer: str
    expected: str

    @property
    def place(self) -> str:
        """The pointer with `*` for each index, the same for every record of a list."""
        return "/".join("*" if part.isdigit() else part for part in self.pointer.split("/"))


def deviations(form: object, value: object, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Where a decoded JSON value departs from a type of the generated package.

    Args:
        form: a generated class, `list[...]`, a union, a `Literal`, or a scalar type.
        value: what came.
        pointer: where `value` stands in the whole body.

    Yields:
        A JSON pointer and what the description says of that place, in the order of the description.
    """
    origin = get_origin(form)
    if hasattr(form, "JSON_NAMES"):
        if isinstance(value, dict):
            yield from _in_object(form, value, pointer)
        else:
            yield pointer, "an object"
    elif origin is list:
        if isinstance(value, list):
            (inner,) = get_args(form)
            for index, each in enumerate(value):
                yield from deviations(inner, each, f"{pointer}/{index}")
        else:
            yield pointer, "an array"
    elif origin in (Union, UnionType):
        choices = [list(deviations(choice, value, pointer)) for choice in get_args(form)]
        if all(choices):
            # The choice that got furthest is the one that was meant.
            yield from max(choices, key=lambda found: len(found[0][0]))
    elif origin is Literal:
        if value not in get_args(form):
            yield pointer, "one of " + ", ".join(map(repr, get_args(form)))
    elif form in _SCALARS and not _is(form, value):
        yield pointer, _SCALARS[form]


def _in_object(form: Any, value: dict[str, object], pointer: str) -> Iterator[tuple[str, str]]:
    fields, others = _fields(form)
    for name, (inner, required) in fields.items():
        place = f"{pointer}/{_escape(name)}"
        if name in value:
            yield from deviations(inner, value[name], place)
        elif required:
            yield place, "present"
    for name in value.keys() - fields.keys() if others is not Any else ():
        yield from deviations(others, value[name], f"{pointer}/{_escape(name)}")


@cache
def _fields(form: Any) -> tuple[dict[str, tuple[object, bool]], object]:
    """Type and necessity of each JSON name of a generated class, and the type of its other values."""
    hints = get_type_hints(form)
    fields = {}
    for name, attribute in form.JSON_NAMES.items():
        choices = get_args(hints[attribute]) if get_origin(hints[attribute]) in (Union, UnionType) else ()
        required = NoneType not in choices
        # An optional field may be absent; there, too, null is not what the description says.
        inner = hints[attribute] if required else reduce(or_, (c for c in choices if c is not NoneType))
        fields[name] = (inner, required)
    others = get_type_hints(form.additional_properties.fget)["return"]
    return fields, get_args(others)[1]


def _is(form: object, value: object) -> bool:
    """Whether a JSON scalar is of a type, as JSON Schema counts: 5.0 is an integer, true is no number."""
    if form is str or form is bool:
        return type(value) is form
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return form is float or isinstance(value, int) or value.is_integer()


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


_reported: dict[tuple[str, str], Drift] = {}


def report(drift: Drift) -> None:
    """Log a deviation once in the life of the process: a page of a thousand odd records is one line."""
    # In one step, for any number of threads: a lock could be held by one that a child process does not have.
    if _reported.setdefault((drift.operation, drift.place), drift) is not drift:
        return
    log.warning(
        "contract.drift: the answer to %s departs from the description at %s: not %s",
        drift.operation,
        drift.pointer,
        drift.expected,
        extra={"event": "contract.drift", "operation": drift.operation, "pointer": drift.pointer},
    )
