from typing import Any

from ...client import Call, Operation, Parameter
from ...models.auth_token_deletion_response import AuthTokenDeletionResponse
from ...types import Secret, instantiate


def _parse(document: Any, mismatches: list[type]) -> AuthTokenDeletionResponse:
    if type(document) is not dict:
        mismatches.append(AuthTokenDeletionResponse)
    return instantiate(AuthTokenDeletionResponse)._read(
        document if type(document) is dict else {}, mismatches
    )


OPERATION: Operation[AuthTokenDeletionResponse] = Operation(
    name="delete_auth_token",
    method="DELETE",
    path="/users/{uid}/auth_tokens/{auth_token}",
    success=((200, 200),),
    result=AuthTokenDeletionResponse,
    parse=_parse,
    parameters=(
        Parameter("uid", "uid", type="string"),
        Parameter("authToken", "auth_token", type="string"),
    ),
)


def prepare(
    uid: str,
    auth_token: str | Secret,
) -> Call[AuthTokenDeletionResponse]:
    """Delete auth token.

    Deletes one auth token of one user. If success is false in the response, the token may still be
    valid, although the status is 200. The parent paths delete all tokens of the user, or the user: a
    request for this operation must never reach them.

    Args:
        uid: The user's identifier.
        auth_token: The token to delete. It is a secret, and it is part of the URL.

    Returns:
        The call, to be sent by a client.
    """
    auth_token = Secret(auth_token)
    return Call(
        OPERATION,
        path_values={
            "uid": uid,
            "auth_token": auth_token,
        },
    )
