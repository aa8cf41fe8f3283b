"""The check of arguments against the parameters that the description has (pure)."""

from __future__ import annotations

import sys
from typing import Any

from cometchat_openapi import Call, Parameter
from cometchat_rest._support.checks import check_bool, check_int
from cometchat_rest.errors import InvalidRequestError

# An integer that is not limited may still not be larger: JSON numbers are exact up to here.
_LARGEST = 2**53


def check_arguments(call: Call[Any]) -> None:
    """Check the query of a call."""
    for parameter in call.operation.parameters:
        value = call.query.get(parameter.name)
        if value is not None:
            _check(parameter, value)


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
    if not _in_range(value, least, most):
        named = [text for text, limit in ((f"at least {least}", least), (f"at most {most}", most)) if limit is not None]
        limits = f" of {' and '.join(named)}" if named else ""
        raise _fault(parameter.argument, f"a number{limits}", repr(value)[:100])


def _in_range(value: object, least: float | None, most: float | None) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # No comparison with NaN is true.
    finite = abs(value) <= sys.float_info.max
    return finite and (least is None or value >= least) and (most is None or value <= most)


def _fault(argument: str, expected: str, actual: str) -> InvalidRequestError:
    return InvalidRequestError(f"must be {expected}, not {actual}", argument=argument)
