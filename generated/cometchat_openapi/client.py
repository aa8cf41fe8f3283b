"""Calls of operations, and the protocols of the clients that send them."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast

from attrs import field, frozen

from .types import Model, RequestFiles, Response, read

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
ItemT = TypeVar("ItemT")
MetaT = TypeVar("MetaT")
if TYPE_CHECKING:
    # Type checkers know this module without an installation.
    from typing_extensions import TypeVar as TypeVarWithDefault
    from typing_extensions import deprecated as deprecated

    # `Roles` without an argument has the methods for any client; an overlay names its own client.
    ClientT_co = TypeVarWithDefault("ClientT_co", bound="Client", default="Client", covariant=True)
    AsyncClientT_co = TypeVarWithDefault(
        "AsyncClientT_co", bound="AsyncClient", default="AsyncClient", covariant=True
    )
else:
    ClientT_co, AsyncClientT_co = TypeVar("ClientT_co"), TypeVar("AsyncClientT_co")

#: The address of an app; the names in braces are variables.
SERVER = "https://{appId}.api-{region}.cometchat.io/v3"


class Region(StrEnum):
    """The region of the app. There are no other values."""

    US = "us"
    EU = "eu"
    IN = "in"


DEFAULT_REGION = Region.US


@frozen
class Parameter:
    """What the description says about one parameter of an operation.

    Attributes:
        name: the name in a request, such as `perPage`.
        argument: the name of the argument, such as `per_page`.
        type: the JSON type of its value, such as `integer`; `None` for any type.
        minimum: the smallest number.
        maximum: the largest number.
        choices: the values that are allowed; empty if the set is open.
        default: the value that the service uses if there is none; `None` if that is unknown.
    """

    name: str
    argument: str
    type: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[object, ...] = ()
    default: object = None


@frozen(eq=False)
class Operation(Generic[T_co]):
    """One operation of the description, without the arguments of a call.

    Attributes:
        name: such as `list_roles`.
        method: the HTTP method in capitals.
        path: the path template, such as `/users/{uid}`.
        success: the first and the last status of each range that means success.
        result: the type of the body; `None` if the response has no body.
        parameters: the parameters of path, query and header.
        repeated: arguments whose values the response repeats, with the place of each, as a JSON pointer.
        item_key: the attribute that identifies an item of a list with pages; `None` if there is no such attribute.
    """

    name: str
    method: str
    # The path of a call that the description lacks comes from a user, and may hold a secret by mistake.
    path: str = field(repr=False)
    success: tuple[tuple[int, int], ...]
    result: object
    parameters: tuple[Parameter, ...] = ()
    repeated: tuple[tuple[str, str], ...] = ()
    item_key: str | None = None

    def parse(self, document: object, mismatches: list[type]) -> T_co:
        """Read the decoded body, which is consumed; this never raises. `mismatches` is as for `Model.from_dict`."""
        found, fits = (
            (None, True) if self.result is None else read(self.result, document, mismatches)
        )
        if not fits:
            mismatches.append(object)
        return cast("T_co", found)


@frozen(eq=False)
class Call(Generic[T_co]):
    """One call of an operation, with its arguments. The repr does not show them, because some are secrets."""

    operation: Operation[T_co]
    path_values: Mapping[str, object] = field(repr=False, factory=dict)
    query: Mapping[str, object] = field(repr=False, factory=dict)
    headers: Mapping[str, object] = field(repr=False, factory=dict)
    files: RequestFiles | None = field(repr=False, default=None)
    json: object = field(repr=False, default=None)
    form: Mapping[str, object] | None = field(repr=False, default=None)
    content: bytes | None = field(repr=False, default=None)

    def __reduce__(self) -> str:
        raise TypeError("a call may contain a secret and cannot be pickled")


class _Page(Generic[ItemT, MetaT], ABC):
    """A page of a list. An awaited client reads it later: `_page` is then `None` until the list is awaited."""

    _page: Any = None

    def __init__(self, call: Call[object]) -> None:
        self._call = call

    @property
    def data(self) -> list[ItemT]:
        """The items of this page."""
        return cast("list[ItemT]", self._read_page().data)

    @property
    def meta(self) -> MetaT:
        """The pagination of this page."""
        return cast("MetaT", self._read_page().meta)

    @property
    def page(self) -> Model:
        """The whole page, as its model."""
        return cast("Model", self._read_page())

    @property
    @abstractmethod
    def has_next_page(self) -> bool:
        """Whether the service promises items after this page."""

    def to_dict(self) -> dict[str, Any]:
        """The page as the JSON object that the service sent."""
        return cast("dict[str, Any]", self._read_page().to_dict())

    def _read_page(self) -> Any:
        if self._page is None:
            raise TypeError("await this list before you look at its page, or use `async for`")
        return self._page

    def __repr__(self) -> str:
        return f"<pages of {self._call.operation.name}: {'not yet read' if self._page is None else self._page!r}>"


class Pages(_Page[ItemT, MetaT]):
    """A page of a list; a loop over it yields every item of this page and of all later pages once."""

    @abstractmethod
    def next_page(self) -> Self:
        """Read the page after this one; see `has_next_page`."""

    @abstractmethod
    def pages(self) -> Iterator[Self]:
        """This page, and then all later pages."""

    @abstractmethod
    def __iter__(self) -> Iterator[ItemT]: ...


class AsyncPages(_Page[ItemT, MetaT]):
    """A page of a list; `async for` yields every item of this page and of all later pages once.

    To look at this page only, await this object, and use the result.
    """

    @abstractmethod
    async def next_page(self) -> Self:
        """Read the page after this one; see `has_next_page`."""

    @abstractmethod
    def pages(self) -> AsyncIterator[Self]:
        """This page, and then all later pages."""

    @abstractmethod
    def __await__(self) -> Generator[Any, Any, Self]: ...

    @abstractmethod
    def __aiter__(self) -> AsyncIterator[ItemT]: ...


class Client(Protocol):
    """Any object that can send a call."""

    def pages(self, call: Call[object], /) -> Pages[Any, Any]:
        """Send the call for one page, and return an object that can go on to the following pages."""
        ...

    def send(self, call: Call[T], /) -> Response[T]:
        """Send the call and return a successful response; every other result is raised as an error."""
        ...


class AsyncClient(Protocol):
    """Any object that can send a call from async code, as `Client` does. A list of pages is awaited, or iterated."""

    def pages(self, call: Call[object], /) -> AsyncPages[Any, Any]: ...

    async def send(self, call: Call[T], /) -> Response[T]: ...


class Resource(Generic[T_co]):
    """The methods of one tag, for a client. An overlay names its own client class, which has more methods."""

    def __init__(self, client: T_co, /) -> None:
        self._client = client


def warn_deprecated(name: str, message: str) -> None:
    """Warn that a method is deprecated; by default, Python shows a warning once for each place in a program."""
    warnings.warn(f"{name} is deprecated: {message}", DeprecationWarning, stacklevel=3)


if not TYPE_CHECKING:

    def deprecated(_message):
        """Mark a method for type checkers; the method itself warns, with its full name."""
        return lambda method: method
