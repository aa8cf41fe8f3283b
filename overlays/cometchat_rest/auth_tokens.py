"""The tokens users log in with (service.md, section 4.5)."""

from __future__ import annotations

from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.models import AuthTokenDeletion

from .transport import Api, AsyncApi


class AuthTokens:
    """The auth tokens of the app's users, each call waited for."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def delete(self, uid: str, auth_token: str) -> AuthTokenDeletion:
        """Delete one token of one user (service.md, section 4.5).

        Args:
            uid: the user's identifier.
            auth_token: the token to delete.

        Raises:
            InvalidRequestError: an argument cannot be one segment of a path: sent as it is, it could reach the user's
                other tokens, or the user; nothing was sent.
            NotFoundError: there is no such user or token.
            CometChatError: whatever else can become of a call.
        """
        call = delete_auth_token.prepare(uid, auth_token)
        # A traceback that shows locals must not show the token.
        del auth_token
        return self._api.send(call).parsed.data


class AsyncAuthTokens:
    """The auth tokens of the app's users, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def delete(self, uid: str, auth_token: str) -> AuthTokenDeletion:
        """As `AuthTokens.delete`, awaited."""
        call = delete_auth_token.prepare(uid, auth_token)
        del auth_token
        return (await self._api.send(call)).parsed.data
