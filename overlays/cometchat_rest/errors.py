"""The errors of this package: those of every call, and two about planned updates.

    CometChatError
    ├── ConfigurationError (also ValueError)   invalid settings of a client
    ├── InvalidRequestError (also ValueError)  refused before anything was sent
    │   └── PlanRefusedError                   a plan that removes too many entries
    ├── RevisionConflictError                  a list that has changed since the plan was made
    ├── TransportError                         no complete response arrived
    │   └── RequestTimeoutError
    ├── UnexpectedResponse                     a response that is not as described, or is too large
    └── ApiError                               the service refused or failed
        ├── BadRequestError 400
        ├── AuthenticationError 401
        ├── PermissionDeniedError 403
        ├── NotFoundError 404
        ├── ConflictError 409
        ├── UnprocessableEntityError 422
        ├── RateLimitError 429
        └── ServerError 5xx

The attributes of `ApiError` are the fields of `ErrorBody` in `openapi.yaml`. A body of another
shape is in `ApiError.body`, and its reason in the text of the error.
"""

from typing import ClassVar

from cometchat_runtime.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    CometChatError,
    ConfigurationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimit,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
    TransportError,
    UnexpectedResponse,
    UnprocessableEntityError,
)

__all__ = [
    "ApiError",
    "AuthenticationError",
    "BadRequestError",
    "CometChatError",
    "ConfigurationError",
    "ConflictError",
    "InvalidRequestError",
    "NotFoundError",
    "PermissionDeniedError",
    "PlanRefusedError",
    "RateLimit",
    "RateLimitError",
    "RequestTimeoutError",
    "RevisionConflictError",
    "ServerError",
    "TransportError",
    "UnexpectedResponse",
    "UnprocessableEntityError",
]


class PlanRefusedError(InvalidRequestError):
    """A planned update of a keyword list would remove more entries than allowed; nothing was sent.

    Attributes:
        removed: the number of entries that would be removed.
        share_removed: their share of the entries of the list, 0.0 to 1.0; `None` if the service
            does not show the entries.
        max_removed: the allowed share.
    """

    FACTS: ClassVar[tuple[str, ...]] = (
        *InvalidRequestError.FACTS,
        "removed",
        "share_removed",
        "max_removed",
    )

    removed: int = 0
    share_removed: float | None = None
    max_removed: float = 0.0


class RevisionConflictError(CometChatError):
    """A keyword list has changed since the plan for its update was made; the update was not sent.

    Attributes:
        planned_revision: the revision of the list when the plan was made; `None` if the service
            showed no revision.
        current_revision: the revision of the list now.
    """

    FACTS: ClassVar[tuple[str, ...]] = (
        *CometChatError.FACTS,
        "planned_revision",
        "current_revision",
    )

    planned_revision: str | None = None
    current_revision: str | None = None
