"""The tree of errors."""

from __future__ import annotations

from cometchat_rest import (
    ApiError,
    CometChatError,
    ConfigurationError,
    InvalidRequestError,
    RequestTimeoutError,
    ResponseTooLargeError,
    ServerError,
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
