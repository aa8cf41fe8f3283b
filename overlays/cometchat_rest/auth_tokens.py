"""The tokens with which users log in."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeAlias

from attrs import frozen

from cometchat_openapi.api import auth_tokens as generated
from cometchat_openapi.api.auth_tokens import delete_auth_token
from cometchat_openapi.models import AuthTokenDeletion, AuthTokenDeletionResponse
from cometchat_runtime.api import BaseApi
from cometchat_runtime.checks import check_type
from cometchat_runtime.concurrency import DEFAULT_CONCURRENCY
from cometchat_runtime.operation import Call
from cometchat_runtime.options import fault_in_word
from cometchat_runtime.response import Unconfirmed
from cometchat_runtime.secrets import Secret
from cometchat_runtime.steps import Steps

from .errors import ApiError, CometChatError, InvalidRequestError
from .service import GONE

#: A uid and a token of this user; or a text that says why an item is not such a pair.
PairOrFault: TypeAlias = tuple[str, Secret] | str


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
        attempts: the number of attempts to send the deletion.
    """

    uid: str
    outcome: Revocation | None = None
    error: CometChatError | None = None
    attempts: int = 0


#: Called with each result of `revoke_all`.
OnResult: TypeAlias = Callable[[TokenRevocation], object]


def delete_steps(
    api: BaseApi, deletion: Call[AuthTokenDeletionResponse]
) -> Steps[AuthTokenDeletion]:
    """Delete a token, once, and return the response unless it says that nothing was deleted."""
    response = yield from api.response_steps(deletion, _refuse_failure)
    return response.parsed.data


def _refuse_failure(body: AuthTokenDeletionResponse) -> Unconfirmed | None:
    # Without this field, the status of the response counts.
    return None if body.data.success is None else _require_success(body)


def revoke_steps(
    api: BaseApi, deletion: Call[AuthTokenDeletionResponse]
) -> Steps[tuple[Revocation, int]]:
    """Delete a token, as often as a GET may be sent; return whether it was there, and the number
    of attempts."""
    outcome = yield from api.steps(deletion, _require_success, repeatable=True)
    if not isinstance(outcome, CometChatError):
        return Revocation.REVOKED, outcome.attempts
    # Only the error code matters: its status is not documented. "No such user" does not mean that
    # the token is gone: the uid may have a typing error while the token is valid.
    if isinstance(outcome, ApiError) and outcome.code == GONE and outcome.status_code < 500:
        return Revocation.NOT_FOUND, outcome.attempts
    raise outcome


def _require_success(body: AuthTokenDeletionResponse) -> Unconfirmed | None:
    # The status of the response alone does not say that the token was deleted.
    deletion = body.data
    if deletion.success is True:
        return None
    return Unconfirmed("/data/success", "true", deletion.message)


def _revoke_one_of_many(
    api: BaseApi, uid: str, deletion: Call[AuthTokenDeletionResponse]
) -> Steps[TokenRevocation]:
    try:
        outcome, attempts = yield from revoke_steps(api, deletion)
    except CometChatError as error:
        return TokenRevocation(uid=uid, error=error.with_traceback(None), attempts=error.attempts)
    return TokenRevocation(uid=uid, outcome=outcome, attempts=attempts)


def _pair(uid: str, auth_token: str | Secret) -> PairOrFault:
    """A pair with its token as a secret; or the fault of the token, in which neither value
    appears."""
    token = Secret(auth_token)
    uid_text = Secret(uid).reveal()
    if isinstance(uid_text, str) and token.reveal() and uid_text.startswith(f"{token.reveal()}_"):
        return "is swapped with the uid, which begins with it and '_'"
    # The service does not know a token that was copied with quotes, and the right one would stay
    # valid.
    return fault_in_word(token) or (uid, token)


def _pair_of(item: object) -> PairOrFault:
    """The pair in an item of a list."""
    if not isinstance(item, tuple | list) or len(item) != 2:
        return "is not a pair"
    pair = _pair(*item)
    return f"has a token that {pair}" if isinstance(pair, str) else pair


def _pairs(tokens: Iterable[tuple[str, str | Secret]]) -> list[PairOrFault]:
    check_type("tokens", tokens, Iterable, "pairs of a uid and a token")
    return list(map(_pair_of, tokens))


def _deletion(pair: PairOrFault) -> Call[AuthTokenDeletionResponse]:
    """The call that deletes the token of a pair; raise the fault of a token."""
    if isinstance(pair, str):
        raise InvalidRequestError(pair, argument="auth_token")
    uid, token = pair
    return delete_auth_token.prepare(uid=uid, auth_token=token)


