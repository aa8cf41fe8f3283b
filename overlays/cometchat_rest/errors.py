"""The errors of this package.

    CometChatError
    ├── ConfigurationError (also ValueError)      invalid settings of a client
    ├── InvalidRequestError (also ValueError)     refused before anything was sent
    │   └── PlanRefusedError                      a plan that removes too many entries
    ├── RevisionConflictError                     a list that has changed since the plan was made
    ├── TransportError                            no complete response arrived
    │   └── RequestTimeoutError
    ├── UnexpectedResponse                        a response that is not as described, or is too large
    └── ApiError                                  the service refused or failed
        ├── BadRequestError 400
        ├── AuthenticationError 401
        ├── PermissionDeniedError 403
        ├── NotFoundError 404
        ├── ConflictError 409
        ├── UnprocessableEntityError 422
        ├── RateLimitError 429
        └── ServerError 5xx

`openapi.yaml` does not describe error bodies. The attributes of `ApiError` follow the vendor's public documentation; a
body of another shape is still in `ApiError.body`.
"""

import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, Literal, Self, TypeAlias

from attrs import Factory, define, field, frozen

__all__ = ["ApiError", "AuthenticationError", "BadRequestError", "CometChatError", "ConfigurationError"]
__all__ += ["ConflictError", "InvalidRequestError", "NotFoundError", "PermissionDeniedError", "PlanRefusedError"]
__all__ += ["RateLimit", "RateLimitError", "RequestTimeoutError", "RevisionConflictError", "ServerError"]
__all__ += ["TransportError", "UnexpectedResponse", "UnprocessableEntityError"]

#: How much of a response body an error keeps, in characters.
BODY_SAMPLE = 4096

#: The phase in which a call failed.
TransportErrorKind: TypeAlias = Literal[
    "connect", "read", "write", "pool", "deadline", "protocol", "proxy", "transport"
]


@frozen
class RateLimit:
    """The rate limit as one response gave it; `None` for each value that the response does not contain.

    Attributes:
        limit: calls allowed in the current window.
        remaining: calls left in it.
        reset: when the window ends, in Unix seconds.
    """

    limit: int | None = None
    remaining: int | None = None
    reset: int | None = None

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> Self:
        """Read both spellings of the vendor's documentation, from headers with lower-case names."""

        def read(*names: str) -> int | None:
            for name in names:
                value = headers.get(name, "").strip()
                if value.isascii() and value.isdigit() and len(value) < 19:
                    return int(value)
            return None

        return cls(
            limit=read("x-rate-limit", "x-rate-limit-limit", "x-ratelimit-limit"),
            remaining=read("x-rate-limit-remaining", "x-ratelimit-remaining"),
            reset=read("x-rate-limit-reset", "x-ratelimit-reset"),
        )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait from `Retry-After`, which is a number or a date; `None` if it is absent or invalid."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
            # Dates in HTTP are in UTC, also those without a time zone.
            seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    # NaN is not less than infinity.
    return max(0.0, seconds) if seconds < float("inf") else None


def _request_id(headers: Mapping[str, str]) -> str | None:
    names = ("x-request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray")
    return next((headers[name] for name in names if name in headers), None)


_RATE_LIMIT: Any = Factory(lambda error: RateLimit.from_headers(error.headers), takes_self=True)
_RETRY_AFTER: Any = Factory(lambda error: _retry_after(error.headers), takes_self=True)
_REQUEST_ID: Any = Factory(lambda error: _request_id(error.headers), takes_self=True)

# In all errors: equality by identity, and `args` that hold only the reason, as in any other exception.


@define(kw_only=True, eq=False, repr=False, slots=False, auto_exc=False)
class CometChatError(Exception):
    """The base of every error this package raises. Its text is made from the first five attributes.

    Attributes:
        reason: the fault, and often the next step, without the names in the next four attributes.
        argument: the argument that is wrong, such as `keyword_id`; `None` if the error is about no argument.
        also_called: the environment variable of the argument.
        operation: the operation of the call, such as `get_keyword_list`; `None` if the error is about no call.
        path_values: the identifiers in the path of the call, by name, such as `keyword_id`; no token is among them.
        outcome_unknown: true if an update or a deletion may or may not have been carried out: it was sent, and its
            response was lost, cut off, unreadable, or a 5xx.
        attempts: the number of attempts to send the request; 0 if nothing was sent.
    """

    reason: str = field(default="", kw_only=False)
    argument: str | None = None
    also_called: str | None = None
    operation: str | None = None
    path_values: Mapping[str, object] = field(factory=dict)
    outcome_unknown: bool = field(default=False, init=False)
    attempts: int = field(default=0, init=False)

    def __str__(self) -> str:
        # Texts of the service must not clear a terminal or forge a line of a log.
        text = self._text()
        return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

    def _text(self) -> str:
        if self.argument is not None:
            other = "" if self.also_called is None else f" ({self.also_called})"
            return f"{self.argument}{other} {self.reason}"
        subject = self.operation or ", ".join(map(str, self.path_values.values()))
        return f"{subject}: {self.reason}" if subject else self.reason


