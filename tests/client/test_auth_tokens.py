"""Auth tokens: one is deleted, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cometchat_rest import AuthTokenDeletion, InvalidRequestError, NotFoundError, PermissionDeniedError
from cometchat_rest.testing import Simulator

from .support import TOKEN

if TYPE_CHECKING:
    from conftest import Face


def test_delete(face: Face, simulator: Simulator) -> None:
    """Deleting a token deletes that one, and neither the user's other tokens nor the user."""
    before = simulator.auth_tokens["alice"]
    deletion = face.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN))
    assert isinstance(deletion, AuthTokenDeletion)
    assert deletion.success is True
    assert isinstance(deletion.message, str)
    assert simulator.auth_tokens["alice"] == [token for token in before if token != TOKEN]
    assert "alice" in simulator.users
    assert simulator.damage == []
    (request,) = simulator.requests
    assert (request.method, request.path, request.query, request.body) == (
        "DELETE",
        f"/v3/users/alice/auth_tokens/{TOKEN}",
        "",
        b"",
    )


def test_delete_twice(face: Face) -> None:
    """The second deletion of a token is a NotFoundError with the service's code, and never shows the token."""
    client = face.client()
    face.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN), client)
    with pytest.raises(NotFoundError) as caught:
        face.call(lambda chat: chat.auth_tokens.delete("alice", TOKEN), client)
    error = caught.value
    assert (error.code, error.outcome_unknown) == ("ERR_AUTH_TOKEN_NOT_FOUND", False)
    shown = f"{error} {error!r} {error.message} {error.body} {error.headers}"
    assert TOKEN[-30:] not in shown
    assert "[redacted]" in shown


def test_delete_for_a_user_that_is_not_there(face: Face) -> None:
    """An unknown user is a NotFoundError that names the user."""
    with pytest.raises(NotFoundError, match="The user nobody does not exist") as caught:
        face.call(lambda chat: chat.auth_tokens.delete("nobody", TOKEN))
    assert caught.value.code == "ERR_UID_NOT_FOUND"


def test_delete_of_another_users_token(face: Face, simulator: Simulator) -> None:
    """Another user's token is a PermissionDeniedError, and stays."""
    with pytest.raises(PermissionDeniedError) as caught:
        face.call(lambda chat: chat.auth_tokens.delete("bob", TOKEN))
    assert caught.value.code == "ERR_AUTHTOKEN_NOT_ACCESSIBLE"
    assert TOKEN in simulator.auth_tokens["alice"]


@pytest.mark.parametrize(("uid", "token"), [("", TOKEN), ("alice", ""), ("alice", ".."), ("..", ".."), ("a/b", "x")])
def test_delete_that_would_reach_more(face: Face, simulator: Simulator, uid: str, token: str) -> None:
    """Arguments with which more than one token would go are refused before anything is sent."""
    with pytest.raises(InvalidRequestError):
        face.call(lambda chat: chat.auth_tokens.delete(uid, token))
    assert simulator.requests == []
    assert simulator.damage == []
