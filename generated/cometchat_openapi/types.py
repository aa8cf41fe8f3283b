"""Types that models and operations share."""

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from attrs import define, field, frozen

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

# The file name (`None` for a plain field), the content, and the content type.
FileTypes: TypeAlias = tuple[str | None, str | bytes, str | None]
RequestFiles: TypeAlias = list[tuple[str, FileTypes]]


class JsonObject(Protocol):
    """A decoded JSON object, such as a dict, with the methods that reading needs."""

    def __contains__(self, key: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def get(self, key: str, /) -> Any: ...
    def items(self) -> ItemsView[str, Any]: ...
    def keys(self) -> KeysView[str]: ...
    def values(self) -> ValuesView[Any]: ...


#: Added to a model's counter for a field that does not match the description. No object has this many fields.
MISMATCH = 10**9
#: Creates an instance of a class without calling `__init__`.
instantiate = object.__new__


def pop_in_order(items: list[T]) -> Iterator[T]:
    """Yield the items from first to last, and remove each of them from the list.

    The memory of a JSON object is freed as soon as it was read, and the model can use it. For a large response this
    saves a third of the time: memory need not grow, and the garbage collector has fewer objects to check.
    """
    items.reverse()
    while items:
        yield items.pop()


class Secret:
    """A text that no repr, log or pickle shows."""

    __slots__ = ("_text",)

    def __init__(self, text: "str | Secret") -> None:
        self._text: str = text._text if isinstance(text, Secret) else text

    def reveal(self) -> str:
        """The text itself: to send it, or to search another text for it."""
        return self._text

    def __repr__(self) -> str:
        return "<secret>"

    def __reduce__(self) -> str:
        raise TypeError("a secret cannot be pickled")


@frozen
class File:
    """A file to send in a form."""

    payload: bytes
    file_name: str = "file"
    mime_type: str = "application/octet-stream"

    def to_tuple(self) -> FileTypes:
        """File name, content and content type, as a form field needs them."""
        return self.file_name, self.payload, self.mime_type


@frozen
class Response(Generic[T_co]):
    """A successful response of the service.

    Attributes:
        status_code: the HTTP status.
        content: the body.
        headers: the headers, with names in lower case.
        parsed: the body, read into the described type.
    """

    status_code: int
    content: bytes
    headers: Mapping[str, str]
    parsed: T_co


@define(kw_only=True, repr=False, eq=False)
class Model:
    """The methods of every model, in one base class, because a copy in each model would slow down its import."""

    #: The attribute name of each JSON field.
    JSON_NAMES: ClassVar[Mapping[str, str]] = {}
    #: The JSON fields that may be null, and whether each is required.
    NULLABLE: ClassVar[Mapping[str, bool]] = {}

    # The additional properties; `None` until there are any or the property is read.
    _extra: dict[str, Any] | None = field(default=None, alias="additional_properties")

    @property
    def additional_properties(self) -> dict[str, Any]:
        """Unknown fields, nulls, and values of another type than the described object or array.

        `{"note": None}` sends the field `note` as null; an optional attribute that is `None` is not sent.
        """
        if self._extra is None:
            self._extra = {}
        return self._extra

    @classmethod
    def from_dict(cls, src_dict: JsonObject, mismatches: list[type] | None = None) -> Self:
        """Read a JSON object. This never raises, and `to_dict` returns the same object.

        Args:
            src_dict: the object.
            mismatches: receives the class of each object that does not match the description. If given,
                `src_dict` is consumed: its arrays of objects are emptied.
        """
        return instantiate(cls)._read(src_dict, mismatches)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        raise NotImplementedError

    def _keep_rest(
        self, src_dict: JsonObject, mismatches: list[type] | None, matched: int, kept: Mapping[str, bool]
    ) -> None:
        """Keep what no attribute holds, and report an object that does not match the description.

        Args:
            src_dict: the object.
            mismatches: receives the class of the object.
            matched: the count of its fields; at least `MISMATCH` if one of them does not match.
            kept: for each field that contains objects or is an array, whether its attribute holds its whole value.
        """
        # Unknown fields, nulls, and values of another type than the described object or array are kept unchanged.
        extra = {k: v for k, v in src_dict.items() if v is None or not kept.get(k, k in self.JSON_NAMES)}
        self._extra = extra or None
        nulls = {k for k, v in extra.items() if v is None and k in self.JSON_NAMES}
        if mismatches is not None and (matched >= MISMATCH or not nulls <= self.NULLABLE.keys()):
            mismatches.append(type(self))

    @staticmethod
    def _read_as(
        classes: tuple[type["Model"], ...], src_dict: dict[str, Any], mismatches: list[type] | None
    ) -> Any:
        """Read a JSON object as the first class that it matches, else as the class with most of its fields."""
        for cls in classes:
            differing: list[type] = []
            # A copy, because reading consumes the object.
            cls.from_dict(deepcopy(src_dict), differing)
            if not differing:
                return cls.from_dict(src_dict, mismatches)
        nearest = max(classes, key=lambda cls: len(cls.JSON_NAMES.keys() & src_dict.keys()))
        return nearest.from_dict(src_dict, mismatches)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that this was read from, with all later changes."""
        raise NotImplementedError

    @classmethod
    def _to_json(cls, value: object) -> object:
        """The JSON value of an additional property, which may be a model."""
        if isinstance(value, Model):
            return value.to_dict()
        return [cls._to_json(each) for each in value] if isinstance(value, list) else value

    # With these two methods, `dict(model)` is the JSON object, for tools such as FastAPI's `jsonable_encoder`.
    def keys(self) -> KeysView[str]:
        """The names of the fields that `to_dict` returns."""
        return self.to_dict().keys()

    def __getitem__(self, name: str) -> Any:
        return self.to_dict()[name]

    if not TYPE_CHECKING:
        # Without this, Python would iterate over a model with `__getitem__`. A list of records has its own `__iter__`.
        __iter__ = None
        # Models are mutable, and a mutable object must not have a hash. Type checkers count each subclass of a class
        # with this line as incompletely typed.
        __hash__ = None

    def _repr_html_(self) -> str:
        from .frameworks import html_table

        return html_table(self)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> Any:
        from .frameworks import core_schema_of

        return core_schema_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: object, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        from .frameworks import json_schema_of

        return json_schema_of(cls, handler)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__ or not isinstance(other, Model):
            return NotImplemented
        fields = self.JSON_NAMES.values()
        return all(getattr(self, name) == getattr(other, name) for name in fields) and (
            (self._extra or None) == (other._extra or None)
        )

    def __repr__(self) -> str:
        fields = ((name, getattr(self, name)) for name in self.JSON_NAMES.values())
        shown = [f"{name}={value!r}" for name, value in fields if value is not None]
        if self._extra:
            shown.append(f"additional_properties={self._extra!r}")
        return f"{type(self).__name__}({', '.join(shown)})"
