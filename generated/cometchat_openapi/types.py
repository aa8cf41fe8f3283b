"""What models and operations share."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from attrs import define, field, frozen

T = TypeVar("T")

# A file name (none for a plain field), the content, and a content type.
FileTypes: TypeAlias = tuple[str | None, str | bytes, str | None]
RequestFiles: TypeAlias = list[tuple[str, FileTypes]]


class JsonObject(Protocol):
    """A decoded JSON object, as much of it as reading one takes; a dict is one."""

    def __contains__(self, key: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def get(self, key: str, /) -> Any: ...
    def items(self) -> ItemsView[str, Any]: ...
    def keys(self) -> KeysView[str]: ...
    def values(self) -> ValuesView[Any]: ...


#: What a model counts for a field that is not as described: more than any object has fields.
MISFIT = 10**9
#: An instance without the arguments of its class.
new = object.__new__


def drained(items: list[T]) -> Iterator[T]:
    """The items in their order; the list is empty afterwards.

    Each object of an answer is freed when it has been read, and what it is read into takes its place: a third of the
    time of a large answer otherwise goes into finding room, and into the garbage collector's looking at objects that
    are all still held.
    """
    items.reverse()
    while items:
        yield items.pop()


@frozen
class File:
    """A file to send in a form."""

    payload: bytes
    file_name: str = "file"
    mime_type: str = "application/octet-stream"

    def to_tuple(self) -> FileTypes:
        """The parts of a form field."""
        return self.file_name, self.payload, self.mime_type


@frozen
class Response(Generic[T]):
    """A success of the service: what came, and what it means.

    Attributes:
        status_code: the HTTP status.
        content: the body.
        headers: names in lower case.
        parsed: the body as the description types it.
    """

    status_code: int
    content: bytes
    headers: Mapping[str, str]
    parsed: T


@define(kw_only=True, repr=False, eq=False)
class Model:
    """What all models can do. They share it, because writing it into each would make importing them slow."""

    #: What each field is called in JSON.
    JSON_NAMES: ClassVar[Mapping[str, str]] = {}

    # What came beside the described fields; `None` until there is any or somebody asks.
    _extra: dict[str, Any] | None = field(default=None, alias="additional_properties")

    @property
    def additional_properties(self) -> dict[str, Any]:
        """What came beside the described fields, or came in another kind than described."""
        if self._extra is None:
            self._extra = {}
        return self._extra

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__ or not isinstance(other, Model):
            return NotImplemented
        fields = self.JSON_NAMES.values()
        return all(getattr(self, name) == getattr(other, name) for name in fields) and (
            (self._extra or None) == (other._extra or None)
        )

    # Models can be changed, and what can change has no lasting hash.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ((name, getattr(self, name)) for name in self.JSON_NAMES.values())
        told = [f"{name}={value!r}" for name, value in fields if value is not None]
        if self._extra:
            told.append(f"additional_properties={self._extra!r}")
        return f"{type(self).__name__}({', '.join(told)})"
