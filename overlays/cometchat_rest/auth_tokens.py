"""The tokens with which users log in."""

from collections.abc import Iterable
from enum import StrEnum
from threading import Event
from typing import Generic, TypeAlias, cast

from attrs import evolve, frozen

from cometchat_openapi import Call
from cometchat_openapi.api.auth_tokens import AsyncAuthTokens as GeneratedAsyncAuthTokens
from cometchat_openapi.api.auth_tokens import AuthTokens as GeneratedAuthTokens
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.models import AuthTokenDeletionResponse
from cometchat_runtime.api import Api, ApiT, AsyncApi, BaseApi
from cometchat_runtime.checks import check_int, check_type
from cometchat_runtime.concurrency import DEFAULT_CONCURRENCY, MAX_CONCURRENCY, in_tasks, in_threads
from cometchat_runtime.errors import ApiError, CometChatError, InvalidRequestError
from cometchat_runtime.failures import GONE
from cometchat_runtime.secrets import Secret
from cometchat_runtime.steps import Steps


class Revocation(StrEnum):
    """The outcome of a revocation: the token was deleted; or the service knows no such token of
    this user.

    A token that is not found was deleted before, or it is misspelt, and then the right one is still
    valid.
    """

    REVOKED = "revoked"
    NOT_FOUND = "not_found"


@frozen(kw_only=True)
class TokenRevocation:
    """The result for one token of several; it does not contain the token.

    Attributes:
        uid: the user, as given in the pair.
        outcome: the outcome; `None` if the token may still be valid.
        error: the reason why the token may still be valid; `None` if there is an outcome.
    """

    uid: str
    outcome: Revocation | None = None
    error: CometChatError | None = None


# A uid, and the call that deletes a token of this user. The repr of a call does not show its
# arguments.
_Deletion: TypeAlias = tuple[str, Call[AuthTokenDeletionResponse]]

_NO_PAIR = Secret("")


def _hidden(tokens: Iterable[tuple[str, str | Secret]]) -> list[tuple[str, Secret]]:
    """The pairs with their tokens as secrets; an item that is not a pair gets the token
    `_NO_PAIR`."""
    check_type("tokens", tokens, Iterable, "pairs of a uid and a token")
    return [
        (each[0], Secret(each[1]))
        if isinstance(each, tuple | list) and len(each) == 2
        else ("", _NO_PAIR)
        for each in tokens
    ]


def _confirm(body: AuthTokenDeletionResponse) -> tuple[str, str] | None:
    # Status 200 alone does not say that the token was deleted.
    return None if body.data.success is True else ("/data/success", "true")


def _revoke(api: BaseApi, deletion: Call[AuthTokenDeletionResponse]) -> Steps[Revocation]:
    outcome = yield from api.steps(deletion, _confirm, repeatable=True)
    if not isinstance(outcome, CometChatError):
        return Revocation.REVOKED
    # Only the error code matters: its status is not documented. "No such user" does not mean that
    # the token is gone: the uid may have a typing error while the token is valid.
    if isinstance(outcome, ApiError) and outcome.code == GONE and outcome.status_code < 500:
        return Revocation.NOT_FOUND
    raise outcome


def _revoke_one_of_many(api: BaseApi, deletion: _Deletion) -> Steps[TokenRevocation]:
    uid, call = deletion
    try:
        return TokenRevocation(uid=uid, outcome=(yield from _revoke(api, call)))
    except CometChatError as error:
        return TokenRevocation(uid=uid, error=error.with_traceback(None))


class _Methods(Generic[ApiT]):
    """Each method returns what both clients carry out; `AuthTokens` and `AsyncAuthTokens`
    inherit its docstring."""

    _client: ApiT

    def revoke(self, uid: str, auth_token: str | Secret) -> object:
        """Make sure that one token of one user is no longer valid (operation `deleteAuthToken`).

        Like `delete`, but a token that the service does not know is not an error. The deletion is
        repeated as a GET is, also if its response was lost: a second deletion does no harm.

        Args:
            uid: the user's identifier.
            auth_token: the token to revoke.

        Returns:
            Whether the token was deleted, or the service knows no such token of this user.

        Raises:
            InvalidRequestError: an argument cannot be a single path segment; nothing was sent.
            NotFoundError: the user does not exist. Check the uid: the token may still be valid.
            PermissionDeniedError: the token may belong to another user.
            CometChatError: the call failed. If its `outcome_unknown` is true, the token may or may
                not be deleted.
        """
        return _revoke(self._client, delete_auth_token.prepare(uid, auth_token))

    def revoke_all(
        self, tokens: Iterable[tuple[str, str | Secret]], *, concurrency: int = DEFAULT_CONCURRENCY
    ) -> object:
        """Revoke many tokens, several at a time. An error for one token does not stop the others.

        After a 429, the job waits as long as the response asks, within the `deadline` of each call.
        After Ctrl-C, no further revocation starts, and the call waits for the revocations in
        progress; if an awaited call is cancelled, they are cancelled as well.

        Args:
            tokens: pairs of a uid and a token of this user.
            concurrency: the largest number of calls at the same time, 1 to 100.

        Returns:
            The result for each token, in the order of `tokens`; see `revoke`.

        Raises:
            InvalidRequestError: an item of `tokens` is not a pair, or `concurrency` is out of
                range; nothing was sent.
        """
        check_int(
            "concurrency", concurrency, least=1, most=MAX_CONCURRENCY, error=InvalidRequestError
        )
        deletions: list[_Deletion] = []
        for number, (uid, token) in enumerate(tokens, 1):
            if token is _NO_PAIR:
                fault = f"must contain pairs of a uid and a token; item {number} is not a pair"
                raise InvalidRequestError(fault, argument="tokens")
            deletions.append((uid, delete_auth_token.prepare(uid, token)))
        return deletions


class AuthTokens(_Methods[Api], GeneratedAuthTokens[Api]):
    """The auth tokens of the app's users, with blocking calls."""

    def revoke(self, uid: str, auth_token: str | Secret) -> Revocation:
        auth_token = Secret(auth_token)
        return self._client.run(cast("Steps[Revocation]", super().revoke(uid, auth_token)))

    def revoke_all(
        self, tokens: Iterable[tuple[str, str | Secret]], *, concurrency: int = DEFAULT_CONCURRENCY
    ) -> list[TokenRevocation]:
        tokens = _hidden(tokens)
        deletions = cast("list[_Deletion]", super().revoke_all(tokens, concurrency=concurrency))
        stop = Event()
        api = evolve(self._client, stop=stop)
        return in_threads(
            lambda each: api.run(_revoke_one_of_many(api, each)), deletions, concurrency, stop
        )


class AsyncAuthTokens(_Methods[AsyncApi], GeneratedAsyncAuthTokens[AsyncApi]):
    """The auth tokens of the app's users, with awaited calls."""

    async def revoke(self, uid: str, auth_token: str | Secret) -> Revocation:
        auth_token = Secret(auth_token)
        return await self._client.run(cast("Steps[Revocation]", super().revoke(uid, auth_token)))

    async def revoke_all(
        self, tokens: Iterable[tuple[str, str | Secret]], *, concurrency: int = DEFAULT_CONCURRENCY
    ) -> list[TokenRevocation]:
        tokens = _hidden(tokens)
        deletions = cast("list[_Deletion]", super().revoke_all(tokens, concurrency=concurrency))
        api = self._client
        return await in_tasks(
            lambda each: api.run(_revoke_one_of_many(api, each)), deletions, concurrency
        )
