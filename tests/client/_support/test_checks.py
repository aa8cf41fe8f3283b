"""Checks of arguments: numbers, seconds, booleans and callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cometchat_rest import CometChatError, ConfigurationError, InvalidRequestError
from cometchat_rest._support.checks import check_bool, check_callable, check_int, check_seconds

from ..support import INVALID_NUMBERS

CHECKS: dict[str, tuple[Callable[..., Any], dict[str, Any], list[Any], list[Any]]] = {
    # The check, its further arguments, valid values, and invalid values.
    "integers": (
        check_int,
        {"least": 1},
        [1, 5, 2**53],
        [*INVALID_NUMBERS, None, 0, 1.0, 1.5, 2**53 + 1],
    ),
    "integers of a range": (check_int, {"least": 1, "most": 100}, [1, 100], [*INVALID_NUMBERS, None, 0, 101, 1.5]),
    "seconds": (check_seconds, {}, [0.001, 1, 10**6], [*INVALID_NUMBERS, None, 0, 0.0, 10**6 + 1]),
    "booleans": (check_bool, {}, [True, False], [0, 1, "no", "", None, []]),
    "callbacks": (check_callable, {}, [print, None], [0, "log", []]),
}


@pytest.mark.parametrize("refusal", [ConfigurationError, InvalidRequestError])
@pytest.mark.parametrize(("check", "arguments", "valid", "invalid"), CHECKS.values(), ids=CHECKS)
def test_invalid_argument_is_refused(
    check: Callable[..., Any],
    arguments: dict[str, Any],
    valid: list[Any],
    invalid: list[Any],
    refusal: type[CometChatError],
) -> None:
    """A valid value is returned. An invalid value is an error of the given class that names the argument."""
    for value in valid:
        assert check("argument", value, **arguments, refusal=refusal) == value
    for value in invalid:
        with pytest.raises(refusal, match=r"^argument: "):
            check("argument", value, **arguments, refusal=refusal)
