"""Tokens that users log in with."""

from typing import Generic, TypeVar

from ...client import AsyncClient, Client
from ...models.auth_token_deletion import AuthTokenDeletion
from . import delete_auth_token

# An overlay puts its own client class here, which has more methods.
ClientT = TypeVar("ClientT", bound=Client)
AsyncClientT = TypeVar("AsyncClientT", bound=AsyncClient)


class GeneratedAuthTokens(Generic[ClientT]):
    """Tokens that users log in with."""

    def __init__(self, client: ClientT, /) -> None:
        self._client = client

    def delete(
        self,
        uid: str,
        auth_token: str,
    ) -> AuthTokenDeletion:
        """Delete auth token.

        Deletes one auth token of one user. If success is false in the response, the token may still be
        valid, although the status is 200. The parent paths delete all tokens of the user, or the user: a
        request for this operation must never reach them.

        Source: `DELETE /users/{uid}/auth_tokens/{authToken}` in openapi.yaml.

        Args:
            uid: The user's identifier.
            auth_token: The token to delete. It is a secret, and it is part of the URL.

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """

        call = delete_auth_token.prepare(
            uid,
            auth_token,
        )
        del uid, auth_token

        return self._client.send(call).parsed.data


class GeneratedAsyncAuthTokens(Generic[AsyncClientT]):
    """Tokens that users log in with."""

    def __init__(self, client: AsyncClientT, /) -> None:
        self._client = client

    async def delete(
        self,
        uid: str,
        auth_token: str,
    ) -> AuthTokenDeletion:
        """Delete auth token.

        Deletes one auth token of one user. If success is false in the response, the token may still be
        valid, although the status is 200. The parent paths delete all tokens of the user, or the user: a
        request for this operation must never reach them.

        Source: `DELETE /users/{uid}/auth_tokens/{authToken}` in openapi.yaml.

        Args:
            uid: The user's identifier.
            auth_token: The token to delete. It is a secret, and it is part of the URL.

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """

        call = delete_auth_token.prepare(
            uid,
            auth_token,
        )
        del uid, auth_token

        return (await self._client.send(call)).parsed.data
