"""Recognisable secrets, calls that carry them, and all texts that an error can be shown as."""

import pickle
import traceback
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, unquote

import httpx
import pytest

from cometchat_openapi.api.auth_tokens import delete_auth_token

from .support import (
    LIST_ID,
    UPDATE,
    AnyClient,
    EitherClient,
    StubTransport,
    make_response,
    own_locals,
)

# Every encoding keeps these letters, so a text with a secret contains them, however it is written.
_LETTERS = ("c7b1e94f02d8", "6b56f4487c75", "rQ29vTxW5kYb", "hU8wjB1nX4tE")
KEY = _LETTERS[0]
TOKEN = f'{_LETTERS[1]}"é+%x1'
CREDENTIAL = f'Bearer {_LETTERS[2]}"/+='
PASSWORD = f'{_LETTERS[3]}"/@: 7'
QUOTED_PASSWORD = quote(PASSWORD, safe="")
PROXY = f"http://me:{QUOTED_PASSWORD}@proxy.example:3128"
#: Nobody listens there.
REFUSING_URL = "http://127.0.0.1:1/v3"

#: The calls with a token, through each public way.
WITH_TOKEN: dict[str, Callable[[EitherClient], Any]] = {
    "delete": lambda chat: chat.auth_tokens.delete("alice", TOKEN),
    "revoke": lambda chat: chat.auth_tokens.revoke("alice", TOKEN),
    "prepare": lambda chat: chat.api.send(delete_auth_token.prepare("alice", TOKEN)),
    "path_values": lambda chat: chat.request(
        "DELETE", "/tokens/{token}", path_values={"token": TOKEN}
    ),
}
#: Calls that carry only the secrets of the client; the path of one of them holds the key by
#: mistake.
WITHOUT_TOKEN: dict[str, Callable[[EitherClient], Any]] = {
    "get": lambda chat: chat.keywords.get(LIST_ID),
    "update": lambda chat: chat.keywords.update(LIST_ID, UPDATE),
    "list": lambda chat: chat.roles.list(),
    "path": lambda chat: chat.request("GET", f"/things/{KEY}"),
}
CALLS = WITH_TOKEN | WITHOUT_TOKEN


def secret_client(any_client: AnyClient, **settings: Any) -> EitherClient:
    """A client with a key and a secret header, which does not retry."""
    return any_client.client(
        **{"api_key": KEY, "headers": {"Authorization": CREDENTIAL}, "max_retries": 0, **settings}
    )


def set_variable(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """Set an environment variable, and remove those of proxies."""
    for each in ("https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(each, raising=False)
        monkeypatch.delenv(each.upper(), raising=False)
    monkeypatch.setenv(name, value)


def echo_of(request: httpx.Request) -> str:
    """The secrets that a request carries, each as it is and percent-encoded."""
    last = request.url.raw_path.decode().rpartition("/")[2]
    values = (request.headers["apikey"], request.headers["authorization"], unquote(last))
    return " | ".join(f"{value} {quote(value, safe='')}" for value in values)


def echoing(status: int, body_of: Callable[[str], object]) -> StubTransport:
    """A service that repeats the secrets of each request in the headers and the body of its
    response."""

    def respond(request: httpx.Request) -> httpx.Response:
        echo = echo_of(request)
        headers = {
            "Location": f"https://elsewhere.example/?{echo}",
            "X-Request-Id": echo,
            f"X-{KEY}": "1",
        }
        return make_response(status, body_of(echo), headers)

    return StubTransport(respond)


def refusal(echo: str) -> object:
    """An error body that repeats a text in each of its fields."""
    fields = dict.fromkeys(("code", "message", "devMessage", "source"), echo)
    return {"error": {**fields, "details": {echo: [echo]}}}


def refuse_at_proxy(received: bytes) -> Iterator[bytes]:
    """A proxy that refuses, and repeats the password that it got."""
    assert b"Proxy-Authorization: Basic" in received
    spoken = f"{PASSWORD} {QUOTED_PASSWORD}".encode()
    yield b"HTTP/1.1 407 Not %b\r\nX-Echo: %b\r\nContent-Length: 0\r\n\r\n" % (spoken, spoken)


def leaks(text: str) -> list[str]:
    """The places where a text shows a secret."""
    starts = {letters: text.find(letters) for letters in _LETTERS}
    return [text[max(0, start - 99) : start + 99] for start in starts.values() if start >= 0]


def texts_of(error: BaseException | None) -> str:
    """Everything that an error of ours can be shown as, without the frames of its traceback."""
    assert error is not None
    cause = error.__cause__
    views = [
        error,
        error.args,
        vars(error),
        getattr(error, "__notes__", ()),
        cause,
        vars(cause) if cause else None,
    ]
    return f"{error} {cause} {views!r} {pickle.dumps(error)!r} {''.join(traceback.format_exception(error))}"


def assert_silent(error: BaseException | None) -> None:
    """Check that neither an error nor a frame of our packages in its traceback shows a secret."""
    assert error is not None
    found = leaks(texts_of(error)) + leaks(own_locals(error))
    assert not found, found


def assert_bare(cause: BaseException | None) -> None:
    """Check that the cause of an error leads to no frame, no request and no other exception."""
    assert cause is not None
    assert [cause.__traceback__, cause.__cause__, cause.__context__] == [None] * 3
    assert getattr(cause, "_request", None) is None
