"""The tokens with which users log in."""

from collections.abc import Iterable
from enum import StrEnum
from threading import Event
from typing import TypeAlias

from attrs import evolve, frozen

from cometchat_openapi.api import auth_tokens as generated
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.models import AuthTokenDeletionResponse
from cometchat_runtime.api import BaseApi
from cometchat_runtime.checks import check_int, check_type
from cometchat_runtime.concurrency import (
    DEFAULT_CONCURRENCY,
    MAX_CONCURRENCY,
    in_threads,
)
from cometchat_runtime.operation import Call
from cometchat_runtime.response import Unconfirmed
from cometchat_runtime.secrets import Secret
from cometchat_runtime.steps import Steps

from .errors import ApiError, CometChatError, InvalidRequestError
from .service import GONE

#: A uid, and the call that deletes a token of this user. The repr of a call does not show its
#: arguments.
Deletion: TypeAlias = tuple[str, Call[AuthTokenDeletionResponse]]


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


def revoke_steps(api: BaseApi, deletion: Call[AuthTokenDeletionResponse]) -> Steps[Revocation]:
    """Delete a token, as often as a GET may be sent, and say whether it was there."""
    outcome = yield from api.steps(deletion, _confirm, repeatable=True)
    if not isinstance(outcome, CometChatError):
        return Revocation.REVOKED
    # Only the error code matters: its status is not documented. "No such user" does not mean that
    # the token is gone: the uid may have a typing error while the token is valid.
    if isinstance(outcome, ApiError) and outcome.code == GONE and outcome.status_code < 500:
        return Revocation.NOT_FOUND
    raise outcome


def _confirm(body: AuthTokenDeletionResponse) -> Unconfirmed | None:
    # Status 200 alone does not say that the token was deleted.
    return None if body.data.success is True else Unconfirmed("/data/success", "true")


def _revoke_one_of_many(api: BaseApi, deletion: Deletion) -> Steps[TokenRevocation]:
    uid, call = deletion
    try:
        outcome = yield from revoke_steps(api, call)
    except CometChatError as error:
        return TokenRevocation(uid=uid, error=error.with_traceback(None))
    return TokenRevocation(uid=uid, outcome=outcome)


def _hidden(tokens: Iterable[tuple[str, str | Secret]]) -> list[tuple[str, Secret] | None]:
    """The pairs with their tokens as secrets; `None` in place of an item that is not a pair."""
    check_type("tokens", tokens, Iterable, "pairs of a uid and a token")
    pairs: list[tuple[str, Secret] | None] = []
    for item in tokens:
        is_pair = isinstance(item, tuple | list) and len(item) == 2
        pairs.append((item[0], Secret(item[1])) if is_pair else None)
    return pairs


def _deletions(pairs: list[tuple[str, Secret] | None], concurrency: int) -> list[Deletion]:
    """The calls of a job, after the check of its arguments."""
    check_int("concurrency", concurrency, least=1, most=MAX_CONCURRENCY, error=InvalidRequestError)
    deletions = []
    for number, pair in enumerate(pairs, 1):
        if pair is None:
            fault = f"must contain pairs of a uid and a token; item {number} is not a pair"
            raise InvalidRequestError(fault, argument="tokens")
        uid, token = pair
        deletions.append((uid, delete_auth_token.prepare(uid, token)))
    return deletions


class AuthTokens(generated.AuthTokens):
    """The auth tokens of the app's users, with blocking calls."""

    def revoke(self, uid: str, auth_token: str | Secret) -> Revocation:
        """Make sure that one token of one user is no longer valid (operation `deleteAuthToken`).

        Like `delete`, but a token that the service does not know is not an error. The deletion is
        repeated as a GET is, even if its response was lost: a second deletion does no harm.

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
        auth_token = Secret(auth_token)
        deletion = delete_auth_token.prepare(uid, auth_token)
        return self._api.run(revoke_steps(self._api, deletion))

    def revoke_all(
        self,
        tokens: Iterable[tuple[str, str | Secret]],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> list[TokenRevocation]:
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
        pairs = _hidden(tokens)
        del tokens  # so that no frame shows a token
        deletions = _deletions(pairs, concurrency)
        stop = Event()
        api = evolve(self._api, stop=stop)

        def revoke(deletion: Deletion) -> TokenRevocation:
            return api.run(_revoke_one_of_many(api, deletion))

        return in_threads(revoke, deletions, concurrency, stop)


class AsyncAuthTokens(generated.AsyncAuthTokens):
    """The auth tokens of the app's users, with awaited calls."""

    async def revoke(self, uid: str, auth_token: str | Secret) -> Revocation:
        """Like `AuthTokens.revoke`, awaited."""
        auth_token = Secret(auth_token)
        deletion = delete_auth_token.prepare(uid, auth_token)
        return await self._api.run(revoke_steps(self._api, deletion))

    async def revoke_all(
        self,
        tokens: Iterable[tuple[str, str | Secret]],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
    ) -> list[TokenRevocation]:
        """Like `AuthTokens.revoke_all`, awaited."""
        pairs = _hidden(tokens)
        del tokens  # so that no frame shows a token
        deletions = _deletions(pairs, concurrency)

        async def revoke(deletion: Deletion) -> TokenRevocation:
            return await self._api.run(_revoke_one_of_many(self._api, deletion))

        # A blocking program does not load anyio.
        from cometchat_runtime.tasks import in_tasks  # noqa: PLC0415

        return await in_tasks(revoke, deletions, concurrency)
