"""Secrets in errors, records, reprs and pickles: whatever the service sends, nothing shows them."""

import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.pretty import pretty_repr

from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_rest import AttemptRecord, CometChatError, Secret, TransportError, UnexpectedResponse

from ..secret_support import (
    CALLS,
    CREDENTIAL,
    KEY,
    PROXY,
    QUOTED_PASSWORD,
    REFUSING_URL,
    TOKEN,
    WITH_TOKEN,
    assert_bare,
    assert_silent,
    echo_of,
    echoing,
    leaks,
    refusal,
    refuse_at_proxy,
    secret_client,
    set_variable,
    texts_of,
)
from ..servers import WireServer
from ..support import AnyClient, EitherClient, StubTransport, error_from, make_response

#: Responses that are errors of `revoke`, by status and by the body that they make of the secrets.
RESPONSES: dict[str, tuple[int, Callable[[str], object]]] = {
    "error": (404, refusal),
    "page": (502, lambda echo: f"<!DOCTYPE html><title>{echo}</title>".encode()),
    "UTF-16": (401, lambda echo: echo.encode("utf-16")),
    "redirect": (302, lambda _: b""),
    "other status": (207, refusal),
    "text": (200, str.encode),
    "text in JSON": (200, lambda echo: echo),
    "wrong data": (200, lambda echo: {"data": echo}),
    "no success": (200, lambda echo: {"data": {"success": False, "message": echo}}),
    "too large": (200, lambda echo: (echo * 99).encode()),
}


@pytest.mark.parametrize("response", RESPONSES)
def test_response_that_repeats_secrets(any_client: AnyClient, response: str) -> None:
    """No text, attribute, pickle or frame of an error shows a secret, nor does the record of the
    attempt."""
    records: list[AttemptRecord] = []
    settings = {
        "transport": echoing(*RESPONSES[response]),
        "on_attempt": records.append,
        "max_response_bytes": 9000,
    }
    chat = secret_client(any_client, base_url=REFUSING_URL, **settings)
    error = error_from(any_client, WITH_TOKEN["revoke"], chat)
    assert isinstance(error, CometChatError)
    assert "[redacted]" in repr(vars(error))
    assert_silent(error)
    assert leaks(repr(records)) == []


def test_outcomes_of_many_revocations(any_client: AnyClient) -> None:
    """The outcomes of many revocations show the uid of each token, but not the token."""
    chat = secret_client(any_client, base_url=REFUSING_URL, transport=echoing(404, refusal))
    outcomes = any_client.call(
        lambda chat: chat.auth_tokens.revoke_all([("alice", TOKEN)] * 2), chat
    )
    assert [outcome.uid for outcome in outcomes] == ["alice"] * 2
    shown = (
        repr(outcomes)
        + pretty_repr(outcomes)
        + texts_of(outcomes[0].error)
        + texts_of(outcomes[1].error)
    )
    assert leaks(shown) == []


@pytest.mark.parametrize(
    "written", [str, lambda text: json.dumps(text)[1:-1]], ids=["plain", "JSON"]
)
def test_uid_is_shown_beside_a_token(any_client: AnyClient, written: Callable[[str], str]) -> None:
    """A token is hidden as a whole, also in JSON text, although it begins with a uid that the
    error shows."""
    token = f"alice-{TOKEN}"
    stub = StubTransport(
        lambda _: make_response(404, f"alice has no token {written(token)}.".encode())
    )
    chat = secret_client(any_client, base_url=REFUSING_URL, transport=stub)
    error: Any = error_from(any_client, lambda chat: chat.auth_tokens.delete("alice", token), chat)
    assert error.body == "alice has no token [redacted]."


@pytest.mark.parametrize(
    ("key", "text", "shown"),
    [
        ("key", "the key of alice", "the key of alice"),
        ("abcd", "the key abcd, not abc", "the key [redacted], not abc"),
        ("abcd", "a token abcd-1234", "a token [redacted]"),
    ],
)
def test_only_complete_secrets_are_hidden(
    any_client: AnyClient, key: str, text: str, shown: str
) -> None:
    """A text loses only complete secrets of at least four characters, the longest first."""
    stub = StubTransport(lambda _: make_response(404, {"error": {"message": text}}))
    chat = any_client.client(api_key=key, base_url=REFUSING_URL, transport=stub)
    error: Any = error_from(
        any_client, lambda chat: chat.auth_tokens.delete("alice", "abcd-1234"), chat
    )
    assert error.message == shown


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        *(
            (name, "a-secret", "[redacted]")
            for name in ("Authorization", "proxy-authorization", "COOKIE", "X-Api-Key")
        ),
        *(
            (name, "a-secret", "[redacted]")
            for name in ("x-csrf-token", "Client-Secret", "X-PASSWORD")
        ),
        *(
            (name, "production", "production")
            for name in ("X-Environment", "Accept-Language", "X-Request-Id")
        ),
    ],
)
def test_headers_are_secret_by_name(
    any_client: AnyClient, name: str, value: str, shown: str
) -> None:
    """A header of the user is a secret if its name says so; the values of all other headers are
    shown."""
    stub = StubTransport(
        lambda request: make_response(404, {"error": {"message": f"no {request.headers[name]}"}})
    )
    chat = any_client.client(base_url=REFUSING_URL, transport=stub).with_options(
        headers={name: value}
    )
    error: Any = error_from(any_client, CALLS["list"], chat)
    assert error.message == f"no {shown}"
    assert value not in repr(chat)


