"""Replaces each value of a JSON document with a neutral value of the same type, so that only the
structure is left."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from cometchat_runtime.drift import deviations, types_of_fields

#: The name in place of a name that may be an identifier; a second value of another type has the
#: name `**`.
HIDDEN = "*"
# Names of fields have no digits and no hyphens; most identifiers and secrets do.
_NAME = re.compile(r"(?=.{1,40}$)[A-Za-z]+(?:_[A-Za-z]+)*")
# An object with more unknown fields is probably a map, and its names are identifiers.
_MOST_UNKNOWN = 20


def outline(expected: object, document: object, private: Iterable[str]) -> object:
    """Return a document without its values. The outline of an outline is the same.

    Names that the description has are kept. The name of an unknown field is kept if it looks like
    the name of a field and is not private. The names in a free-form object, such as `metadata`, are
    never kept, nor is the content of an unknown field. Equal outlines in an array are kept once.

    Args:
        expected: the class of the generated package that describes the document.
        document: the decoded JSON.
        private: texts that must not be kept as names, such as the values of the document.
    """
    hidden = {text.casefold() for text in private}
    return _outline(
        expected,
        document,
        lambda name: bool(_NAME.fullmatch(name)) and name.casefold() not in hidden,
    )


def texts(document: object) -> Iterator[str]:
    """Yield every text that is a value of a JSON document."""
    # A loop instead of recursion: a response may be nested as deeply as the parser allows.
    rest = [document]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            rest += value.values() if isinstance(value, dict) else value


def _outline(expected: Any, value: object, is_public: Callable[[str], bool]) -> object:
    origin = get_origin(expected)
    if origin in (Union, UnionType):
        return _outline(_best_fit(get_args(expected), value), value, is_public)
    if hasattr(expected, "JSON_NAMES") and isinstance(value, dict):
        return _object(expected, value, is_public)
    if origin is list and isinstance(value, list):
        (inner,) = get_args(expected)
        return _distinct(_outline(inner, each, is_public) for each in value)
    if origin is Literal and value in get_args(expected):
        return get_args(expected)[0]
    return _neutral(value)


def _best_fit(choices: tuple[object, ...], value: object) -> object:
    """The first alternative that describes a value, at least without its content."""
    return next(
        (each for each in choices if all(pointer for pointer, _ in deviations(each, value))),
        choices[0],
    )


def _object(
    expected: Any, value: dict[str, object], is_public: Callable[[str], bool]
) -> dict[str, object]:
    types = types_of_fields(expected)
    others = types.others
    fields = {name: (each.kind, each.is_required) for name, each in types.fields.items()}
    known = {
        name: _outline(inner, value[name], is_public)
        for name, (inner, _) in fields.items()
        if name in value
    }
    unknown = {
        name: _outline(others, value[name], is_public)
        for name in sorted(value.keys() - fields.keys())
    }
    if not fields or len(unknown) > _MOST_UNKNOWN:
        return {**known, **_hidden(unknown.values())}
    shown = {name: each for name, each in unknown.items() if is_public(name)}
    return {
        **known,
        **shown,
        **_hidden(each for name, each in unknown.items() if name not in shown),
    }


def _hidden(values: Iterable[object]) -> dict[str, object]:
    """Values without their names, each once."""
    return {HIDDEN * number: each for number, each in enumerate(_distinct(values), 1)}


def _distinct(values: Iterable[object]) -> list[object]:
    """Each value once, in the order of its first occurrence."""
    return list({json.dumps(each, sort_keys=True): each for each in values}.values())


def _neutral(value: object) -> object:
    if isinstance(value, float):
        # By the rules of JSON Schema, 5.0 is an integer.
        return 1.0 if value.is_integer() else 0.5
    neutral: dict[type, object] = {str: "<text>", bool: False, int: 0, dict: {}, list: []}
    return neutral.get(type(value))
