"""Checks of arguments: each returns the valid value or raises an error that names the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cometchat_rest.errors import CometChatError, ConfigurationError

CallableT = TypeVar("CallableT", bound=Callable[..., object] | None)

# Upper limits: larger values overflow `time.sleep` or a C integer.
_LONGEST, _LARGEST = 10**6, 2**53


def check_seconds(
    name: str, value: object, refusal: type[CometChatError] = ConfigurationError, *, zero: bool = False
) -> float:
    """A number of seconds that is positive and finite, or 0 if `zero` allows it; the refusal otherwise."""
    allowed = isinstance(value, int | float) and not isinstance(value, bool) and (value > 0 or (zero and value == 0))
    if not isinstance(value, int | float) or not allowed or value > _LONGEST:
        span = f"from 0 to {_LONGEST}" if zero else f"above 0 and up to {_LONGEST}"
        raise refusal(f"{name}: a number of seconds {span} is needed{_not(value)}")
    return float(value)


def check_int(
    name: str,
    value: object,
    *,
    least: int,
    most: int | None = None,
    refusal: type[CometChatError] = ConfigurationError,
) -> int:
    """A whole number that is neither too small nor too large; the refusal otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= (most or _LARGEST):
        span = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise refusal(f"{name}: a whole number {span} is needed{_not(value)}")
    return value


def check_bool(name: str, value: object, refusal: type[CometChatError] = ConfigurationError) -> bool:
    """A boolean; the refusal otherwise: "no" would count as true."""
    if not isinstance(value, bool):
        raise refusal(f"{name}: True or False is needed{_not(value)}")
    return value


def check_callable(name: str, value: CallableT, refusal: type[CometChatError] = ConfigurationError) -> CallableT:
    """Something to call, or `None`; the refusal otherwise."""
    if value is not None and not callable(value):
        raise refusal(f"{name}: something to call is needed{_not(value)}")
    return value


def _not(value: object) -> str:
    # Python refuses to write integers of thousands of digits.
    too_long = isinstance(value, int) and abs(value) > _LARGEST
    return "" if too_long else f", not {repr(value)[:100]}"
