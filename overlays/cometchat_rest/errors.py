"""The errors of this package, and how an answer of the service becomes one.

    CometChatError
    ├── ConfigurationError (also ValueError)      a client that cannot be made
    ├── InvalidRequestError (also ValueError)     refused before anything was sent
    │   └── PlanRefusedError                      a plan that removes too much
    ├── RevisionConflictError                     a list that has changed since
    ├── TransportError                            no whole answer arrived
    │   └── RequestTimeoutError
    ├── UnexpectedResponse                        an answer outside the contract
    │   └── ResponseTooLargeError                 a success larger than `max_response_bytes`
    └── ApiError                                  the service said no
        ├── BadRequestError 400
        ├── AuthenticationError 401
        ├── PermissionDeniedError 403
        ├── NotFoundError 404
        ├── ConflictError 409
        ├── UnprocessableEntityError 422
        ├── RateLimitError 429
        └── ServerError 5xx

service.md, section 7, leaves the shape of an error body open; what is read here is what the vendor's
public documentation shows, and a body of any other shape loses nothing: it is in `ApiError.body`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Literal, TypeAlias

from attrs import frozen

#: How much of an answer's body an error keeps, in characters.
BODY_SAMPLE = 4096

#: In which phase a call failed.
TransportErrorKind: TypeAlias = Literal["connect", "read", "write", "pool", "deadline", "protocol", "proxy"]


@frozen
class RateLimit:
    """What the service said of the rate limit with one answer; `None` for what it left out.

    Attributes:
        limit: calls allowed in the current window.
        remaining: calls left in it.
        reset: when the window ends, in Unix seconds.
    """

    limit: int | None = None
    remaining: int | None = None
    reset: int | None = None

    @classmethod
    def from_headers(cls, headers: Mapping[str, str]) -> RateLimit:
        """Read both spellings the vendor's documentation uses, from headers with lower-case names."""

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


class CometChatError(Exception):
    """The base of every error this package raises.

    Attributes:
        outcome_unknown: true where an update or a deletion may or may not have been carried out: it was
            sent, and its answer was lost, cut off or unreadable, or was a 5xx.
        attempts: how many times the request was sent, or tried to be sent; 0 where it never was.
    """

    outcome_unknown: bool = False
    attempts: int = 0


class ConfigurationError(CometChatError, ValueError):
    """A client cannot be made from these settings; the text names the argument and the environment variable."""


class InvalidRequestError(CometChatError, ValueError):
    """The request was refused before anything was sent."""


class PlanRefusedError(InvalidRequestError):
    """A planned update of a keyword list would remove more of it than was allowed; nothing was sent.

    Attributes:
        removed: how many entries would go.
        share_removed: their share of the list's entries, 0.0 to 1.0; `None` where the service does not show them.
        max_removed: the share that was allowed.
    """

    def __init__(
        self, message: str, *, removed: int = 0, share_removed: float | None = None, max_removed: float = 0.0
    ) -> None:
        super().__init__(message)
        self.removed = removed
        self.share_removed = share_removed
        self.max_removed = max_removed


class RevisionConflictError(CometChatError):
    """A keyword list is at another revision than its update was planned for; the update was not sent.

    Attributes:
        planned_revision: the list's revision when the plan was made; `None` where the service showed none.
        current_revision: its revision now.
    """

    def __init__(
        self, message: str, *, planned_revision: str | None = None, current_revision: str | None = None
    ) -> None:
        super().__init__(message)
        self.planned_revision = planned_revision
        self.current_revision = current_revision


class TransportError(CometChatError):
    """No whole answer arrived.

    Attributes:
        operation: the operation's name, such as `get_keyword_list`.
        kind: the phase that failed.
        request_sent: whether any of the request can have reached the service.
    """

    def __init__(
        self,
        message: str,
        *,
        operation: str = "",
        kind: TransportErrorKind = "protocol",
        request_sent: bool = False,
    ) -> None:
        super().__init__(message)
        self.operation = operation
        self.kind: TransportErrorKind = kind
        self.request_sent = request_sent


