"""Replaces each value of a JSON document with a neutral value of the same type, so that only the
structure is left."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from attrs import frozen

from .client import deviations, types_of_fields

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
    hidden = frozenset(text.casefold() for text in private)
    return _Outliner(hidden).outline(expected, document)


def texts(document: object) -> Iterator[str]:
    """Yield every text that is a value of a JSON document."""
    # A loop instead of recursion: a response may be nested as deeply as the parser allows.
    rest = [document]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)


@frozen
class _Outliner:
    """Makes outlines in which no private text, in lower case, is the name of an unknown field."""

    _private: frozenset[str]

    def outline(self, expected: Any, value: object) -> object:
        origin = get_origin(expected)
        if origin in (Union, UnionType):
            return self.outline(_best_fit(get_args(expected), value), value)
        if hasattr(expected, "JSON_NAMES") and isinstance(value, dict):
            return self._object(expected, value)
        if origin is list and isinstance(value, list):
            (item_type,) = get_args(expected)
            return _distinct(self.outline(item_type, item) for item in value)
        if origin is Literal and value in get_args(expected):
            return get_args(expected)[0]
        return _neutral(value)

    def _object(self, expected: Any, value: dict[str, object]) -> dict[str, object]:
        types = types_of_fields(expected)
        unknown_names = sorted(value.keys() - types.fields.keys())
        is_map = not types.fields or len(unknown_names) > _MOST_UNKNOWN
        shown: dict[str, object] = {}
        for name, field in types.fields.items():
            if name in value:
                shown[name] = self.outline(field.kind, value[name])
        hidden = []
        for name in unknown_names:
            content = self.outline(types.others, value[name])
            if is_map or not self._is_public(name):
                hidden.append(content)
            else:
                shown[name] = content
        for number, content in enumerate(_distinct(hidden), start=1):
            shown[HIDDEN * number] = content
        return shown

    def _is_public(self, name: str) -> bool:
        looks_like_a_field = _NAME.fullmatch(name) is not None
        return looks_like_a_field and name.casefold() not in self._private


def _best_fit(choices: tuple[object, ...], value: object) -> object:
    """The first alternative that describes a value, at least without its content."""
    for choice in choices:
        if all(pointer for pointer, _ in deviations(choice, value)):
            return choice
    return choices[0]


def _distinct(values: Iterable[object]) -> list[object]:
    """Each value once, in the order of its first occurrence."""
    by_content = {json.dumps(value, sort_keys=True): value for value in values}
    return list(by_content.values())


def _neutral(value: object) -> object:
    if isinstance(value, float):
        # By the rules of JSON Schema, 5.0 is an integer.
        return 1.0 if value.is_integer() else 0.5
    neutral: dict[type, object] = {
        str: "<text>",
        bool: False,
        int: 0,
        dict: {},
        list: [],
    }
    return neutral.get(type(value))
