"""The facts about one service that its description cannot express; an overlay states them once."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import field, frozen


@frozen(kw_only=True, eq=False, repr=False)
class ErrorFields:
    """The fields of an error in the body of a response; `None` for each that it does not have.

    `reason` is its text if the body has another shape, such as that of a server in front of the
    service.
    """

    code: str | None = None
    message: str | None = None
    dev_message: str | None = None
    source: str | None = None
    reason: str | None = None
    details: Mapping[str, list[str]] = field(factory=dict)


#: Finds the error in a decoded body, whatever it holds.
ReadError: TypeAlias = Callable[[object], ErrorFields]


@frozen(kw_only=True, eq=False, repr=False)
class Service:
    """The facts about one service.

    Attributes:
        user_agent: the value of the header `User-Agent`.
        base_path: the path that every base URL ends in, such as `/v1`.
        key_header: the header with the API key.
        user_header: the header with the user to act for.
        limit_headers: the spellings of the header with the calls that are allowed, in lower case.
        remaining_headers: those of the header with the calls that are left.
        reset_headers: those of the header with the end of the window, in Unix seconds.
        read_error: finds the error in the decoded body of a response.
    """

    user_agent: str
    base_path: str
    key_header: str
    user_header: str
    limit_headers: tuple[str, ...]
    remaining_headers: tuple[str, ...]
    reset_headers: tuple[str, ...]
    read_error: ReadError
