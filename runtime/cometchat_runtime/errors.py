"""The errors of calls. A body in which no error is found is still in `ApiError.body`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias

from attrs import frozen

#: How much of a response body an error keeps, in characters.
BODY_SAMPLE = 4096

# The default of every mapping; nobody can change it.
_NOTHING: Mapping[str, Any] = MappingProxyType({})

#: The phase in which a call failed.
TransportErrorKind: TypeAlias = Literal[
    "connect", "read", "write", "pool", "deadline", "protocol", "proxy", "transport"
]


def printable(text: str) -> str:
    """The text with an escape sequence in place of each control character: a text of the service
    must not clear a terminal or forge a line of a log."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@frozen
class RateLimit:
    """The rate limit as one response gave it; `None` for each value that the response does not
    contain.

    Attributes:
        limit: calls allowed in the current window.
        remaining: calls left in it.
        reset: when the window ends, in Unix seconds.
    """

    limit: int | None = None
    remaining: int | None = None
    reset: int | None = None


class CometChatError(Exception):
    """The base of every error this package raises. Its text is made from the first five attributes,
    and from the number of attempts if there were several.

    Each attribute can be set by its name. `args` holds the reason and a dictionary of the
    facts that decide about the next step. JSON can hold both, so that a queue such as Celery's can
    make the error again from its class and `args`.

    Attributes:
        reason: the fault, and often the next step, without the names in the next four attributes.
        argument: the argument that is wrong, such as `item_id`; `None` if the error is about no
            argument.
        also_called: the environment variable of the argument.
        operation: the operation of the call, such as `get_item`; `None` if the error is about no
            call.
        path_values: the identifiers in the path of the call, by name, such as `item_id`; no token
            is among them.
        outcome_unknown: true if an update or a deletion may or may not have been carried out: it
            was sent, and its response was lost, cut off, unreadable, or a 5xx.
        attempts: the number of attempts to send the request; 0 if nothing was sent.
    """

    #: The attributes in `args`, besides the reason.
    FACTS: ClassVar[tuple[str, ...]] = (
        "argument",
        "also_called",
        "operation",
        "outcome_unknown",
        "attempts",
    )

    argument: str | None = None
    also_called: str | None = None
    operation: str | None = None
    path_values: Mapping[str, object] = _NOTHING
    outcome_unknown: bool = False
    attempts: int = 0

    def __init__(
        self, reason: str = "", facts: Mapping[str, object] | None = None, /, **attributes: object
    ) -> None:
        self.reason = reason
        for name, value in {**(facts or {}), **attributes}.items():
            # Only a declared attribute: it has a default in its class.
            if not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} has no attribute {name!r}")
            setattr(self, name, value)
        self._update_args()

    def conclude(
        self, *, path_values: Mapping[str, object], attempts: int, outcome_unknown: bool
    ) -> None:
        """Set the facts that are known only when the call has ended."""
        self.path_values = path_values
        self.attempts = attempts
        self.outcome_unknown = outcome_unknown
        self._update_args()

    def _update_args(self) -> None:
        self.args = (self.reason, {name: getattr(self, name) for name in self.FACTS})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.reason!r})"

    def __str__(self) -> str:
        return printable(self._text())

    def _text(self) -> str:
        if self.argument is not None:
            variable = "" if self.also_called is None else f" ({self.also_called})"
            return f"{self.argument}{variable} {self.reason}"
        subject = self.operation or ", ".join(map(str, self.path_values.values()))
        text = f"{subject}: {self.reason}" if subject else self.reason
        return f"{text}; {self.attempts} attempts" if self.attempts > 1 else text


class ConfigurationError(CometChatError, ValueError):
    """A setting is missing or invalid; `argument` names it, and `also_called` names its environment
    variable."""


class InvalidRequestError(CometChatError, ValueError):
    """An argument is invalid, or the client is closed; nothing was sent."""


class TransportError(CometChatError):
    """No complete response arrived.

    Attributes:
        kind: the phase that failed; `transport` if a custom transport raised any other exception.
        request_sent: whether any part of the request may have reached the service.
    """

    FACTS = (*CometChatError.FACTS, "kind", "request_sent")

    outcome_unknown = True
    kind: TransportErrorKind = "protocol"
    request_sent: bool = False


class RequestTimeoutError(TransportError):
    """A phase took longer than its timeout, or the call took longer than its deadline."""


class UnexpectedResponse(CometChatError):  # noqa: N818 - a name promised to users
    """A response that is not as described: not JSON, too large, a redirect, `data` of the wrong
    type.

    Attributes:
        status_code: the HTTP status of the response.
        pointer: a JSON pointer to the place in the body that differs from the description, or
            `None`.
        headers: the headers of the response, names in lower case.
        body: the first characters of the body.
        request_id: the identifier of the request that the service or its network gave, for their
            support; or `None`.
        rate_limit: the rate limit as the response gave it.
    """

    FACTS = (*CometChatError.FACTS, "status_code", "pointer", "request_id")

    outcome_unknown = True
    status_code: int | None = None
    pointer: str | None = None
    headers: Mapping[str, str] = _NOTHING
    body: str = ""
    request_id: str | None = None
    rate_limit: RateLimit = RateLimit()


class ApiError(CometChatError):
    """The service refused the request, or failed.

    Attributes:
        status_code: the HTTP status of the response.
        code: the error code of the service, such as `ITEM_NOT_FOUND`; an open set.
        message: the message of the service for users.
        dev_message: its message for developers.
        source: the source of the error, as the service names it.
        details: for each invalid field, a list of messages.
        headers: the headers of the response, names in lower case.
        body: the first characters of the body.
        request_id: the identifier of the request that the service or its network gave, for their
            support; or `None`.
        rate_limit: the rate limit as the response gave it.
        retry_after: the seconds that the service asks us to wait, in `Retry-After`, or after a 429
            until `rate_limit.reset` if that is within a minute; never negative; `None` if it does
            not ask.
    """

    FACTS = (*CometChatError.FACTS, "status_code", "code", "retry_after", "request_id")

    status_code: int = 0
    code: str | None = None
    message: str | None = None
    dev_message: str | None = None
    source: str | None = None
    details: Mapping[str, list[str]] = _NOTHING
    headers: Mapping[str, str] = _NOTHING
    body: str = ""
    request_id: str | None = None
    rate_limit: RateLimit = RateLimit()
    retry_after: float | None = None


class BadRequestError(ApiError):
    """400: the request is invalid."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown, or belongs to another app or region."""


class PermissionDeniedError(ApiError):
    """403: the key, or the user to act for, may not do this."""


class NotFoundError(ApiError):
    """404: there is no such resource, or no such path at this base URL."""


class ConflictError(ApiError):
    """409: the request conflicts with the current state."""


class UnprocessableEntityError(ApiError):
    """422: the service understood the request and does not accept it."""


class RateLimitError(ApiError):
    """429: too many calls; this call was not processed."""


class ServerError(ApiError):
    """5xx: the service failed, or a proxy in front of it."""

    outcome_unknown = True
