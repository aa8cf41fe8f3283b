"""The contents of errors: what redaction leaves alone, how much is kept, and whether a change is in doubt."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cometchat_rest import ApiError, UnexpectedResponse, WordListInput

from ..support import error_from
from .wire_support import Server, read_request

if TYPE_CHECKING:
    from ..support import AnyClient

KEY = "4d1f0b7a92c85e36d0a4f71b68e23c95ab07d418"
#: The most characters that an error keeps of one header's value, and of all headers.
MOST_OF_A_HEADER, MOST_OF_ALL_HEADERS = 4096, 16_384


@contextmanager
def responding(status: int, body: object, *headers: tuple[str, str]) -> Iterator[Server]:
    """A service that has one response, and closes each connection."""

    def respond(connection: Any) -> None:
        read_request(connection)
        content = json.dumps(body).encode()
        head = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(content)}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in headers]
        connection.sendall("\r\n".join([*head, "", ""]).encode() + content)

    with Server(respond) as server:
        yield server


def refusal(
    any_client: AnyClient, server: Server, act: Callable[[Any], Any], **settings: Any
) -> ApiError | UnexpectedResponse:
    """The error of a call."""
    client = any_client.client(**{"base_url": server.base_url, "api_key": KEY, "max_retries": 0, **settings})
    with pytest.raises((ApiError, UnexpectedResponse)) as caught:
        any_client.call(act, client)
    any_client.close(client)
    error = caught.value
    assert isinstance(error, ApiError | UnexpectedResponse)
    return error


# Short secrets.


@pytest.mark.parametrize("key", ["k", "no", "key"])
def test_short_api_key_leaves_error_texts_readable(any_client: AnyClient, key: str) -> None:
    """An API key of fewer than four characters is no secret: the texts of errors are not cut into pieces for it."""
    message = "Nobody knows the key no. 1"
    with responding(401, {"error": {"code": "ERR_NO_KEY", "message": message}}) as server:
        error = refusal(any_client, server, lambda chat: chat.roles.list(), api_key=key)
    assert isinstance(error, ApiError)
    assert (error.code, error.message) == ("ERR_NO_KEY", message)


@pytest.mark.parametrize("token", ["t", "_", "NOT", "TOKEN", "AUTH_TOKEN", "ERR_AUTH_TOKEN_NOT_FOUND", "UID_NOT_FOUND"])
@pytest.mark.parametrize(
    "code", ["ERR_AUTH_TOKEN_NOT_FOUND", "ERR_UID_NOT_FOUND", "AUTH_ERR_AUTH_TOKEN_NOT_FOUND", "ERR_TOKEN_t_TOO_SHORT"]
)
def test_redaction_never_changes_the_code(any_client: AnyClient, token: str, code: str) -> None:
    """A program can compare the code of an error with the codes of the service, whatever the auth token looks like."""
    with responding(404, {"error": {"code": code, "message": "no such token"}}) as server:
        error = refusal(any_client, server, lambda chat: chat.auth_tokens.delete("alice", token))
    assert isinstance(error, ApiError)
    assert error.code == code


@pytest.mark.parametrize("token", ["t", "an", "the"])
def test_short_auth_token_leaves_texts_readable(any_client: AnyClient, token: str) -> None:
    """An auth token of fewer than four characters is too short to be a secret: no text loses such characters."""
    message = "The auth token cannot be found: another one was created."
    details = {"authToken": ["the token and the user do not match"]}
    document = {"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": message, "details": details}}
    with responding(404, document, ("X-Reason", message)) as server:
        error = refusal(any_client, server, lambda chat: chat.auth_tokens.delete("alice", token))
    assert isinstance(error, ApiError)
    assert (error.message, error.details, error.headers["x-reason"]) == (message, details, message)
    assert message in (error.body or "")
    assert "[redacted]" not in str(error)


@pytest.mark.parametrize("token", ["q7Zx", "q7Zx9", "q7Zx9Lm2"])
def test_longer_auth_token_is_redacted(any_client: AnyClient, token: str) -> None:
    """An auth token of four characters or more is a secret: no text of an error shows it, except for the code."""
    document = {"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": f"no token {token}"}}
    with responding(404, document, ("X-Reason", f"no token {token}")) as server:
        error = refusal(any_client, server, lambda chat: chat.auth_tokens.delete("alice", token))
    assert isinstance(error, ApiError)
    assert token not in repr([error.message, error.headers, error.body, str(error)])


# Large headers.


@pytest.mark.parametrize("status", [200, 302, 404, 500])
@pytest.mark.parametrize(
    "headers",
    [
        [("X-Large", "x" * 60_000)],
        [(f"X-Header-{number}", "x" * 1000) for number in range(60)],
        [("X-Repeated", "x" * 1000)] * 60,
    ],
    ids=["one", "many", "one repeated"],
)
def test_error_keeps_a_bounded_part_of_headers(
    any_client: AnyClient, status: int, headers: list[tuple[str, str]]
) -> None:
    """An error keeps no more than a few thousand characters of the headers that came with it."""
    with responding(status, {"data": 5}, *headers) as server:
        error = refusal(any_client, server, lambda chat: chat.keywords.get("a-list"))
    values = list(error.headers.values())
    assert max(map(len, values)) <= MOST_OF_A_HEADER
    assert sum(map(len, [*error.headers, *values])) <= MOST_OF_ALL_HEADERS


def test_cut_header_shows_no_secret(any_client: AnyClient) -> None:
    """An error that keeps only a part of a long header shows no recognisable part of a secret at the cut."""
    for padding in range(MOST_OF_A_HEADER - len(KEY) - 8, MOST_OF_A_HEADER + 8, 6):
        value = "x" * padding + KEY + "y" * 50_000
        with responding(404, {}, ("X-Echo", value)) as server:
            error = refusal(any_client, server, lambda chat: chat.keywords.get("a-list"))
        assert not [start for start in range(len(KEY) - 7) if KEY[start : start + 8] in error.headers["x-echo"]]


# Changes in doubt.


MISMATCHES: dict[str, tuple[Callable[[Any], Any], object]] = {
    "PUT": (
        lambda chat: chat.keywords.update("a-list", WordListInput(search_terms=["spam"])),
        {"data": {"id": "a-list", "name": 5, "category": "word", "isCSV": False, "createdAt": 1, "updatedAt": 2}},
    ),
    "DELETE": (
        lambda chat: chat.auth_tokens.delete("alice", "alice_0123456789"),
        {"data": {"success": True, "message": 5}},
    ),
}


@pytest.mark.parametrize(("act", "body"), MISMATCHES.values(), ids=MISMATCHES)
def test_change_that_only_strict_refuses_is_not_in_doubt(
    any_client: AnyClient, act: Callable[[Any], Any], body: object
) -> None:
    """A change was surely made if its success is an error only because the client is strict."""
    with responding(200, body) as server:
        error = refusal(any_client, server, act, strict=True)
        lenient = any_client.client(base_url=server.base_url, api_key=KEY, max_retries=0)
        any_client.call(act, lenient)
    assert isinstance(error, UnexpectedResponse)
    assert error.pointer is not None
    assert error.outcome_unknown is False


@pytest.mark.parametrize("act", [act for act, _ in MISMATCHES.values()], ids=MISMATCHES)
def test_change_with_an_unusable_success_is_in_doubt(any_client: AnyClient, act: Callable[[Any], Any]) -> None:
    """A change may have been made if its success cannot be read at all, whether the client is strict or not."""
    with responding(200, {"data": 5}) as server:
        for strict in (False, True):
            error = refusal(any_client, server, act, strict=strict)
            assert isinstance(error, UnexpectedResponse)
            assert error.outcome_unknown is True


HOSTILE = "x\x1b[2J\r\nWARNING forged\u202e\u2066\x9b2J\x7f\u2028"


def test_text_of_an_error_shows_control_characters_escaped(any_client: AnyClient) -> None:
    """The text of an error cannot clear a terminal, forge a line of a log or reverse a text; `message` keeps it."""
    with responding(400, {"error": {"code": "ERR", "message": HOSTILE, "details": {HOSTILE: [HOSTILE]}}}) as server:
        error = error_from(any_client, lambda chat: chat.roles.list(), any_client.client(base_url=server.base_url))
    assert isinstance(error, ApiError)
    assert error.message == HOSTILE
    assert str(error).isprintable()
    assert traceback.format_exception_only(error)[0].rstrip("\n").isprintable()
    assert r"\x1b[2J\r\nWARNING forged\u202e" in str(error)
