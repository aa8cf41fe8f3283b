"""The check of arguments: those of a described operation, and those of `Client.request` (pure)."""

import re
import sys
from collections.abc import Iterable, Mapping

from cometchat_openapi import Call, Operation, Parameter
from cometchat_runtime.checks import but_is
from cometchat_runtime.errors import InvalidRequestError
from cometchat_runtime.secrets import Secret, hide

from .paths import is_template

# Each type of a description: in words, and as classes.
_TYPES: Mapping[str | None, tuple[str, tuple[type, ...]]] = {
    "integer": ("an integer", (int,)),
    "number": ("a number", (int, float)),
    "boolean": ("True or False", (bool,)),
    "string": ("a str", (str,)),
    "array": ("a list", (list, tuple)),
}
# JSON numbers are exact up to here.
_LARGEST = 2**53
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_BASE_PATH = "/v3"
_NAME = re.compile(r"\{(\w+)\}")


def check_arguments(call: Call[object]) -> None:
    """Check the arguments of a call against the parameters that the description has."""
    for parameter in call.operation.parameters:
        fallback = call.query.get(parameter.name, call.headers.get(parameter.name))
        value = call.path_values.get(parameter.argument, fallback)
        # The path has rules for all its texts.
        if value is not None and not isinstance(value, Secret):
            _check(parameter, value)


def _check(parameter: Parameter, value: object) -> None:
    word, classes = _TYPES.get(parameter.type, ("value", (object,)))
    # A boolean is an integer in Python, and not in JSON.
    fits = isinstance(value, classes) and (
        parameter.type in ("boolean", None) or not isinstance(value, bool)
    )
    least, most = parameter.minimum, parameter.maximum
    if fits and isinstance(value, int | float) and not isinstance(value, bool):
        # No comparison with NaN is true.
        largest = _LARGEST if parameter.type == "integer" else sys.float_info.max
        fits = (
            (-largest if least is None else least) <= value <= (largest if most is None else most)
        )
    if not fits or (parameter.choices and value not in parameter.choices):
        limits = [
            f"at least {least}" if least is not None else "",
            f"at most {most}" if most is not None else "",
        ]
        words = f"{word} of {' and '.join(filter(None, limits))}" if any(limits) else word
        expected = (
            f"one of {', '.join(map(repr, parameter.choices))}" if parameter.choices else words
        )
        is_misspelt = bool(parameter.choices) and isinstance(value, str)
        given = f", not {value!r}"[:100] if is_misspelt else but_is(value)
        raise InvalidRequestError(f"must be {expected}{given}", argument=parameter.argument)


def other_call(
    method: str,
    path: Secret,
    path_values: Mapping[str, Secret],
    query: Mapping[str, object],
    json: object,
    secrets: Iterable[Secret],
) -> Call[object]:
    """The call of an operation that openapi.yaml lacks, for `Client.request`; its name shows
    none of the secrets."""
    if method not in _METHODS:
        raise InvalidRequestError(f"must be one of {', '.join(_METHODS)}", argument="method")
    if not is_template(path.reveal()):
        reason = (
            "must be a path below the base URL, such as '/users/{uid}': it begins with one slash,"
            " and has no empty segment, no '.' or '..' and no query; give values with path_values"
            " and query"
        )
        raise InvalidRequestError(reason, argument="path")
    if path.reveal().startswith(f"{_BASE_PATH}/"):
        reason = f"must not begin with {_BASE_PATH}, because the base URL ends in it: leave it out"
        raise InvalidRequestError(reason, argument="path")
    if set(_NAME.findall(path.reveal())) != set(path_values):
        raise InvalidRequestError(
            "must have exactly the names in the braces of path", argument="path_values"
        )
    operation: Operation[object] = Operation(
        name=f"{method} {hide(path.reveal(), secrets)}",
        method=method,
        path=path.reveal(),
        success=((200, 299),),
        result=object,
    )
    return Call(operation, path_values=path_values, query=_checked_query(query), json=json)


def _checked_query(fields: object) -> dict[str, object]:
    if not isinstance(fields, Mapping) or not all(
        isinstance(each, str) and each for each in fields
    ):
        raise InvalidRequestError("must be a mapping of names to values", argument="query")
    for each, value in fields.items():
        values = value if isinstance(value, list | tuple) else [] if value is None else [value]
        if not all(isinstance(single, str | int | float) for single in values):
            raise InvalidRequestError(
                f"{each!r} must be a text, a number or a boolean", argument="query"
            )
    return dict(fields)
