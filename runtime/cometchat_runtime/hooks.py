"""The values that the hooks of a client receive: a difference from the description, an attempt."""

from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from .errors import RateLimit


@frozen
class Drift:
    """One place where a response differs from the description. It never contains the value of the
    response.

    Attributes:
        operation: the operation's name, such as `list_items`.
        pointer: a JSON pointer into the body of the response, such as `/data/3/createdAt`.
        expected: the value that the description requires, in words.
    """

    operation: str
    pointer: str
    expected: str

    @property
    def place(self) -> str:
        """The pointer with `*` in place of each index: the same for every record of a list."""
        parts = self.pointer.split("/")
        return "/".join("*" if part.isdigit() else part for part in parts)


@frozen(kw_only=True)
class AttemptRecord:
    """One attempt of a call. It contains no value of the path, no key and no token.

    Attributes:
        operation: the operation's name, such as `get_item`.
        method: the HTTP method, such as `GET`.
        path: the path with the names of its parameters, such as `/items/{item_id}`.
        attempt: the number of the attempt in its call, from 1.
        status_code: the HTTP status; `None` if no complete response arrived.
        error: the name of the error's class, such as `NotFoundError`; `None` after a success.
        duration: seconds from the start of the attempt to the end of its response.
        request_size: bytes of the body that was sent.
        response_size: bytes of the body that was received, after unpacking; `None` if no complete
            response arrived.
        rate_limit: the rate limit as the response gave it.
        retry_in: seconds until the next attempt of the call; `None` if this attempt is its last
            one.
    """

    operation: str
    method: str
    path: str
    attempt: int
    status_code: int | None
    error: str | None
    duration: float
    request_size: int
    response_size: int | None
    rate_limit: RateLimit
    retry_in: float | None


#: Called with each difference between a response and the description.
OnDrift: TypeAlias = Callable[[Drift], object]
#: Called with the record of each attempt.
OnAttempt: TypeAlias = Callable[[AttemptRecord], object]
