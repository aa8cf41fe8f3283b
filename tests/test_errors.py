"""The tree of errors."""

from __future__ import annotations

import json
from typing import Any

from cometchat_rest import (
    ApiError,
    CometChatError,
    ConfigurationError,
    InvalidRequestError,
    NotFoundError,
    RequestTimeoutError,
    ResponseTooLargeError,
    Revocation,
    ServerError,
    TokenRevocation,
    TransportError,
    UnexpectedResponse,
)

from ._call.error_checks import CLASS_BY_STATUS


def test_error_tree() -> None:
    """Each error is caught by its class, by its parent class, and by CometChatError. Two classes are also
    ValueErrors."""
    for error in (*CLASS_BY_STATUS.values(), ServerError):
        assert issubclass(error, ApiError)
    for error in (ApiError, UnexpectedResponse, TransportError, ConfigurationError, InvalidRequestError):
        assert issubclass(error, CometChatError)
    assert issubclass(RequestTimeoutError, TransportError)
    assert issubclass(ConfigurationError, ValueError)
    assert issubclass(InvalidRequestError, ValueError)
    assert not issubclass(UnexpectedResponse, ApiError)
    assert issubclass(ResponseTooLargeError, UnexpectedResponse)
    assert (CometChatError().outcome_unknown, CometChatError().attempts) == (False, 0)


def test_errors_and_results_as_json() -> None:
    """Errors, and results that can contain an error, become JSON values: the error is an object."""
    error = NotFoundError("no such list", operation="get_keyword_list", status_code=404, details={"id": ["unknown"]})
    error.attempts = 2
    error.add_note("Check the list's identifier.")
    as_json = error.to_dict()
    assert as_json == {
        "type": "NotFoundError",
        "text": "no such list",
        "notes": ["Check the list's identifier."],
        "outcome_unknown": False,
        "attempts": 2,
        "operation": "get_keyword_list",
        "status_code": 404,
        **dict.fromkeys(("code", "message", "dev_message", "source", "retry_after")),
        "details": {"id": ["unknown"]},
    }
    results: list[tuple[Any, object]] = [
        (TokenRevocation(uid="alice", error=error), {"uid": "alice", "outcome": None, "error": as_json}),
        (
            TokenRevocation(uid="alice", outcome=Revocation.REVOKED),
            {"uid": "alice", "outcome": "revoked", "error": None},
        ),
    ]
    for result, expected in results:
        assert json.loads(json.dumps(result.to_dict())) == expected