def _revocations(api: BaseApi, pairs: list[PairOrFault]) -> list[Steps[TokenRevocation]]:
    revocations = []
    for number, pair in enumerate(pairs, 1):
        if isinstance(pair, str):
            fault = f"must contain pairs of a uid and a token; item {number} {pair}"
            raise InvalidRequestError(fault, argument="tokens")
        uid, _ = pair
        revocations.append(_revoke_one_of_many(api, uid, _deletion(pair)))
    return revocations


class AuthTokens(generated.AuthTokens):
    """The auth tokens of the app's users, with blocking calls."""

    def delete(self, uid: str, auth_token: str | Secret) -> AuthTokenDeletion:
        """Delete one token of one user (operation `deleteAuthToken`).

        The deletion is not sent again once the service may have processed it; `revoke` repeats it
        even then.

        Args:
            uid: the user's identifier.
            auth_token: the token to delete.

        Returns:
            The confirmation of the service.

        Raises:
            InvalidRequestError: an argument cannot be a single path segment, the arguments are
                swapped, or the token has quotes or `Bearer` around it or contains white space;
                nothing was sent.
            NotFoundError: there is no such token or user.
            UnexpectedResponse: the service says that it did not delete the token, which may still
                be valid.
            CometChatError: any other error of a call. If its `outcome_unknown` is true, the token
                may or may not be deleted.
        """
        pair = _pair(uid, auth_token)
        del uid, auth_token  # so that no frame shows a token
        return self._api.run(delete_steps(self._api, _deletion(pair)))

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
            InvalidRequestError: an argument cannot be a single path segment, the arguments are
                swapped, or the token has quotes or `Bearer` around it or contains white space;
                nothing was sent.
            NotFoundError: the user does not exist. Check the uid: the token may still be valid.
            PermissionDeniedError: the token may belong to another user.
            CometChatError: the call failed. If its `outcome_unknown` is true, the token may or may
                not be deleted.
        """
        pair = _pair(uid, auth_token)
        del uid, auth_token  # so that no frame shows a token
        outcome, _ = self._api.run(revoke_steps(self._api, _deletion(pair)))
        return outcome

    def revoke_all(
        self,
        tokens: Iterable[tuple[str, str | Secret]],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        on_result: OnResult | None = None,
    ) -> list[TokenRevocation]:
        """Revoke many tokens, several at a time. An error for one token does not stop the others.

        After a 429, the job waits as long as the response asks, within the `deadline` of each call.
        After Ctrl-C, no further revocation starts, and the call waits for the revocations in
        progress, or ends the only one; if an awaited call is cancelled, they are cancelled as well.
        The call then returns no results, so `on_result` is the way to keep them.

        Args:
            tokens: pairs of a uid and a token of this user.
            concurrency: the largest number of calls at the same time, 1 to 100.
            on_result: a function that is called with each result as soon as there is one, with one
                at a time, perhaps in another thread. If it raises, the job ends with its exception.

        Returns:
            The result for each token, in the order of `tokens`; see `revoke`.

        Raises:
            InvalidRequestError: an item of `tokens` is not a pair, or is swapped, `concurrency` is
                out of range, or `on_result` is not a function; nothing was sent.
        """
        pairs = _pairs(tokens)
        del tokens  # so that no frame shows a token
        revocations = _revocations(self._api, pairs)
        return self._api.run_all(revocations, concurrency, on_result)


class AsyncAuthTokens(generated.AsyncAuthTokens):
    """The auth tokens of the app's users, with awaited calls."""

    async def delete(self, uid: str, auth_token: str | Secret) -> AuthTokenDeletion:
        """Like `AuthTokens.delete`, awaited."""
        pair = _pair(uid, auth_token)
        del uid, auth_token  # so that no frame shows a token
        return await self._api.run(delete_steps(self._api, _deletion(pair)))

    async def revoke(self, uid: str, auth_token: str | Secret) -> Revocation:
        """Like `AuthTokens.revoke`, awaited."""
        pair = _pair(uid, auth_token)
        del uid, auth_token  # so that no frame shows a token
        outcome, _ = await self._api.run(revoke_steps(self._api, _deletion(pair)))
        return outcome

    async def revoke_all(
        self,
        tokens: Iterable[tuple[str, str | Secret]],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        on_result: OnResult | None = None,
    ) -> list[TokenRevocation]:
        """Like `AuthTokens.revoke_all`, awaited."""
        pairs = _pairs(tokens)
        del tokens  # so that no frame shows a token
        revocations = _revocations(self._api, pairs)
        return await self._api.run_all(revocations, concurrency, on_result)
