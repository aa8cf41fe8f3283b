"""Frames in tracebacks: no local variable of our packages shows a secret, whatever ends a call
or refuses it."""

from typing import Any

import httpx
import pytest

from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_rest import (
    AsyncClient,
    Client,
    ConfigurationError,
    InvalidRequestError,
    NotFoundError,
    TransportError,
)

from ..secret_support import (
    CALLS,
    CREDENTIAL,
    KEY,
    PASSWORD,
    PROXY,
    QUOTED_PASSWORD,
    REFUSING_URL,
    TOKEN,
    WITH_TOKEN,
    assert_bare,
    assert_silent,
    echoing,
    leaks,
    refusal,
    secret_client,
    set_variable,
    texts_of,
)
from ..support import AnyClient, StubTransport, error_from, own_locals, unused_transport


@pytest.mark.parametrize("call", CALLS)
def test_refused_by_the_service(any_client: AnyClient, call: str) -> None:
    """The error of a call shows no key, secret header or token, although the service repeats
    them."""
    chat = secret_client(any_client, base_url=REFUSING_URL, transport=echoing(404, refusal))
    error = error_from(any_client, CALLS[call], chat)
    assert isinstance(error, NotFoundError)
    assert str(error.message).count("[redacted]") == (6 if call in (*WITH_TOKEN, "path") else 4)
    assert_silent(error)


@pytest.mark.parametrize("call", CALLS)
def test_refused_connection(any_client: AnyClient, call: str) -> None:
    """Without a connection, neither the error nor its cause shows a secret."""
    error = error_from(any_client, CALLS[call], secret_client(any_client, base_url=REFUSING_URL))
    assert isinstance(error, TransportError)
    assert error.kind == "connect"
    assert_silent(error)
    assert_bare(error.__cause__)


@pytest.mark.parametrize("call", CALLS)
def test_closed_client(any_client: AnyClient, call: str) -> None:
    """The error of a closed client shows nothing of the call."""
    chat = secret_client(any_client)
    any_client.close(chat)
    error = error_from(any_client, CALLS[call], chat)
    assert isinstance(error, InvalidRequestError)
    assert "closed" in str(error)
    assert_silent(error)


class Interruption(BaseException):
    """Ends a call from outside, as Ctrl-C does."""


@pytest.mark.parametrize("call", [*CALLS, "revoke_all"])
def test_interrupted_call(any_client: AnyClient, call: str) -> None:
    """An interruption passes through a call unchanged, and our frames on its way show no secret."""
    many = {"revoke_all": lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)] * 2)}
    act, raised = (CALLS | many)[call], Interruption()

    def respond(_: httpx.Request) -> httpx.Response:
        raise raised

    async def awaited(chat: Any) -> BaseException:
        with pytest.raises(Interruption) as caught:  # it must not end the event loop of the tests
            await act(chat)
        return caught.value

    chat = secret_client(any_client, base_url=REFUSING_URL, transport=StubTransport(respond))
    in_loop = any_client.kind == "async"
    error = any_client.call(awaited, chat) if in_loop else error_from(any_client, act, chat)
    assert isinstance(error, BaseException)
    assert error is raised
    assert leaks(own_locals(error)) == []


REFUSED: dict[str, Any] = {
    "a token with a slash": lambda chat: chat.auth_tokens.delete("alice", f"{TOKEN}/.."),
    "a token of bytes": lambda chat: chat.auth_tokens.revoke("alice", TOKEN.encode()),
    "a token without a user": lambda chat: chat.auth_tokens.delete("", TOKEN),
    "many tokens, one not a pair": lambda chat: chat.auth_tokens.revoke_all(
        [("alice", TOKEN), TOKEN]
    ),
    "many tokens at once": lambda chat: chat.auth_tokens.revoke_all(
        [("alice", TOKEN)], concurrency=0
    ),
    "a prepared call": lambda chat: chat.api.send(delete_auth_token.prepare("..", TOKEN)),
    "a value of a path": lambda chat: chat.request(
        "GET", "/a/{b}", path_values={"b": f"{TOKEN}/.."}
    ),
    "a value without a name": lambda chat: chat.request("GET", "/a", path_values={"b": TOKEN}),
    "a path with dots": lambda chat: chat.request("GET", f"/a/{KEY}/.."),
    "a path with a wrong value": lambda chat: chat.request(
        "GET", f"/a/{KEY}/{{b}}", path_values={"b": ".."}
    ),
    "a path with its version": lambda chat: chat.request("GET", f"/v3/{KEY}"),
    "a path beside wrong JSON": lambda chat: chat.request("PUT", f"/a/{KEY}", json=object()),
    "a header with a line break": lambda chat: chat.with_options(
        headers={"Authorization": f"{CREDENTIAL}\n"}
    ),
    "a header of the client": lambda chat: chat.with_options(headers={"apikey": KEY}),
    "headers beside a wrong timeout": lambda chat: chat.with_options(
        headers={"Cookie": CREDENTIAL}, timeout=-1
    ),
    "headers beside a wrong uid": lambda chat: chat.with_options(
        headers={"Cookie": CREDENTIAL}, on_behalf_of=""
    ),
}


