"""The tree of errors."""

import copy
import json
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from cometchat_rest import (
    ApiError,
    Client,
    CometChatError,
    ConfigurationError,
    InvalidRequestError,
    NotFoundError,
    PlanRefusedError,
    RateLimitError,
    RequestTimeoutError,
    RevisionConflictError,
    ServerError,
    TransportError,
    UnexpectedResponse,
)
from cometchat_testing import Simulator

from ..support import AnyClient, error_from
from .error_checks import CLASS_BY_STATUS


@pytest.mark.parametrize(
    ("error", "parent"),
    [
        *((error, ApiError) for error in (*CLASS_BY_STATUS.values(), ServerError)),
        *((error, CometChatError) for error in (ApiError, UnexpectedResponse, TransportError)),
        *(
            (error, parent)
            for error in (ConfigurationError, InvalidRequestError)
            for parent in (CometChatError, ValueError)
        ),
        (RequestTimeoutError, TransportError),
    ],
)
def test_error_tree(error: type[Exception], parent: type[Exception]) -> None:
    """Each error is caught by its class, by its parent class, and by CometChatError. Two are
    also ValueErrors."""
    assert issubclass(error, parent)


def test_defaults_of_an_error() -> None:
    """Every error says whether the outcome of its call is known, and how often it was tried. A test
    of the user can make an error with the seconds to wait, or one that says that nothing was sent.
    """
    assert not issubclass(UnexpectedResponse, ApiError)
    assert RateLimitError("slow down", retry_after=3).retry_after == 3
    assert TransportError("no connection").request_sent is False
    assert (CometChatError().outcome_unknown, CometChatError().attempts) == (False, 0)


def test_fields_of_a_refused_setting() -> None:
    """An error about a setting names it, its other name and the reason, and its text is made
    from them."""
    with pytest.raises(ConfigurationError) as caught:
        Client(app_id="a.b", api_key="k")
    error = caught.value
    assert (error.argument, error.also_called) == ("app_id", "COMETCHAT_APP_ID")
    assert str(error) == f"app_id (COMETCHAT_APP_ID) {error.reason}"


def test_fields_of_a_failed_call(simulator: Simulator) -> None:
    """The error of a call names the operation, and its text begins with it; that of a refused
    argument names the argument."""
    with Client(base_url=simulator.base_url, api_key=simulator.api_key) as chat:
        with pytest.raises(NotFoundError) as caught:
            chat.keywords.get("no-such-list")
        with pytest.raises(InvalidRequestError) as refused:
            chat.keywords.get("../users")
    error = caught.value
    assert (error.operation, error.argument) == ("get_keyword_list", None)
    assert str(error) == f"get_keyword_list: {error.reason}"
    assert error.path_values == {"keyword_id": "no-such-list"}
    assert refused.value.argument == "keyword_id"


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]
)
@pytest.mark.parametrize(
    "error",
    [
        InvalidRequestError("must be a str", argument="uid"),
        ServerError("the response has status 500", operation="list_roles", status_code=500),
        PlanRefusedError(
            "too many", path_values={"keyword_id": "words"}, removed=3, share_removed=0.5
        ),
        RevisionConflictError("moved", planned_revision="r_1", current_revision="r_2"),
        TransportError("cut", kind="read", request_sent=True),
        UnexpectedResponse("no JSON", status_code=200),
    ],
    ids=lambda error: type(error).__name__,
)
def test_copies(error: CometChatError, copied: Callable[[CometChatError], CometChatError]) -> None:
    """A copied or pickled error has the same text, attributes and notes, and is another error."""
    error.add_note("Try again.")
    same = copied(error)
    assert (type(same), str(same), same.__notes__) == (type(error), str(error), error.__notes__)
    names = [name for name in dir(error) if not name.startswith("_")]
    public = [name for name in names if not callable(getattr(error, name))]
    assert {name: getattr(same, name) for name in public} == {
        name: getattr(error, name) for name in public
    }
    assert same != error


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        (
            InvalidRequestError("must be a str", argument="uid"),
            {"argument": "uid", "outcome_unknown": False},
        ),
        (
            RateLimitError("slow", status_code=429, code="ERR", retry_after=3.0),
            {"status_code": 429, "retry_after": 3.0},
        ),
        (
            TransportError("cut", kind="read", request_sent=True),
            {"kind": "read", "outcome_unknown": True},
        ),
        (
            UnexpectedResponse("no JSON", status_code=200),
            {"status_code": 200, "outcome_unknown": True},
        ),
        (PlanRefusedError("too many", removed=3), {"removed": 3, "outcome_unknown": False}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_error_from_its_class_and_args(error: CometChatError, facts: dict[str, object]) -> None:
    """A job queue that keeps the class and `args` of an error as JSON keeps the facts that
    decide."""
    same = type(error)(*json.loads(json.dumps(error.args)))
    assert (str(same), repr(same)) == (str(error), repr(error))
    assert {name: getattr(same, name) for name in facts} == facts


def test_args_of_a_failed_call(simulator: Simulator) -> None:
    """The `args` of an error hold the facts of its call, and neither headers, body nor
    identifiers."""
    simulator.fail(status=503, body="<html>sorry</html>", headers={"X-Odd": "odd-value"}, times=9)
    client = Client(base_url=simulator.base_url, api_key=simulator.api_key, max_retries=1)
    with client as chat, pytest.raises(ServerError) as caught:
        chat.auth_tokens.delete("alice", "a-token-of-alice")
    same = ServerError(*json.loads(json.dumps(caught.value.args)))
    assert (same.outcome_unknown, same.attempts, same.status_code) == (True, 1, 503)
    assert same.operation == "delete_auth_token"
    assert not any(text in repr(caught.value.args) for text in ("alice", "odd-value", "sorry"))


@pytest.mark.parametrize(
    "kind", [TransportError, RequestTimeoutError, UnexpectedResponse, ServerError]
)
def test_error_from_a_text_alone(kind: type[CometChatError]) -> None:
    """If only the text of an error is left, an update that may have been carried out counts as
    unknown."""
    assert kind("lost").outcome_unknown
    assert not InvalidRequestError("refused").outcome_unknown


@pytest.mark.parametrize("name", ["X-Request-Id", "X-Correlation-Id", "CF-Ray"])
@pytest.mark.parametrize(("status", "body"), [(404, b"{}"), (200, b"no JSON")])
def test_identifier_of_the_request(
    any_client: AnyClient, simulator: Simulator, name: str, status: int, body: bytes
) -> None:
    """An error has the identifier of the request from the response, for the support of the
    service."""
    simulator.fail(status=status, body=body, headers={name: "abc-1"})
    error: Any = error_from(any_client, lambda chat: chat.roles.list(), any_client.client())
    assert error.request_id == "abc-1"


HOSTILE = "x\x1b[2J\r\nWARNING forged\u202e\u2066\x9b2J\x7f\u2028"


def test_text_of_an_error_shows_control_characters_escaped(
    any_client: AnyClient, simulator: Simulator
) -> None:
    """The text of an error cannot clear a terminal, forge a line of a log or reverse a text;
    `message` keeps it."""
    details = {HOSTILE: [HOSTILE]}
    simulator.fail(
        status=400, body={"error": {"code": "ERR", "message": HOSTILE, "details": details}}
    )
    error = error_from(any_client, lambda chat: chat.roles.list(), any_client.client())
    assert isinstance(error, ApiError)
    assert error.message == HOSTILE
    assert str(error).isprintable()
    assert traceback.format_exception_only(error)[0].rstrip("\n").isprintable()
    assert r"\x1b[2J\r\nWARNING forged\u202e" in str(error)
