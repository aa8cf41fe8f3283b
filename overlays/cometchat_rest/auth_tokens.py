"""The tokens users log in with (service.md, section 4.5)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

import attrs
from attrs import frozen

from cometchat_openapi import Call
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.models import AuthTokenDeletion, AuthTokenDeletionResponse

from ._call.api import Api, AsyncApi
from ._call.api_errors import GONE
from ._call.response import Confirmed
from ._support.checks import check_int
from ._support.concurrency import DEFAULT_CONCURRENCY, MAX_CONCURRENCY, in_tasks, in_threads
from .errors import ApiError, CometChatError, InvalidRequestError


class Revocation(StrEnum):
    """What became of a token; either way it is good for nothing any more."""

    REVOKED = "revoked"
    ALREADY_GONE = "already_gone"


@frozen(kw_only=True)
class TokenRevocation:
    """What became of one token of several; it does not hold the token.

    Attributes:
        uid: the user it was said to belong to.
        outcome: what became of it; `None` where it may still be good.
        error: why it may still be good; `None` otherwise.
    """

    uid: str
    outcome: Revocation | None = None
    error: CometChatError | None = None


def _lacks(success: AuthTokenDeletionResponse) -> tuple[str, str] | None:
    return None if success.data.success is True else ("/data/success", "true")


# 200 alone does not say that the token was deleted.
_REVOCATION = Confirmed(**attrs.asdict(delete_auth_token.OPERATION, recurse=False), lacks=_lacks)

# A user, and the call that revokes a token of theirs; a call shows nothing of its arguments.
_Deletion: TypeAlias = tuple[str, Call[AuthTokenDeletionResponse]]


def _revocation(uid: str, auth_token: str) -> Call[AuthTokenDeletionResponse]:
    return attrs.evolve(delete_auth_token.prepare(uid, auth_token), operation=_REVOCATION)


def _deletion(pair: object) -> _Deletion | None:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        return None
    return pair[0], _revocation(pair[0], pair[1])


def _deletions(tokens: Iterable[tuple[str, str]], concurrency: int) -> list[_Deletion] | InvalidRequestError:
    """The calls for all tokens; an error is returned, because this frame holds the tokens."""
    try:
        check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY, refusal=InvalidRequestError)
    except InvalidRequestError as error:
        return error.with_traceback(None)
    deletions: list[_Deletion] = []
    for number, deletion in enumerate(map(_deletion, tokens), 1):
        if deletion is None:
            return InvalidRequestError(f"tokens: number {number} is no pair of a uid and a token")
        deletions.append(deletion)
    return deletions


def _already_gone(error: CometChatError) -> bool:
    # By the code alone: which status goes with it is not documented. "No such user" does not say that it is gone: the
    # uid may be mistyped, and the token still good.
    return isinstance(error, ApiError) and error.code == GONE and not error.outcome_unknown


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

    def revoke(self, uid: str, auth_token: str) -> Revocation:
        """Make sure that one token of one user is good for nothing (service.md, section 4.5).

        As `delete`, except that a token which is gone already is no failure. Like any deletion it is not sent again by
        itself when its answer is lost. Calling this once more is safe, because a token that is gone never comes back,
        and tells: either outcome means that it is gone.

        Args:
            uid: the user's identifier.
            auth_token: the token to revoke.

        Returns:
            Whether it was deleted now, or had been before.

        Raises:
            InvalidRequestError: an argument cannot be one segment of a path; nothing was sent.
            NotFoundError: there is no such user. Is the uid the right one?
            PermissionDeniedError: the token may be another user's.
            CometChatError: whatever else can become of a call. Where its `outcome_unknown` is true, the token may be
                gone or not.
        """
        call = _revocation(uid, auth_token)
        del auth_token
        return self._revoke(call)

    def revoke_all(
        self, tokens: Iterable[tuple[str, str]], *, concurrency: int = DEFAULT_CONCURRENCY
    ) -> list[TokenRevocation]:
        """Revoke many tokens, several at a time; what becomes of one stops none of the others.

        Ctrl-C begins no more of them, and waits for those that have begun; a single one it ends at once.

        Args:
            tokens: for each token, its user's uid and the token.
            concurrency: how many calls to make at a time, 1 to 100.

        Returns:
            For each token, in their order, what became of it; see `revoke`.

        Raises:
            InvalidRequestError: `tokens` holds what is no pair, or `concurrency` is out of range; nothing was sent.
        """
        deletions = _deletions(tokens, concurrency)
        del tokens
        if isinstance(deletions, InvalidRequestError):
            raise deletions
        return in_threads(self._try, deletions, concurrency)

    def _try(self, deletion: _Deletion) -> TokenRevocation:
        uid, call = deletion
        try:
            return TokenRevocation(uid=uid, outcome=self._revoke(call))
        except CometChatError as error:
            return TokenRevocation(uid=uid, error=error)

    def _revoke(self, call: Call[AuthTokenDeletionResponse]) -> Revocation:
        try:
            self._api.send(call)
        except CometChatError as error:
            if _already_gone(error):
                return Revocation.ALREADY_GONE
            raise
        return Revocation.REVOKED


class AsyncAuthTokens:
    """The auth tokens of the app's users, each call awaited."""

    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def delete(self, uid: str, auth_token: str) -> AuthTokenDeletion:
        """As `AuthTokens.delete`, awaited."""
        call = delete_auth_token.prepare(uid, auth_token)
        del auth_token
        return (await self._api.send(call)).parsed.data

    async def revoke(self, uid: str, auth_token: str) -> Revocation:
        """As `AuthTokens.revoke`, awaited."""
        call = _revocation(uid, auth_token)
        del auth_token
        return await self._revoke(call)

    async def revoke_all(
        self, tokens: Iterable[tuple[str, str]], *, concurrency: int = DEFAULT_CONCURRENCY
    ) -> list[TokenRevocation]:
        """As `AuthTokens.revoke_all`, awaited; being cancelled cancels what has begun."""
        deletions = _deletions(tokens, concurrency)
        del tokens
        if isinstance(deletions, InvalidRequestError):
            raise deletions
        return await in_tasks(self._try, deletions, concurrency)

    async def _try(self, deletion: _Deletion) -> TokenRevocation:
        uid, call = deletion
        try:
            return TokenRevocation(uid=uid, outcome=await self._revoke(call))
        except CometChatError as error:
            return TokenRevocation(uid=uid, error=error)

    async def _revoke(self, call: Call[AuthTokenDeletionResponse]) -> Revocation:
        try:
            await self._api.send(call)
        except CometChatError as error:
            if _already_gone(error):
                return Revocation.ALREADY_GONE
            raise
        return Revocation.REVOKED
