"""What models and operations share."""

from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from attrs import frozen

T = TypeVar("T")

# A file name (none for a plain field), the bytes, and a content type.
FileTypes: TypeAlias = tuple[str | None, bytes, str | None]
RequestFiles: TypeAlias = list[tuple[str, FileTypes]]


class JsonObject(Protocol):
    """A decoded JSON object, as much of it as reading one takes; a dict is one."""

    def __contains__(self, key: object, /) -> bool: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def get(self, key: str, /) -> Any: ...
    def items(self) -> ItemsView[str, Any]: ...
    def keys(self) -> KeysView[str]: ...
    def values(self) -> ValuesView[Any]: ...


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


def or_none(value: object) -> object:
    """The value, or None for an empty one: a model that nobody asked for more equals one that was asked in vain."""
    return value or None
