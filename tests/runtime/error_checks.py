"""Checks that hold for every error that stands for a response."""

from typing import Any

from cometchat_rest import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    CometChatError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    RateLimit,
    RateLimitError,
    ServerError,
    UnexpectedResponse,
    UnprocessableEntityError,
)

from ..support import Operation

#: More characters than the text of an error may have.
LONG = 90_000
VALID_ERROR = {
    "code": "ERR_SOMETHING",
    "message": "Something is not as it should be.",
    "devMessage": "Look again.",
    "source": "request",
    "details": {"name": ["is too long", "is odd"]},
}
CLASS_BY_STATUS: dict[int, type[CometChatError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}
#: The number of bytes of a body that an error keeps.
SAMPLE_SIZE = 4096


def expected_class(status: int) -> type[CometChatError]:
    """The class for a status with an invalid body."""
    if 400 <= status < 500:
        return CLASS_BY_STATUS.get(status, ApiError)
    return ServerError if 500 <= status < 600 else UnexpectedResponse


def check_error(error: BaseException | None, operation: Operation, status: int) -> Any:
    """Check what holds for every error that stands for a response."""
    assert type(error) is expected_class(status), error
    found: Any = error
    assert found.status_code == status
    assert found.operation == operation.name
    assert found.attempts == 1
    # After a 4xx, the change did not happen. Otherwise the client cannot know.
    assert found.outcome_unknown is (operation.changes and not 400 <= status < 500)
    assert isinstance(found.body, str)
    assert len(found.body) <= SAMPLE_SIZE
    assert isinstance(found.rate_limit, RateLimit)
    assert str(status) in str(error)
    assert operation.name in str(error)
    assert len(str(error)) < 4 * SAMPLE_SIZE
    return found
