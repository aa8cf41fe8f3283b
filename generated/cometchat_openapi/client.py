"""What an operation hands to a client, and what a client is to an operation."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from attrs import field, frozen

from .types import RequestFiles, Response

T = TypeVar("T")


@frozen(eq=False)
class Operation(Generic[T]):
    """What the description says of one operation, whatever the arguments of a call.

    Attributes:
        name: such as `list_roles`.
        method: in capitals.
        path: the template, such as `/users/{uid}`.
        success: first and last of each range of statuses that mean success.
        result: the type of the body, `None` where there is none.
        parse: reads the decoded body; never raises. Its second argument receives the class of each object that departs
            from the description.
    """

    name: str
    method: str
    path: str
    success: tuple[tuple[int, int], ...]
    result: object
    parse: Callable[[Any, list[type] | None], T]


@frozen(eq=False)
class Call(Generic[T]):
    """One call of an operation, with its arguments. Its repr shows none of them: some are secrets."""

    operation: Operation[T]
    path_values: Mapping[str, object] = field(repr=False, factory=dict)
    query: Mapping[str, object] = field(repr=False, factory=dict)
    headers: Mapping[str, str] = field(repr=False, factory=dict)
    files: RequestFiles | None = field(repr=False, default=None)
    json: object = field(repr=False, default=None)
    form: Mapping[str, object] | None = field(repr=False, default=None)
    content: bytes | None = field(repr=False, default=None)

    def __reduce__(self) -> str:
        raise TypeError("a call may hold a secret, and cannot be pickled")


class Client(Protocol):
    """Whoever can send a call."""

    def send(self, call: Call[T], /) -> Response[T]:
        """Send the call and return its success; everything else is raised."""
        ...


class AsyncClient(Protocol):
    """Whoever can send a call, awaited."""

    async def send(self, call: Call[T], /) -> Response[T]:
        """Send the call and return its success; everything else is raised."""
        ...
