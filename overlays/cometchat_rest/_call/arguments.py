"""The check of arguments against the parameters that the description has (pure)."""

from __future__ import annotations

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
    name = parameter.argument
    if parameter.choices and value not in parameter.choices:
        choices = ", ".join(map(repr, parameter.choices))
        raise InvalidRequestError(f"must be one of {choices}, not {repr(value)[:100]}", argument=name)
    if parameter.type == "integer":
        least = -_LARGEST if parameter.minimum is None else int(parameter.minimum)
        most = None if parameter.maximum is None else int(parameter.maximum)
        check_int(name, value, least=least, most=most, error=InvalidRequestError)
    elif parameter.type == "boolean":
        check_bool(name, value, InvalidRequestError)
    elif parameter.type == "string" and not isinstance(value, str):
        raise InvalidRequestError(f"must be a str, not {type(value).__name__}", argument=name)
    elif parameter.type == "array" and not isinstance(value, list | tuple):
        raise InvalidRequestError(f"must be a list, not {type(value).__name__}", argument=name)
    elif parameter.type == "number" and not _in_range(parameter, value):
        low, high = parameter.minimum, parameter.maximum
        span = "".join(
            [f" of at least {low}" if low is not None else "", f" of at most {high}" if high is not None else ""]
        )
        raise InvalidRequestError(f"must be a number{span}, not {repr(value)[:100]}", argument=name)


def _in_range(parameter: Parameter, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    least, most = parameter.minimum, parameter.maximum
    return (least is None or value >= least) and (most is None or value <= most)
