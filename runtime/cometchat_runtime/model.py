"""The base of every generated model: it reads any JSON object without an error, and keeps it
whole."""

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, KeysView, Mapping
from copy import deepcopy
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
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

from .secrets import Secret

#: The file name (`None` for a plain field), the content, and the content type.
FileTypes: TypeAlias = tuple[str | None, str | bytes, str | None]
RequestFiles: TypeAlias = list[tuple[str, FileTypes]]

#: Added to a model's count for a field that does not match the description. No object has this many
#: fields.
MISMATCH = 10**9
#: Creates an instance of a class without calling `__init__`.
instantiate = object.__new__

_SECRET_NAME = re.compile(
    r"""
    passw(?:or)?d | passphrase | secret | token | credential | authorization | cookie
    | (?:api | access | private)[-_]?key       # apiKey, private_key
    """,
    re.IGNORECASE | re.VERBOSE,
)
_HIDDEN = Secret("")


class _Absent(Enum):
    """A type of one value, which copies and pickles of a model keep."""

    ABSENT = "absent"


#: In the place of an optional field that may be null, and was not set: a null that was set is sent.
ABSENT: Any = _Absent.ABSENT

#: The words for the types of scalars.
SCALARS: Mapping[object, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    NoneType: "null",
}
#: The origins of a type that is one of several.
UNIONS = (Union, UnionType)
# The types of a text, and of several texts.
_TEXT = (str, str | None)
_TEXTS = (list[str], list[str] | None)


@frozen
class File:
    """A file to send in a form.

    Attributes:
        payload: its content.
        file_name: its name.
        mime_type: its content type.
    """

    payload: bytes
    file_name: str = "file"
    mime_type: str = "application/octet-stream"