class ConfigurationError(CometChatError, ValueError):
    """A setting is missing or invalid; `argument` names it, and `also_called` names its environment variable."""


class InvalidRequestError(CometChatError, ValueError):
    """An argument is invalid, or the client is closed; nothing was sent."""


@define(kw_only=True, eq=False, repr=False, slots=False, auto_exc=False)
class PlanRefusedError(InvalidRequestError):
    """A planned update of a keyword list would remove more entries than allowed; nothing was sent.

    Attributes:
        removed: the number of entries that would be removed.
        share_removed: their share of the entries of the list, 0.0 to 1.0; `None` if the service does not show the
            entries.
        max_removed: the allowed share.
    """

    removed: int = 0
    share_removed: float | None = None
    max_removed: float = 0.0


@define(kw_only=True, eq=False, repr=False, slots=False, auto_exc=False)
class RevisionConflictError(CometChatError):
    """A keyword list has changed since the plan for its update was made; the update was not sent.

    Attributes:
        planned_revision: the revision of the list when the plan was made; `None` if the service showed no revision.
        current_revision: the revision of the list now.
    """

    planned_revision: str | None = None
    current_revision: str | None = None


@define(kw_only=True, eq=False, repr=False, slots=False, auto_exc=False)
class TransportError(CometChatError):
    """No complete response arrived.

    Attributes:
        kind: the phase that failed; `transport` if a custom transport raised any other exception.
        request_sent: whether any part of the request may have reached the service.
    """

    kind: TransportErrorKind = "protocol"
    request_sent: bool = False


class RequestTimeoutError(TransportError):
    """A phase took longer than its timeout, or the call took longer than its deadline."""


@define(kw_only=True, eq=False, repr=False, slots=False, auto_exc=False)
class UnexpectedResponse(CometChatError):  # noqa: N818 - a name promised to users
    """A response that is not as described: not JSON, too large, a redirect, `data` of the wrong type.

    Attributes:
        status_code: the HTTP status of the response.
        pointer: a JSON pointer to the place in the body that differs from the description, or `None`.
        headers: the headers of the response, names in lower case.
        body: the first characters of the body.
        request_id: the identifier of the request that the service or its network gave, for their support; or `None`.
        rate_limit: the rate limit as the response gave it.
    """

    status_code: int | None = None
    pointer: str | None = None
    headers: Mapping[str, str] = field(factory=dict)
    body: str = ""
    request_id: str | None = field(init=False, default=_REQUEST_ID)
    rate_limit: RateLimit = field(init=False, default=_RATE_LIMIT)


@define(kw_only=True, eq=False, repr=False, slots=False, auto_exc=False)
class ApiError(CometChatError):
    """The service refused the request, or failed.

    Attributes:
        status_code: the HTTP status of the response.
        code: the error code of the service, such as `ERR_UID_NOT_FOUND`; an open set.
        message: the message of the service for users.
        dev_message: its message for developers.
        source: the source of the error, as the service names it.
        details: for each invalid field, a list of messages.
        headers: the headers of the response, names in lower case.
        body: the first characters of the body.
        request_id: the identifier of the request that the service or its network gave, for their support; or `None`.
        rate_limit: the rate limit as the response gave it.
        retry_after: seconds to wait as the service asks for; never negative; `None` if it does not ask.
    """

    status_code: int = 0
    code: str | None = None
    message: str | None = None
    dev_message: str | None = None
    source: str | None = None
    details: Mapping[str, list[str]] = field(factory=dict)
    headers: Mapping[str, str] = field(factory=dict)
    body: str = ""
    request_id: str | None = field(init=False, default=_REQUEST_ID)
    rate_limit: RateLimit = field(init=False, default=_RATE_LIMIT)
    retry_after: float | None = field(default=_RETRY_AFTER)


class BadRequestError(ApiError):
    """400: the request is invalid."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, or belongs to another app or region."""


class PermissionDeniedError(ApiError):
    """403: the scope of the key does not allow this (it must be `fullAccess`)."""


class NotFoundError(ApiError):
    """404: there is no such list, user or token, or no such path at this base URL."""


class ConflictError(ApiError):
    """409: the request conflicts with the current state."""


class UnprocessableEntityError(ApiError):
    """422: the service understood the request and does not accept it."""


class RateLimitError(ApiError):
    """429: too many calls; this call was not processed."""


class ServerError(ApiError):
    """5xx: the service failed, or a proxy in front of it."""
