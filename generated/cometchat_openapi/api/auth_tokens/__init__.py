"""Tokens that users log in with."""

from cometchat_runtime.api import AsyncResource, Resource
from cometchat_runtime.secrets import Secret

from ...models.auth_token_deletion import AuthTokenDeletion
from . import delete_auth_token as _delete_auth_token


class AuthTokens(Resource):
    """Tokens that users log in with."""

    def delete(self, uid: str, auth_token: str | Secret) -> AuthTokenDeletion:
        """Delete auth token.

        Deletes one auth token of one user. If success is false in the response, the token may
        still be valid, although the status is 200. The parent paths delete all tokens of the
        user, or the user: a request for this operation must never reach them.

        Source: `DELETE /users/{uid}/auth_tokens/{authToken}` in openapi.yaml.

        Args:
            uid: The user's identifier. (minLength 1)
            auth_token: The token to delete. It is a secret, and it is part of the URL. (minLength 1)

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        auth_token = Secret(auth_token)
        call = _delete_auth_token.prepare(uid=uid, auth_token=auth_token)
        response = self._api.send(call)
        return response.parsed.data


class AsyncAuthTokens(AsyncResource):
    """Tokens that users log in with."""

    async def delete(self, uid: str, auth_token: str | Secret) -> AuthTokenDeletion:
        """Delete auth token.

        Deletes one auth token of one user. If success is false in the response, the token may
        still be valid, although the status is 200. The parent paths delete all tokens of the
        user, or the user: a request for this operation must never reach them.

        Source: `DELETE /users/{uid}/auth_tokens/{authToken}` in openapi.yaml.

        Args:
            uid: The user's identifier. (minLength 1)
            auth_token: The token to delete. It is a secret, and it is part of the URL. (minLength 1)

        Returns:
            The `data` of the response.

        Raises:
            InvalidRequestError: an argument is invalid; nothing was sent.
            CometChatError: the call failed, with the class that fits.
        """
        auth_token = Secret(auth_token)
        call = _delete_auth_token.prepare(uid=uid, auth_token=auth_token)
        response = await self._api.send(call)
        return response.parsed.data
