"""Types that models and operations share."""

import json
from abc import abstractmethod
from collections.abc import Callable, KeysView, Mapping
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from attrs import define, field, frozen

T_co = TypeVar("T_co", covariant=True)

# The file name (`None` for a plain field), the content, and the content type.
FileTypes: TypeAlias = tuple[str | None, str | bytes, str | None]
RequestFiles: TypeAlias = list[tuple[str, FileTypes]]

#: Added to a model's count for a field that does not match the description. No object has this many fields.
MISMATCH = 10**9
#: Creates an instance of a class without calling `__init__`.
instantiate = object.__new__


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


@frozen
class Response(Generic[T_co]):
    """A successful response: its status, its body, its headers with names in lower case, and the body as it is described."""

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
    #: Whether the description allows no other fields.
    IS_CLOSED: ClassVar[bool] = False

    # The additional properties; `None` until there are any or the property is read.
    _extra: dict[str, Any] | None = field(default=None, alias="additional_properties")
    # The described fields that were absent; the attribute of a required object or array is then an empty one.
    _missing: tuple[str, ...] = field(default=(), init=False)

    @property
    def additional_properties(self) -> dict[str, Any]:
        """Unknown fields, nulls, and values of another type than the described object or array.

        `{"note": None}` sends the field `note` as null; an optional attribute that is `None` is not sent.
        """
        if self._extra is None:
            self._extra = {}
        return self._extra

    @classmethod
    def from_dict(
        cls, src_dict: Mapping[str, object], mismatches: list[type] | None = None
    ) -> Self:
        """Read a JSON object. This never raises, and `to_dict` returns the same object.

        Args:
            src_dict: the object.
            mismatches: receives the class of each object that does not match the description. If given,
                `src_dict` is consumed: its arrays of objects are emptied.
        """
        return instantiate(cls)._read(src_dict, mismatches)

    @abstractmethod
    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        """Set all attributes, with code that the generator writes for each model: a loop over a table is four times slower.

        It counts the fields that are present, and the optional fields that are absent. The count equals the number of
        described fields if the object matches the description and has no other fields; else it calls `_keep_rest`.
        """

    def _keep_rest(
        self, src_dict: Mapping[str, object], mismatches: list[type] | None, count: int
    ) -> None:
        """Keep what no attribute holds, and report an object that does not match the description."""
        names = self.JSON_NAMES
        others = _others(type(self))
        extra: dict[str, Any] = {}
        for name, value in src_dict.items():
            if name not in names:
                extra[name], fits = read(others, value, mismatches)
                extra[name] = extra[name] if fits else value
                count += 0 if fits and not self.IS_CLOSED else MISMATCH
            elif value is None or _is_lost(getattr(self, names[name]), value):
                extra[name] = value
                count += 0 if value is not None or name in self.NULLABLE else MISMATCH
        self._extra = extra or None
        self._missing = tuple(name for name in names if name not in src_dict)
        if mismatches is not None and count >= MISMATCH:
            mismatches.append(type(self))

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that this was read from, with all later changes."""
        fields: dict[str, Any] = {}
        for name, attribute in self.JSON_NAMES.items():
            value = to_json(getattr(self, attribute))
            is_absent = name in self._missing and value in (None, {}, [])
            if not is_absent and (value is not None or self.NULLABLE.get(name)):
                fields[name] = value
        return fields | {name: to_json(value) for name, value in (self._extra or {}).items()}

    def to_multipart(self) -> RequestFiles:
        """The form parts, in the order of the description. Only the client can report text that cannot be encoded."""
        fields = {name: getattr(self, attribute) for name, attribute in self.JSON_NAMES.items()} | (
            self._extra or {}
        )
        kinds = {
            name: types_of(type(self))[attribute] for name, attribute in self.JSON_NAMES.items()
        }
        texts = {name for name, kind in kinds.items() if kind in (str, str | None)}
        many = {name for name, kind in kinds.items() if kind in (list[str], list[str] | None)}
        parts = (
            (k, v if isinstance(v, list) and k not in texts else [v])
            for k, v in fields.items()
            if v is not None
        )
        return [
            (name, _part(value, name in texts | many)) for name, values in parts for value in values
        ]

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

    def _repr_pretty_(self, printer: Any, _: bool) -> None:
        """Write the fields in a notebook, with a date beside each time in Unix seconds."""
        with printer.group(4, f"{type(self).__name__}(", ")"):
            for name in self.JSON_NAMES.values():
                if (value := getattr(self, name)) is not None:
                    printer.breakable()
                    printer.text(f"{name}=")
                    printer.pretty(value)
                    if name.endswith("_at") and type(value) is int and 0 <= value < 10**11:
                        printer.text(
                            f" ({datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M:%S} UTC)"
                        )


ModelT = TypeVar("ModelT", bound=Model)


def to_json(value: Any) -> Any:
    """A value with each model in it as a JSON object."""
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, list):
        return [to_json(each) for each in value]
    return value


def _part(value: Any, is_text: bool) -> FileTypes:
    if isinstance(value, File):
        return value.file_name, value.payload, value.mime_type
    if is_text or isinstance(value, str):
        return None, value, None
    return (
        None,
        json.dumps(to_json(value)),
        "application/json" if isinstance(value, Model | dict | list) else None,
    )


def array_fits(value: object, *types: type) -> bool:
    """Whether a value is an array whose items have one of these types; without types, any items."""
    return type(value) is list and (not types or set(types).issuperset(map(type, value)))


def read_all(cls: type[ModelT], items: list[Any], mismatches: list[type] | None) -> list[ModelT]:
    """Read each object of an array, and leave out other items.

    If the array holds only objects, each is removed when it is read, so that the model can use its memory. For a large
    response this saves a third of the time: memory need not grow, and the garbage collector has fewer objects to check.
    """
    if mismatches is None or not array_fits(items, dict):
        return [instantiate(cls)._read(each, mismatches) for each in items if type(each) is dict]
    items.reverse()
    found = []
    while items:
        found.append(instantiate(cls)._read(items.pop(), mismatches))
    return found


#: The type of each attribute of a model.
types_of: Callable[[Any], dict[str, Any]] = cache(get_type_hints)


def _others(model: Any) -> Any:
    """The type of the fields that a model does not describe."""
    return get_args(types_of(model.additional_properties.fget)["return"])[1]


def read(kind: Any, value: Any, mismatches: list[type] | None) -> tuple[Any, bool]:
    """Read a value of any described type; and whether it fits. Objects inside it report themselves."""
    if hasattr(kind, "JSON_NAMES"):
        return (
            (instantiate(kind)._read(value, mismatches), True)
            if type(value) is dict
            else (None, False)
        )
    origin, choices = get_origin(kind), get_args(kind)
    if origin is list and type(value) is list:
        found = [read(choices[0], each, mismatches) for each in value]
        return [each for each, fits in found if fits or each is not None], all(
            fits for _, fits in found
        )
    if origin in (Union, UnionType):
        if type(value) is dict and (
            models := [each for each in choices if hasattr(each, "JSON_NAMES")]
        ):
            return instantiate(_nearest(models, value))._read(value, mismatches), True
        found = [
            read(each, value, mismatches) for each in choices if not hasattr(each, "JSON_NAMES")
        ]
        return next((each for each in found if each[1]), (value, False))
    if origin is Literal:
        return value, any(type(value) is type(each) and value == each for each in choices)
    if origin is list:
        return None, False
    types = (int, float) if kind is float else (kind,)
    return value, kind in (Any, object) or type(value) in types


def _nearest(classes: list[type[Model]], value: dict[str, Any]) -> type[Model]:
    """The first class that an object matches, else the class with most of its fields."""
    for cls in classes if len(classes) > 1 else ():
        differing: list[type] = []
        # A copy, because reading consumes the object.
        cls.from_dict(deepcopy(value), differing)
        if not differing:
            return cls
    return max(classes, key=lambda cls: len(cls.JSON_NAMES.keys() & value.keys()))


def _is_lost(held: object, value: object) -> bool:
    """Whether an attribute does not hold the whole value of its field; the array of a read value may be empty."""
    if isinstance(held, list):
        return type(value) is not list or len(value) > len(held) or any(map(_is_lost, held, value))
    return type(value) is not dict if isinstance(held, Model) else held is None
