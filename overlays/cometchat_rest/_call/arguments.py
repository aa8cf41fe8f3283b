"""The check of arguments against the parameters that the description has (pure)."""

from __future__ import annotations

import json
import sys
from typing import Any

from cometchat_openapi import Call, Parameter
from cometchat_rest._support.checks import check_bool, check_int
from cometchat_rest.errors import InvalidRequestError

# An integer that is not limited may still not be larger: JSON numbers are exact up to here.
_LARGEST, _LARGEST_NUMBER = 2**53, sys.float_info.max


def check_arguments(call: Call[Any]) -> dict[str, object]:
    """Check the arguments of a call; return the values for its path, with each number as a text."""
    path_values = dict(call.path_values)
    for parameter in call.operation.parameters:
        name, kind = parameter.argument, parameter.type
        value = path_values.get(name, call.query.get(parameter.name, call.headers.get(parameter.name)))
        # For texts, the path has rules of its own.
        if value is not None and (name not in path_values or parameter.choices or kind != "string"):
            _check(parameter, value)
        if name in path_values and kind in ("integer", "number", "boolean"):
            path_values[name] = None if value is None else json.dumps(value)
    return path_values


def _check(parameter: Parameter, value: object) -> None:
    name, least, most = parameter.argument, parameter.minimum, parameter.maximum
    if parameter.choices and value not in parameter.choices:
        raise _fault(name, f"one of {', '.join(map(repr, parameter.choices))}", repr(value)[:100])
    match parameter.type:
        case "integer":
            lowest, highest = -_LARGEST if least is None else int(least), None if most is None else int(most)
            check_int(name, value, least=lowest, most=highest, error=InvalidRequestError)
        case "boolean":
            check_bool(name, value, InvalidRequestError)
        case "number":
            _check_number(parameter, value)
        case "string" if not isinstance(value, str):
            raise _fault(name, "a str", type(value).__name__)
        case "array" if not isinstance(value, list | tuple):
            raise _fault(name, "a list", type(value).__name__)


def _check_number(parameter: Parameter, value: object) -> None:
    least, most = parameter.minimum, parameter.maximum
    lowest, highest = -_LARGEST_NUMBER if least is None else least, _LARGEST_NUMBER if most is None else most
    # No comparison with NaN is true.
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
        named = [text for text, limit in ((f"at least {least}", least), (f"at most {most}", most)) if limit is not None]
        limits = f" of {' and '.join(named)}" if named else ""
        raise _fault(parameter.argument, f"a number{limits}", repr(value)[:100])


def _fault(argument: str, expected: str, actual: str) -> InvalidRequestError:
    return InvalidRequestError(f"must be {expected}, not {actual}", argument=argument)
