"""What is hidden in the texts of errors, and which texts are left alone."""

from typing import Any

import pytest

from cometchat_rest import ApiError
from cometchat_rest.testing import Simulator

from ..support import DELETE, GET, KEY, AnyClient, error_from


def refusal(any_client: AnyClient, act: Any = GET.act, **settings: Any) -> ApiError:
    """The error of a call that the service refuses."""
    error = error_from(any_client, act, any_client.client(max_retries=0, **settings))
    assert isinstance(error, ApiError)
    return error


@pytest.mark.parametrize(
    ("key", "hidden"), [("k", False), ("no", False), ("key", False), ("key ", False), ("a key", True), ("abcd", True)]
)
def test_short_key_leaves_texts_readable(
    any_client: AnyClient, simulator: Simulator, key: str, *, hidden: bool
) -> None:
    """A key of fewer than four characters is no secret: nearly every text contains it by chance."""
    message = f"Nobody knows a key no. 1>{key}"
    simulator.fail(status=401, body={"error": {"code": "ERR_NO_KEY", "message": message}})
    error = refusal(any_client, api_key=key)
    assert (error.code, error.message) == ("ERR_NO_KEY", message.replace(key, "[redacted]") if hidden else message)


def test_adjacent_secrets_become_one_mark(any_client: AnyClient, simulator: Simulator) -> None:
    """Secrets without any text between them become one mark, so that an error does not show how many there were."""
    simulator.fail(status=404, body={"error": {"code": "ERR_GONE", "message": f"<{KEY}{KEY}>"}})
    assert refusal(any_client, api_key=KEY).message == "<[redacted]>"


SHORT_KEY = "k/ \"\\'z"
SPELLINGS = {
    "plain": SHORT_KEY,
    "in an address": "k%2F%20%22%5C%27z",
    "in an address in an address": "k%252F%2520%2522%255C%2527z",
    "in a form": "k%2F+%22%5C%27z",
    "in JSON": r"""k/ \"\\'z""",
    "in Python": r"""k/ "\\\'z""",
    "in HTML": r"k/ &quot;\&#x27;z",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_each_spelling_of_a_key_is_redacted(any_client: AnyClient, simulator: Simulator, spelling: str) -> None:
    """A key is redacted from its first to its last character, also in the spelling of an address, JSON or HTML."""
    simulator.fail(status=404, body={"error": {"code": "ERR_GONE", "message": f"<{spelling}>{spelling.upper()}."}})
    assert refusal(any_client, api_key=SHORT_KEY).message == "<[redacted]>[redacted]."


@pytest.mark.parametrize("token", ["t", "_", "NOT", "TOKEN", "AUTH_TOKEN", "ERR_AUTH_TOKEN_NOT_FOUND", "UID_NOT_FOUND"])
@pytest.mark.parametrize(
    "code", ["ERR_AUTH_TOKEN_NOT_FOUND", "ERR_UID_NOT_FOUND", "AUTH_ERR_AUTH_TOKEN_NOT_FOUND", "ERR_TOKEN_t_TOO_SHORT"]
)
def test_redaction_never_changes_the_code(any_client: AnyClient, simulator: Simulator, token: str, code: str) -> None:
    """A program can compare the code of an error with the codes of the service, whatever the auth token looks like."""
    simulator.fail(status=404, body={"error": {"code": code, "message": "no such token"}})
    assert refusal(any_client, lambda chat: chat.auth_tokens.delete("alice", token)).code == code


@pytest.mark.parametrize("token", ["t", "an", "the"])
def test_short_auth_token_leaves_texts_readable(any_client: AnyClient, simulator: Simulator, token: str) -> None:
    """An auth token of fewer than four characters is too short to be a secret: no text loses such characters."""
    message = "The auth token cannot be found: another one was created."
    details = {"authToken": ["the token and the user do not match"]}
    body = {"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": message, "details": details}}
    simulator.fail(status=404, body=body, headers={"X-Reason": message})
    error = refusal(any_client, lambda chat: chat.auth_tokens.delete("alice", token))
    assert (error.message, error.details, error.headers["x-reason"]) == (message, details, message)
    assert message in error.body
    assert "[redacted]" not in str(error)


@pytest.mark.parametrize("token", ["q7Zx", "q7Zx9", "q7Zx9Lm2"])
def test_longer_auth_token_is_redacted(any_client: AnyClient, simulator: Simulator, token: str) -> None:
    """An auth token of four characters or more is a secret: no text of an error shows it, except for the code."""
    body = {"error": {"code": "ERR_AUTH_TOKEN_NOT_FOUND", "message": f"no token {token}"}}
    simulator.fail(status=404, body=body, headers={"X-Reason": f"no token {token}"})
    error = refusal(any_client, lambda chat: chat.auth_tokens.delete("alice", token))
    assert token not in repr([error.message, error.headers, error.body, str(error)])


@pytest.mark.parametrize(("own", "hidden"), [("en", False), ("2024-01", False), ("2024-01-", True)])
def test_short_header_values_are_not_redacted(
    any_client: AnyClient, simulator: Simulator, own: str, *, hidden: bool
) -> None:
    """A header value of fewer than eight characters, such as a language, is not redacted."""
    text = "When 2024-01-31 had been agreed on, nothing was sent."
    simulator.fail(status=409, body={"error": {"code": "ERR_SENT", "message": text}})
    error = refusal(any_client, DELETE.act, headers={"X-Own": own})
    assert error.message == (text.replace(own, "[redacted]") if hidden else text)