@define(kw_only=True, repr=False, eq=False)
class Model:
    """The methods of every model, in one base class: a copy in each model would slow down its
    import."""

    #: The attribute name of each JSON field.
    JSON_NAMES: ClassVar[Mapping[str, str]] = {}
    #: The JSON fields that may be null, and the attribute that holds each: for an optional field, a
    #: private one, which is `ABSENT` until it is set.
    NULLABLE: ClassVar[Mapping[str, str]] = {}
    #: Whether the description allows no other fields.
    IS_CLOSED: ClassVar[bool] = False

    # The additional properties; `None` until there are any or the property is read.
    _extra: dict[str, Any] | None = field(default=None, alias="additional_properties")
    # The described fields that were absent; the attribute of a required object or array is then an
    # empty one.
    _missing: tuple[str, ...] = field(default=(), init=False)

    @property
    def additional_properties(self) -> dict[str, Any]:
        """Unknown fields, nulls, and values of another type than the described object or array.

        `{"note": None}` sends the field `note` as null, although the description does not allow a
        null. An optional attribute that is `None` is not sent, unless the field may be null.
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
            mismatches: receives the class of each object that does not match the description. If
                it is passed, `src_dict` is consumed: its arrays of objects are emptied.
        """
        return instantiate(cls)._read(src_dict, mismatches)

    @abstractmethod
    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        """Set all attributes, with code that is generated for each model: a loop over a table is
        four times slower.

        It counts the fields that are present, and the optional fields that are absent. The count
        equals the number of described fields if the object matches the description and has no
        other fields. Otherwise the method calls `_keep_rest`.
        """

    def _keep_rest(
        self, src_dict: Mapping[str, object], mismatches: list[type] | None, count: int
    ) -> None:
        """Keep the values that no attribute holds, and report an object that does not match."""
        extra: dict[str, Any] = {}
        matches = count < MISMATCH
        for name, value in src_dict.items():
            if name not in self.JSON_NAMES:
                extra[name], fits = self._read_other(value, mismatches)
            elif value is None and name in self.NULLABLE:
                fits = True
            elif _is_lost(getattr(self, self.JSON_NAMES[name]), value):
                extra[name] = value
                fits = value is not None
            else:
                fits = True
            matches = matches and fits
        self._extra = extra or None
        self._missing = tuple(self.JSON_NAMES.keys() - src_dict.keys())
        if mismatches is not None and not matches:
            mismatches.append(type(self))

    def _read_other(self, value: object, mismatches: list[type] | None) -> tuple[Any, bool]:
        """Read a field that is not described; and whether such a field may be there."""
        read_value, fits = read(type_of_others(type(self)), value, mismatches)
        if not fits:
            return value, False
        return read_value, not self.IS_CLOSED

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that this was read from, with all later changes."""
        fields: dict[str, Any] = {}
        nullable = self.NULLABLE
        doubtful = {*self._missing, *(self._extra or ())}
        for name, attribute in self.JSON_NAMES.items():
            value = getattr(self, nullable.get(name, attribute))
            if value is ABSENT or (value is None and name not in nullable):
                continue
            if name not in doubtful or not self._is_as_read(name):
                fields[name] = to_json(value)
        if self._extra:
            fields |= self._rest(fields)
        return fields

    def _rest(self, fields: Mapping[str, object]) -> dict[str, Any]:
        """The values that no attribute holds."""
        extra = self._extra or {}
        return {name: to_json(value) for name, value in extra.items() if name not in fields}

    def _held(self, name: str) -> Any:
        """The value of a described field, or `ABSENT`."""
        return getattr(self, self.NULLABLE.get(name, self.JSON_NAMES[name]))

    def _is_as_read(self, name: str) -> bool:
        """Whether an attribute has not been set since its field was read: the field was absent, or
        had a value that the attribute does not hold."""
        extra = self._extra or {}
        source = {name: extra[name]} if name in extra else {}
        return bool(self._held(name) == self.from_dict(source)._held(name))

    def to_multipart(self) -> RequestFiles:
        """The form parts, in the order of the description.

        Only the client can report text that cannot be encoded.
        """
        parts: RequestFiles = []
        types = types_of(type(self))
        for name, attribute in self.JSON_NAMES.items():
            parts += _parts(name, getattr(self, attribute), types[attribute])
        for name, value in (self._extra or {}).items():
            parts += _parts(name, value, Any)
        return parts

    # With these two methods, `dict(model)` is the JSON object, for tools such as FastAPI's
    # `jsonable_encoder`.
    def keys(self) -> KeysView[str]:
        """The names of the fields that `to_dict` returns."""
        return self.to_dict().keys()

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    if not TYPE_CHECKING:
        # Without this, Python would iterate over a model with `__getitem__`. A list of records has
        # its own `__iter__`.
        __iter__ = None
        # Models are mutable, and a mutable object must not have a hash. Type checkers count each
        # subclass of a class with this line as incompletely typed.
        __hash__ = None

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> Any:
        from .frameworks import core_schema_of  # noqa: PLC0415 - only pydantic needs it

        return core_schema_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: object, handler: Callable[[Any], dict[str, Any]]
    ) -> dict[str, Any]:
        from .frameworks import json_schema_of  # noqa: PLC0415 - only pydantic needs it

        return json_schema_of(cls, handler)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__ or not isinstance(other, Model):
            return NotImplemented
        if (self._extra or None) != (other._extra or None):
            return False
        return all(self._held(name) == other._held(name) for name in self.JSON_NAMES)

    def __rich_repr__(self) -> Iterator[tuple[str, object]]:
        """The fields that a repr shows; rich asks for them."""
        for name in self.JSON_NAMES.values():
            value = getattr(self, name)
            if value is not None:
                yield name, without_secrets(name, value)
        if self._extra:
            yield "additional_properties", without_secrets("", self._extra)

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self.__rich_repr__()]
        return f"{type(self).__name__}({', '.join(shown)})"


def without_secrets(name: str, value: object) -> object:
    """The value of a field for a repr: if its name announces a secret, it is hidden."""
    if _SECRET_NAME.search(name) and value is not None:
        return _HIDDEN
    if isinstance(value, Mapping):
        return {key: without_secrets(str(key), item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_secrets("", item) for item in value]
    return value


ModelT = TypeVar("ModelT", bound=Model)


def to_json(value: Any) -> Any:
    """A value with each model in it as a JSON object."""
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, list):
        return [to_json(item) for item in value]
    return value


def _parts(name: str, value: object, kind: object) -> RequestFiles:
    """The parts of a form for a field of this type; an array becomes several parts."""
    if value is None:
        return []
    is_text = kind in _TEXT
    items = value if isinstance(value, list) and not is_text else [value]
    return [(name, _part(item, is_text=is_text or kind in _TEXTS)) for item in items]


def _part(value: Any, *, is_text: bool) -> FileTypes:
    if isinstance(value, File):
        return value.file_name, value.payload, value.mime_type
    if is_text or isinstance(value, str):
        return None, value, None
    is_json = isinstance(value, Model | dict | list)
    return None, json.dumps(to_json(value)), "application/json" if is_json else None


def array_fits(value: object, *types: type) -> bool:
    """Whether a value is an array whose items have one of these types; without types, any items."""
    if type(value) is not list:
        return False
    return not types or set(types).issuperset(map(type, value))


def read_all(cls: type[ModelT], items: list[Any], mismatches: list[type] | None) -> list[ModelT]:
    """Read each object of an array, and leave out other items.

    If the array holds only objects, each is removed when it is read, so that the model can use its
    memory. For a large response this saves a third of the time: memory need not grow, and the
    garbage collector has fewer objects to check.
    """
    if mismatches is None or not array_fits(items, dict):
        # `_keep_rest` keeps an array with other items as it came, so nothing of it may be consumed.
        return [instantiate(cls)._read(item, None) for item in items if type(item) is dict]
    items.reverse()
    models = []
    while items:
        models.append(instantiate(cls)._read(items.pop(), mismatches))
    return models


def _types_of(model: Any) -> dict[str, Any]:
    return {name.removeprefix("_set_"): kind for name, kind in get_type_hints(model).items()}


#: The type of each attribute of a model, also of those that a private attribute holds.
types_of: Callable[[Any], dict[str, Any]] = cache(_types_of)


def type_of_others(model: Any) -> Any:
    """The type of the fields that a model does not describe."""
    return get_args(types_of(model.additional_properties.fget)["return"])[1]


def is_model(kind: object) -> bool:
    """Whether a described type is a class of models."""
    return isinstance(kind, type) and issubclass(kind, Model)


def mismatch(kind: object, value: object) -> str | None:
    """The required value in words if a value is of another type; the values in it do not count."""
    if get_origin(kind) in UNIONS:
        required = [mismatch(choice, value) for choice in get_args(kind)]
        return None if None in required else required[0]
    has_type, words = _compared(kind, value)
    return None if has_type else words


def _compared(kind: object, value: object) -> tuple[bool, str]:
    """Whether a value has a type that is not a union, and the type in words."""
    origin = get_origin(kind)
    if is_model(kind):
        return type(value) is dict, "an object"
    if origin is list:
        return type(value) is list, "an array"
    if origin is Literal:
        choices = get_args(kind)
        return _is_choice(value, choices), f"one of {', '.join(map(repr, choices))}"
    return _has_type(kind, value), SCALARS.get(kind, "of the described type")


def _is_choice(value: object, choices: tuple[object, ...]) -> bool:
    # In Python, 1 equals True.
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _has_type(kind: object, value: object) -> bool:
    """Whether a scalar has its type by the rules of JSON Schema: 5.0 is an integer, true is not a
    number."""
    if kind in (Any, object) or type(value) is kind:
        return True
    if type(value) is int:
        return kind is float
    return kind is int and isinstance(value, float) and value.is_integer()


def read(kind: Any, value: Any, mismatches: list[type] | None) -> tuple[Any, bool]:
    """Read a value of any described type; and whether it fits.

    Objects inside it report themselves.
    """
    fits = _fits(kind, value)
    # A value that does not fit is kept as it came, so nothing of it may be consumed.
    return _read_value(kind, value, mismatches if fits else None), fits


def _fits(kind: object, value: Any) -> bool:
    """Whether a value has a type, with all items of its arrays; the fields of objects do not
    count."""
    origin = get_origin(kind)
    if origin in UNIONS:
        return any(_fits(choice, value) for choice in get_args(kind))
    if mismatch(kind, value) is not None:
        return False
    return origin is not list or all(_fits(get_args(kind)[0], item) for item in value)


def _read_value(kind: Any, value: Any, mismatches: list[type] | None) -> Any:
    """A value with models in place of its objects; `None` in place of an object or an array that is
    of another type."""
    origin = get_origin(kind)
    if origin in UNIONS:
        return _read_alternative(get_args(kind), value, mismatches)
    if is_model(kind):
        return instantiate(kind)._read(value, mismatches) if type(value) is dict else None
    if origin is not list:
        return value
    if type(value) is not list:
        return None
    (item_kind,) = get_args(kind)
    items = []
    for item in value:
        read_item = _read_value(item_kind, item, mismatches)
        # An item that cannot be read at all is left out; `_is_lost` then keeps the whole array.
        if read_item is not None or _fits(item_kind, item):
            items.append(read_item)
    return items


def _read_alternative(kinds: tuple[Any, ...], value: Any, mismatches: list[type] | None) -> Any:
    models = [kind for kind in kinds if is_model(kind)]
    if type(value) is dict and models:
        return instantiate(_nearest(models, value))._read(value, mismatches)
    for kind in kinds:
        if _fits(kind, value):
            return _read_value(kind, value, mismatches)
    return value


def _nearest(classes: list[type[Model]], value: dict[str, Any]) -> type[Model]:
    """The first class that an object matches, else the class with most of its fields."""
    if len(classes) == 1:
        return classes[0]
    for cls in classes:
        mismatches: list[type] = []
        # A copy, because reading consumes the object.
        cls.from_dict(deepcopy(value), mismatches)
        if not mismatches:
            return cls
    return max(classes, key=lambda cls: len(cls.JSON_NAMES.keys() & value.keys()))


def _is_lost(attribute: object, value: object) -> bool:
    """Whether an attribute does not hold the whole value of its field.

    No attribute holds a null. The array of a read value may be empty.
    """
    if value is None:
        return True
    if isinstance(attribute, list):
        if type(value) is not list or len(value) > len(attribute):
            return True
        return any(map(_is_lost, attribute, value))
    if isinstance(attribute, Model):
        return type(value) is not dict
    return attribute is None