class RequestTimeoutError(TransportError):
    """A phase took longer than its timeout, or the call longer than its deadline."""


class UnexpectedResponse(CometChatError):  # noqa: N818 - a name promised to users
    """An answer outside the contract: not JSON, too large, a redirect, `data` of the wrong kind.

    Attributes:
        operation: the operation's name, such as `get_keyword_list`.
        status_code: the answer's HTTP status.
        pointer: a JSON pointer to the place in the body that departs from the contract, where there is one.
        headers: the answer's headers, names in lower case.
        body: the first characters of the body.
        rate_limit: what the answer said of the rate limit.
    """

    def __init__(
        self,
        message: str,
        *,
        operation: str = "",
        status_code: int | None = None,
        pointer: str | None = None,
        headers: Mapping[str, str] | None = None,
        body: str = "",
    ) -> None:
        super().__init__(message)
        self.operation = operation
        self.status_code = status_code
        self.pointer = pointer
        self.headers: Mapping[str, str] = dict(headers or {})
        self.body = body
        self.rate_limit: RateLimit = RateLimit.from_headers(self.headers)


class ResponseTooLargeError(UnexpectedResponse):
    """A success whose body, as it came or unpacked, is larger than `max_response_bytes`; no more of it was read."""


class ApiError(CometChatError):
    """The service said no.

    Attributes:
        operation: the operation's name, such as `get_keyword_list`.
        status_code: the answer's HTTP status.
        code: the service's error code, such as `ERR_UID_NOT_FOUND`; an open set.
        message: the service's text for people.
        dev_message: its text for developers.
        source: what the service names as the source of the error.
        details: for each field at fault, what is wrong with it.
        headers: the answer's headers, names in lower case.
        body: the first characters of the body.
        rate_limit: what the answer said of the rate limit.
        retry_after: how many seconds the service asks to wait; never negative; `None` where it does not say.
    """

    def __init__(
        self,
        text: str,
        *,
        operation: str = "",
        status_code: int = 0,
        code: str | None = None,
        message: str | None = None,
        dev_message: str | None = None,
        source: str | None = None,
        details: Mapping[str, list[str]] | None = None,
        headers: Mapping[str, str] | None = None,
        body: str = "",
    ) -> None:
        super().__init__(text)
        self.operation = operation
        self.status_code = status_code
        self.code = code
        self.message = message
        self.dev_message = dev_message
        self.source = source
        self.details: Mapping[str, list[str]] = dict(details or {})
        self.headers: Mapping[str, str] = dict(headers or {})
        self.body = body
        self.rate_limit: RateLimit = RateLimit.from_headers(self.headers)
        self.retry_after: float | None = _retry_after(self.headers)


class BadRequestError(ApiError):
    """400: the service could not use the request."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, or belongs to another app or region."""


class PermissionDeniedError(ApiError):
    """403: the key's scope does not allow this (service.md, section 5, asks for fullAccess)."""


class NotFoundError(ApiError):
    """404: no such list, user or token, or no such path at this base URL."""


class ConflictError(ApiError):
    """409: the request does not fit the present state."""


class UnprocessableEntityError(ApiError):
    """422: the request was understood and is not acceptable."""


class RateLimitError(ApiError):
    """429: too many calls; this one was not processed."""


class ServerError(ApiError):
    """5xx: the service, or something in front of it, failed."""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait as `Retry-After` gives them, as a number or a date; `None` where it is absent or senseless."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        # Slow to load, and hardly ever needed.
        from datetime import UTC  # noqa: PLC0415
        from email.utils import parsedate_to_datetime  # noqa: PLC0415

        try:
            date = parsedate_to_datetime(value)
            # A date of HTTP is in UTC, also in the form that does not say so.
            seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    # NaN compares false with everything.
    return max(0.0, seconds) if seconds < float("inf") else None
