"""The key of the app: from the argument, then from the environment."""

from typing import Any

import pytest

from cometchat_rest import ConfigurationError
from cometchat_rest.endpoint import resolve_api_key

from ..conftest import AnyClient
from ..support import (
    GET,
    KEY,
    ON_PREMISE_URL,
    StubTransport,
    always_respond,
    isolated_client,
    own_locals,
)

SECRET = "hunter2-hunter2"


@pytest.mark.parametrize(
    ("argument", "variable", "sent"),
    [
        (KEY, None, KEY),
        (None, KEY, KEY),
        (KEY, "another-key", KEY),
        (KEY, "", KEY),
        (f" \t{KEY}\r\n", None, KEY),
    ],
)
def test_key_that_is_sent(
    any_client: AnyClient,
    monkeypatch: pytest.MonkeyPatch,
    argument: str | None,
    variable: str | None,
    sent: str,
) -> None:
    """The key comes from the argument, then from the environment, without the white space around
    it."""
    if variable is not None:
        monkeypatch.setenv("COMETCHAT_API_KEY", variable)
    stub = StubTransport(always_respond(200, GET.success))
    with isolated_client(
        any_client, base_url=ON_PREMISE_URL, api_key=argument, transport=stub
    ) as client:
        any_client.call(GET.act, client)
    assert stub.requests[0].headers.get_list("apikey") == [sent]


@pytest.mark.parametrize(
    ("argument", "variable"),
    [
        *((None, variable) for variable in (None, "", " \n")),
        *((argument, KEY) for argument in ("", " ", "\n", " \t")),
    ],
)
def test_missing_or_empty_key_is_refused(
    monkeypatch: pytest.MonkeyPatch, argument: str | None, variable: str | None
) -> None:
    """A key is required. An empty argument does not ask for the key of the environment, which may
    belong to another app."""
    if variable is not None:
        monkeypatch.setenv("COMETCHAT_API_KEY", variable)
    expected = r"api_key \(COMETCHAT_API_KEY\) is missing or empty"
    with pytest.raises(ConfigurationError, match=expected):
        resolve_api_key(argument)


INVALID_KEYS: list[Any] = [
    *[
        f"{SECRET}{bad}x"
        for bad in ("\r\nHost: evil", "\n", "\x00", "\x1b", "\x1f", "\x7f", "é", "\u2028")
    ],
    *[
        f"\ufeff{SECRET}",
        f"{SECRET}\ud800",
        f"{SECRET}\u043a\u043b\u044e\u0447",
        SECRET.encode(),
        5,
    ],
]


@pytest.mark.parametrize("key", INVALID_KEYS, ids=ascii)
def test_key_that_no_header_can_carry_is_refused(any_client: AnyClient, key: Any) -> None:
    """A key that no header can carry is refused, and neither the text nor our frames show it."""
    with (
        pytest.raises(ConfigurationError, match=r"api_key \(COMETCHAT_API_KEY\)") as caught,
        isolated_client(any_client, base_url=ON_PREMISE_URL, api_key=key),
    ):
        pass
    assert SECRET not in repr(caught.value)
    assert caught.value.__context__ is None
    assert SECRET not in own_locals(caught.value)
