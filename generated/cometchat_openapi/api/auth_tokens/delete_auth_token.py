from cometchat_runtime.operation import Call, Operation, Parameter
from cometchat_runtime.secrets import Secret

from ...models.auth_token_deletion_response import AuthTokenDeletionResponse

OPERATION: Operation[AuthTokenDeletionResponse] = Operation(
    name="delete_auth_token",
    method="DELETE",
    path="/users/{uid}/auth_tokens/{auth_token}",
    success=((200, 200),),
    result=AuthTokenDeletionResponse,
    parameters=(
        Parameter("uid", "uid", type="string"),
        Parameter("authToken", "auth_token", type="string"),
    ),
)


def prepare(uid: str, auth_token: str | Secret) -> Call[AuthTokenDeletionResponse]:
    """Delete auth token.

    Make the call, with the arguments of the method `delete`.
    """
    auth_token = Secret(auth_token)
    return Call(
        OPERATION,
        path_values={"uid": uid, "auth_token": auth_token},
    )
