"""Checks of arguments: valid values are returned, and the errors for other values say what is
wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from cometchat_rest import (
    Client,
    CometChatError,
    ConfigurationError,
    InvalidRequestError,
    KeywordPlan,
    keyword_input,
)
from cometchat_runtime.checks import check_bool, check_callable, check_int, check_seconds

from ..conftest import AnyClient
from ..support import KEY, ON_PREMISE_URL, unused_transport

Check = Callable[..., Any]
SECONDS, POSITIVE = partial(check_seconds, "limit"), partial(check_int, "limit", least=1)
SMALL, FLAG, HOOK = (
    partial(POSITIVE, most=9),
    partial(check_bool, "limit"),
    partial(check_callable, "limit"),
)


@pytest.mark.parametrize(
    ("check", "value"),
    [
        *((SECONDS, value) for value in (0.001, 1, 30.0, 10**6)),
        *((POSITIVE, value) for value in (1, 2**53)),
        *((SMALL, value) for value in (1, 9)),
        *((FLAG, value) for value in (True, False)),
        *((HOOK, value) for value in (print, None)),
    ],
)
def test_valid_value_passes(check: Check, value: Any) -> None:
    """A valid value passes, and a number of seconds is returned as a float."""
    result = check(value)
    if check is SECONDS:
        assert (result, type(result)) == (value, float)
    else:
        assert result is None


NUMBER = "a number of seconds above 0 and at most 1000000"
REFUSED: list[tuple[Check, str, list[Any]]] = [
    (
        SECONDS,
        f"must be {NUMBER}",
        [0, -1, 10**6 + 1, float("nan"), float("inf"), True, None, "30"],
    ),
    (POSITIVE, "must be an integer of at least 1", [0, -1, True, 1.0, "5", None]),
    (SMALL, "must be an integer from 1 to 9", [0, -1, 10, True, 1.0, "5", None]),
    (FLAG, "must be True or False", ["no", 0, 1, None]),
    (HOOK, "must be callable", ["print", 5]),
]


@pytest.mark.parametrize("error", [ConfigurationError, InvalidRequestError])
@pytest.mark.parametrize(
    ("check", "text", "value"), [(*case, value) for *case, values in REFUSED for value in values]
)
def test_invalid_value_is_refused(
    check: Check, text: str, value: Any, error: type[CometChatError]
) -> None:
    """The error for another value names the argument, the limits and the value, or only the type of
    a text. The caller can choose its type."""
    shown = "str" if isinstance(value, str) else repr(value)
    with pytest.raises(error) as caught:
        check(value, error=error)
    assert str(caught.value) == f"limit {text}, not {shown}"
    assert (caught.value.argument, caught.value.reason) == ("limit", f"{text}, not {shown}")


@pytest.mark.parametrize(
    ("check", "text"), [(POSITIVE, "an integer of at least 1"), (SECONDS, NUMBER)]
)
@pytest.mark.parametrize("value", [2**53 + 1, 10**5000])
def test_too_large_integer(check: Check, text: str, value: int) -> None:
    """The error for an integer that is too large does not contain its digits."""
    with pytest.raises(ConfigurationError, match=rf"^limit must be {text}$"):
        check(value)


CALLS: dict[str, Callable[[Any], Any]] = {
    "tokens": lambda chat: chat.auth_tokens.revoke_all(None),
    "path_values": lambda chat: chat.request("GET", "/users/{a}", path_values="ab"),
    "plan": lambda chat: chat.keywords.apply("profanity-list"),
    "headers": lambda chat: chat.with_options(headers="ab"),
    "keyword_list": lambda _: keyword_input.list_entries(None),  # type: ignore[arg-type]
    "keyword_list ": lambda _: KeywordPlan.compare("profanity-list", None, ["spam"]),  # type: ignore[arg-type]
    "keyword_list  ": lambda _: keyword_input.from_keyword_list({"category": "word"}),  # type: ignore[arg-type]
    "new": lambda _: keyword_input.entries_of({"category": "word"}),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("argument", CALLS)
def test_argument_of_another_type(any_client: AnyClient, argument: str) -> None:
    """An argument of a wrong type is an invalid request that names it, and nothing is sent."""
    with pytest.raises(InvalidRequestError, match=rf"^{argument.strip()} must be ") as caught:
        any_client.call(CALLS[argument], any_client.client(transport=unused_transport()))
    assert caught.value.argument == argument.strip()


def test_stop_is_an_event() -> None:
    """The end of a watch is an event, and any other value is refused before the watch begins."""
    with (
        Client(base_url=ON_PREMISE_URL, api_key=KEY) as chat,
        pytest.raises(InvalidRequestError, match=r"^stop must"),
    ):
        chat.reviewed_messages.watch(stop=5)  # type: ignore[arg-type]
