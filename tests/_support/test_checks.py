"""Checks of arguments: valid values are returned, and the errors for other values say what is wrong."""

from typing import Any

import pytest

from cometchat_rest import ConfigurationError, InvalidRequestError
from cometchat_rest._support.checks import check_bool, check_callable, check_int, check_seconds


@pytest.mark.parametrize("value", [0.001, 1, 30.0, 10**6])
def test_valid_seconds(value: float) -> None:
    """A positive number of seconds is returned as a float."""
    seconds = check_seconds("interval", value)
    assert (seconds, type(seconds)) == (value, float)


@pytest.mark.parametrize("value", [0, -1, 10**6 + 1, float("nan"), float("inf"), True, None, "30"], ids=repr)
def test_invalid_seconds(value: Any) -> None:
    """Another value is refused; the error names the argument, the limits and the value, or the type of a text."""
    with pytest.raises(ConfigurationError) as caught:
        check_seconds("interval", value)
    shown = "str" if isinstance(value, str) else repr(value)
    assert str(caught.value) == f"interval must be a number of seconds above 0 and at most 1000000, not {shown}"


@pytest.mark.parametrize(("value", "least", "most"), [(0, 0, None), (1, 1, 1), (2**53, 1, None), (1000, 1, 1000)])
def test_valid_integer(value: int, least: int, most: int | None) -> None:
    """An integer within the limits is returned."""
    assert check_int("limit", value, least=least, most=most) == value


@pytest.mark.parametrize("value", [0, -1, True, 1.0, "5", None], ids=repr)
def test_invalid_integer(value: Any) -> None:
    """Another value is refused; the error names the argument, the limits and the value, or the type of a text."""
    shown = "str" if isinstance(value, str) else repr(value)
    with pytest.raises(ConfigurationError) as caught:
        check_int("limit", value, least=1)
    assert str(caught.value) == f"limit must be an integer of at least 1, not {shown}"
    with pytest.raises(ConfigurationError) as caught:
        check_int("limit", value, least=1, most=9)
    assert str(caught.value) == f"limit must be an integer from 1 to 9, not {shown}"


@pytest.mark.parametrize("value", [2**53 + 1, 10**5000], ids=["2**53 + 1", "10**5000"])
def test_too_large_integer(value: int) -> None:
    """The error for an integer that is too large does not contain its digits."""
    with pytest.raises(ConfigurationError, match=r"^limit must be an integer of at least 1$"):
        check_int("limit", value, least=1)
    with pytest.raises(ConfigurationError, match=r"^limit must be a number of seconds above 0 and at most 1000000$"):
        check_seconds("limit", value)


def test_booleans() -> None:
    """Only True and False are booleans."""
    assert [check_bool("strict", value) for value in (True, False)] == [True, False]
    for value, shown in (("no", "str"), (0, "0"), (1, "1"), (None, "None")):
        with pytest.raises(ConfigurationError, match=rf"^strict must be True or False, not {shown}$"):
            check_bool("strict", value)


def test_callables() -> None:
    """A callable or None is returned unchanged; another value is refused."""
    assert check_callable("on_error", print) is print
    assert check_callable("on_error", None) is None
    text: Any = "print"
    with pytest.raises(ConfigurationError, match=r"^on_error must be callable, not str$"):
        check_callable("on_error", text)


def test_error_type() -> None:
    """The caller chooses the type of the error."""
    text: Any = "x"
    for check in (check_seconds, check_bool, check_callable):
        with pytest.raises(InvalidRequestError):
            check("name", text, InvalidRequestError)
    with pytest.raises(InvalidRequestError):
        check_int("name", text, least=1, error=InvalidRequestError)