def invalid_http(received: bytes) -> Iterator[bytes]:
    """A response that begins with the key and the path of the request in place of a status line."""
    line, *headers = received.split(b"\r\n")
    (key,) = (header for header in headers if header.lower().startswith(b"apikey:"))
    yield key[8:] + b" " + line + b"\r\n\r\n"


@pytest.mark.parametrize("call", WITH_TOKEN)
def test_invalid_http_that_repeats_secrets(any_client: AnyClient, call: str) -> None:
    """An error quotes invalid HTTP without the secrets in it, and its cause has neither a
    traceback nor a request."""
    with WireServer(invalid_http) as server:
        error = error_from(
            any_client, WITH_TOKEN[call], secret_client(any_client, base_url=server.base_url)
        )
    assert isinstance(error, TransportError)
    assert "[redacted]" in str(error)
    assert "[redacted]" in str(error.__cause__)
    assert_silent(error)
    assert_bare(error.__cause__)


@pytest.mark.parametrize("where", ["argument", "variable"])
def test_password_of_a_proxy(
    any_client: AnyClient, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """If a proxy refuses and repeats its password, the error names the proxy and hides the
    password."""
    with WireServer(refuse_at_proxy) as proxy:
        address = proxy.address.removeprefix("http://")
        settings = {"app_id": "app", "proxy": f"http://me:{QUOTED_PASSWORD}@{address}"}
        if where == "variable":
            set_variable(monkeypatch, "https_proxy", settings.pop("proxy"))
        error = error_from(any_client, WITH_TOKEN["delete"], secret_client(any_client, **settings))
    assert isinstance(error, TransportError)
    assert f"through the proxy {address}" in str(error)
    assert "[redacted]" in str(error)
    assert_silent(error)


@pytest.mark.parametrize(
    "user_info", ["one-token-for-all:", "one-token-for-all", ":one-token-for-all"]
)
def test_only_a_user_name_or_only_a_password(any_client: AnyClient, user_info: str) -> None:
    """The user name of a proxy without a password is a secret, and so is a password without a
    user name."""
    with WireServer(
        lambda _: [b"HTTP/1.1 407 Not one-token-for-all\r\nContent-Length: 0\r\n\r\n"]
    ) as proxy:
        address = proxy.address.replace("http://", f"http://{user_info}@")
        error = error_from(
            any_client, CALLS["list"], any_client.client(app_id="app", api_key=KEY, proxy=address)
        )
    assert "Not [redacted]" in str(error)


def holders(chat: EitherClient) -> dict[str, Any]:
    """The public objects that hold a secret."""
    return {
        "client": chat,
        "derived": chat.with_options(headers={"X-Token": CREDENTIAL}),
        "api": chat.api,
        "resource": chat.auth_tokens,
        "call": delete_auth_token.prepare("alice", TOKEN),
        "secret": Secret(TOKEN),
    }


@pytest.mark.parametrize("holder", ["client", "derived", "api", "resource", "call", "secret"])
def test_objects_that_hold_a_secret(any_client: AnyClient, holder: str) -> None:
    """No client, resource or call shows a secret, also not inside, and none of them can be
    pickled."""
    held = holders(secret_client(any_client, app_id="app", proxy=PROXY))[holder]
    assert leaks(f"{held} {held!r} {pretty_repr(held)} {getattr(held, '__dict__', '')!r}") == []
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(held)


def test_secrets_are_accepted_as_arguments(any_client: AnyClient) -> None:
    """A key, a header and a token may be a `Secret`, and the service receives their texts."""
    stub = echoing(200, lambda _: {"data": {"success": True, "message": "gone"}})
    secrets = {"api_key": Secret(KEY), "headers": {"Authorization": Secret(CREDENTIAL)}}
    chat = any_client.client(base_url=REFUSING_URL, transport=stub, **secrets)
    any_client.call(lambda chat: chat.auth_tokens.delete("alice", Secret(TOKEN)), chat)
    assert all(secret in echo_of(stub.requests[0]) for secret in (KEY, CREDENTIAL, TOKEN))


def test_key_in_place_of_an_identifier(any_client: AnyClient) -> None:
    """An identifier that holds the key by mistake is not repeated by the error of a response
    about another list."""
    stub = StubTransport(lambda _: make_response(200, {"data": {"id": "other"}}))
    chat = secret_client(any_client, base_url=REFUSING_URL, transport=stub)
    error = error_from(any_client, lambda chat: chat.keywords.get(f"list-{KEY}"), chat)
    assert isinstance(error, UnexpectedResponse)
    assert leaks(texts_of(error)) == []
