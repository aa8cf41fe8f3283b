"""The check of arguments: those of a described operation, and those of `Client.request` (pure)."""

import sys
from collections.abc import Mapping
from types import UnionType

from .checks import but_is
from .errors import InvalidRequestError
from .operation import Call, Operation, Parameter
from .options import Options
from .paths import is_template, names_in
from .secrets import Secret, hide

# Integers of JSON are exact up to here.
_LARGEST_INTEGER = 2**53
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


# The types of a description: in words, and as classes.
_TYPES: Mapping[str | None, tuple[str, type | UnionType]] = {
    "integer": ("an integer", int),
    "number": ("a number", int | float),
    "boolean": ("True or False", bool),
    "string": ("a str", str),
    "array": ("a list", list | tuple),
}
_ANY = ("a value", object)


def check_arguments(call: Call[object]) -> None:
    """Check the arguments of a call against the parameters that the description has."""
    for parameter in call.operation.parameters:
        value = _argument(call, parameter)
        # The path has rules for all its texts.
        if value is not None and not isinstance(value, Secret) and not _fits(parameter, value):
            raise _refusal(parameter, value)


def _argument(call: Call[object], parameter: Parameter) -> object:
    if parameter.argument in call.path_values:
        return call.path_values[parameter.argument]
    return call.query.get(parameter.name, call.headers.get(parameter.name))


def _fits(parameter: Parameter, value: object) -> bool:
    if parameter.choices and value not in parameter.choices:
        return False
    return _has_type(parameter, value) and _is_in_range(parameter, value)


def _has_type(parameter: Parameter, value: object) -> bool:
    # A boolean is an integer in Python, and not in JSON.
    if isinstance(value, bool):
        return parameter.type in ("boolean", None)
    _, classes = _TYPES.get(parameter.type, _ANY)
    return isinstance(value, classes)


def _is_in_range(parameter: Parameter, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    largest = _LARGEST_INTEGER if parameter.type == "integer" else sys.float_info.max
    least = -largest if parameter.minimum is None else parameter.minimum
    most = largest if parameter.maximum is None else parameter.maximum
    # No comparison with NaN is true.
    return least <= value <= most


def _refusal(parameter: Parameter, value: object) -> InvalidRequestError:
    if parameter.choices:
        expected = f"one of {', '.join(map(repr, parameter.choices))}"
        # A short text is a misspelt choice, and not a secret.
        shown = f", not {value!r}"[:100] if isinstance(value, str) else but_is(value)
    else:
        words, _ = _TYPES.get(parameter.type, _ANY)
        expected = words + _limits(parameter)
        shown = but_is(value)
    return InvalidRequestError(f"must be {expected}{shown}", argument=parameter.argument)


def _limits(parameter: Parameter) -> str:
    limits = []
    if parameter.minimum is not None:
        limits.append(f"at least {parameter.minimum}")
    if parameter.maximum is not None:
        limits.append(f"at most {parameter.maximum}")
    return f" of {' and '.join(limits)}" if limits else ""


def other_call(
    method: str,
    path: Secret,
    path_values: Mapping[str, Secret],
    query: Mapping[str, object] | None,
    json: object,
    options: Options,
) -> Call[object]:
    """The call of an operation that the description lacks, for `Client.request`.

    The name of the operation shows no secret of the options.
    """
    if method not in _METHODS:
        raise InvalidRequestError(f"must be one of {', '.join(_METHODS)}", argument="method")
    _check_path(path, options.service.base_path)
    if names_in(path.reveal()) != set(path_values):
        raise InvalidRequestError(
            "must have exactly the names in the braces of path", argument="path_values"
        )
    query = {} if query is None else query
    _check_query(query)
    operation: Operation[object] = Operation(
        name=f"{method} {hide(path.reveal(), options.secrets)}",
        method=method,
        path=path.reveal(),
        success=((200, 299),),
        result=object,
    )
    return Call(operation, path_values=path_values, query=dict(query), json=json)


def _check_path(path: Secret, base_path: str) -> None:
    if not is_template(path.reveal()):
        raise InvalidRequestError(
            "must be a path below the base URL, such as '/items/{item_id}': it begins with one"
            " slash, and has no empty segment, no '.' or '..' and no query; give values with"
            " path_values and query",
            argument="path",
        )
    if path.reveal().startswith(f"{base_path}/"):
        raise InvalidRequestError(
            f"must not begin with {base_path}, because the base URL ends in it: leave it out",
            argument="path",
        )


def _check_query(fields: object) -> None:
    if not isinstance(fields, Mapping) or not all(map(_is_name, fields)):
        raise InvalidRequestError("must be a mapping of names to values", argument="query")
    for name, value in fields.items():
        values = value if isinstance(value, list | tuple) else [value]
        if value is not None and not all(isinstance(item, str | int | float) for item in values):
            raise InvalidRequestError(
                f"{name!r} must be a text, a number or a boolean", argument="query"
            )


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name != ""