#: A key in the wrong place by mistake. It is shown by a frame, but not by the error.
MISPLACED: dict[str, Any] = {
    "page": lambda chat: chat.roles.list(page=KEY),
    "interval": lambda chat: chat.reviewed_messages.watch(interval=KEY),
    "method": lambda chat: chat.request(KEY, "/roles"),
    "timeout": lambda chat: chat.with_options(timeout=KEY),
    "uid": lambda chat: chat.with_options(on_behalf_of=f"{KEY}\n"),
    "name": lambda chat: chat.with_options(headers={f"{KEY}\n": "x"}),
}


@pytest.mark.parametrize("call", [*REFUSED, *MISPLACED])
def test_refused_before_sending(any_client: AnyClient, call: str) -> None:
    """The error of an invalid argument repeats no secret, neither of this argument nor of the
    others."""
    chat = secret_client(any_client, base_url=REFUSING_URL, transport=unused_transport())
    error = error_from(any_client, (REFUSED | MISPLACED)[call], chat)
    assert isinstance(error, InvalidRequestError | ConfigurationError)
    assert leaks(texts_of(error)) == []
    if call in REFUSED:
        assert_silent(error)


@pytest.mark.parametrize("make", [Client, AsyncClient])
@pytest.mark.parametrize(
    "wrong",
    [
        *({"api_key": key} for key in ("", f"{KEY}\x00", f"{KEY}é", KEY.encode())),
        *(
            {"headers": headers}
            for headers in ({"Cookie": f"{CREDENTIAL}\n"}, {"apikey": KEY}, {"": "x"})
        ),
        *(
            {"proxy": proxy}
            for proxy in (PROXY.replace("http", "gopher"), f"{PROXY}x", f"http://me:{PASSWORD}@[x")
        ),
        {"timeout": 0},
        {"deadline": 0},
        {"max_retries": -1},
        {"region": "mars"},
        {"on_behalf_of": ""},
        {"on_attempt": 5},
        {"transport": object()},
        {"base_url": "https://chat.example"},
    ],
    ids=lambda wrong: f"{next(iter(wrong))}-{len(str(wrong))}",
)
def test_refused_client(make: Any, wrong: dict[str, Any]) -> None:
    """The error of an invalid setting repeats no secret, neither of this setting nor of the
    others."""
    settings = {
        "app_id": "app",
        "api_key": KEY,
        "headers": {"Authorization": CREDENTIAL},
        "proxy": PROXY,
        **wrong,
    }
    with pytest.raises(ConfigurationError) as caught:
        make(**settings)
    assert_silent(caught.value)


VARIABLES = {
    "COMETCHAT_API_KEY": f"{KEY}\x7f",
    "https_proxy": f"me:{QUOTED_PASSWORD}@x:y",
    "ALL_PROXY": f"gopher://me:{QUOTED_PASSWORD}@x",
}


@pytest.mark.parametrize("make", [Client, AsyncClient])
@pytest.mark.parametrize("variable", VARIABLES)
def test_refused_variable(monkeypatch: pytest.MonkeyPatch, make: Any, variable: str) -> None:
    """The error of an invalid environment variable does not repeat its value, and neither do our
    frames."""
    set_variable(monkeypatch, "COMETCHAT_API_KEY", KEY)
    set_variable(monkeypatch, variable, VARIABLES[variable])
    with pytest.raises(
        ConfigurationError, match=r"COMETCHAT_API_KEY|HTTPS_PROXY or ALL_PROXY"
    ) as caught:
        make(app_id="app")
    assert_silent(caught.value)
