"""Calls of operations, and the protocols of the clients that send them."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from attrs import field, frozen

from .types import RequestFiles, Response

T = TypeVar("T")


@frozen(eq=False)
class Operation(Generic[T]):
    """One operation of the description, without the arguments of a call.

    Attributes:
        name: such as `list_roles`.
        method: the HTTP method in capitals.
        path: the path template, such as `/users/{uid}`.
        success: the first and the last status of each range that means success.
        result: the type of the body; `None` if the response has no body.
        parse: reads the decoded body; never raises. The second argument receives the class of each object that does
            not match the description.
    """

    name: str
    method: str
    path: str
    success: tuple[tuple[int, int], ...]
    result: object
    parse: Callable[[Any, list[type] | None], T]


@frozen(eq=False)
class Call(Generic[T]):
    """One call of an operation, with its arguments. The repr does not show them, because some are secrets."""

    operation: Operation[T]
    path_values: Mapping[str, object] = field(repr=False, factory=dict)
    query: Mapping[str, object] = field(repr=False, factory=dict)
    headers: Mapping[str, str] = field(repr=False, factory=dict)
    files: RequestFiles | None = field(repr=False, default=None)
    json: object = field(repr=False, default=None)
    form: Mapping[str, object] | None = field(repr=False, default=None)
    content: bytes | None = field(repr=False, default=None)

    def __reduce__(self) -> str:
        raise TypeError("a call may contain a secret and cannot be pickled")


class Client(Protocol):
    """Any object that can send a call."""

    def send(self, call: Call[T], /) -> Response[T]:
        """Send the call and return a successful response; every other result is raised as an error."""
        ...


class AsyncClient(Protocol):
    """Any object that can send a call from async code."""

    async def send(self, call: Call[T], /) -> Response[T]:
        """Send the call and return a successful response; every other result is raised as an error."""
        ...
