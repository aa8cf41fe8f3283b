"""The paths of the service: which request reaches which operation, and what it finds there."""

import httpx
import pytest

from cometchat_testing import Simulator

from .service_calls import LIST, TERMS, WORD, code, form, raw


@pytest.mark.parametrize(
    "keyword_id",
    ["nope", "profanity-list%2Fx", "..%2Froles", "%FF", "%2570", "a%20b", "PROFANITY-LIST"],
)
def test_unknown_list_is_not_found(
    simulator: Simulator, http_client: httpx.Client, keyword_id: str
) -> None:
    """An unknown list id gets 404, whatever its characters are; an encoded slash is part of the
    id."""
    response = raw(http_client, "GET", f"/v3/moderation/keywords/{keyword_id}")
    update = http_client.put(f"/moderation/keywords/{keyword_id}", files=form(WORD, TERMS))
    assert code(response) == code(update) == (404, "ERR_KEYWORD_NOT_FOUND")
    assert [request.operation for request in simulator.requests] == [
        "get_keyword_list",
        "update_keyword_list",
    ]


def test_case_of_a_uid_is_ignored(simulator: Simulator, http_client: httpx.Client) -> None:
    """A uid in capitals is the same user."""
    token = simulator.auth_tokens["alice"][0]
    assert http_client.delete(f"/users/Alice/auth_tokens/{token}").status_code == 200


@pytest.mark.parametrize(
    ("target", "operation"),
    [
        ("/auth_tokens", "delete_auth_tokens"),
        ("/auth_tokens/", "delete_auth_tokens"),
        ("/auth_tokens/x/..", "delete_auth_tokens"),
        ("/auth_tokens/./", "delete_auth_tokens"),
        ("/x/%2E%2e/auth_tokens", "delete_auth_tokens"),
        ("", "delete_user"),
        ("/", "delete_user"),
        ("/auth_tokens/..", "delete_user"),
        ("/auth_tokens/%2e%2E/", "delete_user"),
        ("//", "delete_user"),
    ],
)
def test_neighbour_that_deletes_all_tokens(
    simulator: Simulator, http_client: httpx.Client, target: str, operation: str
) -> None:
    """A request that reaches the collection of tokens, or the user, deletes what is there, and
    `damage` shows it."""
    # 405 as soon as the description has another operation of this path.
    assert raw(http_client, "DELETE", f"/v3/users/alice{target}").status_code in (200, 405)
    assert simulator.damage == [(operation, "alice")]
    assert not simulator.auth_tokens.get("alice")
    assert ("alice" in simulator.users) == (operation == "delete_auth_tokens")
    assert simulator.requests[-1].operation == operation


@pytest.mark.parametrize("token", ["..%2F", "%2F", "x%2F..", "%252e%252e"])
def test_encoded_slash_deletes_nothing_else(
    simulator: Simulator, http_client: httpx.Client, token: str
) -> None:
    """An encoded slash is part of the token; such a token is not found."""
    assert raw(http_client, "DELETE", f"/v3/users/alice/auth_tokens/{token}").status_code == 404
    assert simulator.damage == []
    assert len(simulator.auth_tokens["alice"]) >= 3


def test_unexpected_query_or_body_is_refused(
    simulator: Simulator, http_client: httpx.Client
) -> None:
    """A query of an update or a deletion gets 400, and so does a body of a GET; nothing changes."""
    token = simulator.auth_tokens["alice"][0]
    assert code(http_client.delete(f"/users/alice/auth_tokens/{token}?all=1")) == (
        400,
        "ERR_BAD_REQUEST",
    )
    assert code(http_client.put(f"{LIST}?x=1", files=form(WORD, TERMS))) == (400, "ERR_BAD_REQUEST")
    assert code(http_client.request("GET", "/roles", content=b"{}")) == (400, "ERR_BAD_REQUEST")
    assert token in simulator.auth_tokens["alice"]
