"""Checks of arguments: each raises an error that names the argument if its value is invalid."""

from inspect import iscoroutinefunction
from types import UnionType

from .errors import CometChatError, ConfigurationError, InvalidRequestError

# Upper limits: larger values overflow `time.sleep` or a C integer.
_LONGEST = 10**6
_LARGEST = 2**53


def check_type(
    name: str,
    value: object,
    kind: type | UnionType,
    words: str,
    error: type[CometChatError] = InvalidRequestError,
) -> None:
    """Raise `error` unless an argument is an instance of this class, which `words` name."""
    if not isinstance(value, kind):
        shown = f"the class {_name(value)}" if isinstance(value, type) else _name(type(value))
        raise error(f"must be {words}, not {shown}", argument=name)


def _name(kind: type) -> str:
    """The name of a class, with its module: two libraries may have a `Client`."""
    module = kind.__module__
    return kind.__name__ if module == "builtins" else f"{module}.{kind.__name__}"


def check_seconds(
    name: str, value: object, error: type[CometChatError] = ConfigurationError
) -> float:
    """Return a finite number of seconds above 0; raise `error` for any other value."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _LONGEST:
        return float(value)
    raise error(
        f"must be a number of seconds above 0 and at most {_LONGEST}{but_is(value)}", argument=name
    )


def check_int(
    name: str,
    value: object,
    *,
    least: int,
    most: int | None = None,
    error: type[CometChatError] = ConfigurationError,
) -> None:
    """Raise `error` unless a value is an integer from `least` to `most`."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not least <= value <= (most or _LARGEST)
    ):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise error(f"must be an integer {limits}{but_is(value)}", argument=name)


def check_bool(name: str, value: object, error: type[CometChatError] = ConfigurationError) -> None:
    """Raise `error` unless a value is a boolean. A string such as "no" would count as true."""
    if not isinstance(value, bool):
        raise error(f"must be True or False{but_is(value)}", argument=name)


def check_callable(
    name: str, value: object, error: type[CometChatError] = ConfigurationError
) -> None:
    """Raise `error` unless a value is a callable or `None`. Nobody would await a coroutine
    function."""
    if value is not None and not callable(value):
        raise error(f"must be callable{but_is(value)}", argument=name)
    method = vars(type(value)).get("__call__")
    if iscoroutinefunction(value) or iscoroutinefunction(method):
        raise error(
            "must be a plain function: it is called and not awaited, also by AsyncClient",
            argument=name,
        )


def but_is(value: object) -> str:
    """The end of a text about an invalid value: the value if it is a number, and otherwise its
    type."""
    # A text may be a key in the wrong place. Python refuses to convert integers with thousands of
    # digits to text.
    shown = value if value is None or isinstance(value, int | float) else type(value).__name__
    return "" if isinstance(value, int) and abs(value) > _LARGEST else f", not {shown}"
