"""The Python code of a described property: its type, the check of a value, and its reading."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.literal_enum_property import LiteralEnumProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import PythonIdentifier

#: Attributes of the base class of models; a property with such a name gets an underscore.
_BASE_ATTRIBUTES = frozenset(
    {"additional_properties", "from_dict", "keys", "to_dict", "to_multipart"}
)
#: The kind of a property, by its type, where several kinds share a template.
_KIND_OF_TYPE = {"str": "string", "Any": "any", "None": "none"}
#: The check of a scalar, by its kind.
_SCALAR_CHECKS = {
    "string": "type({value}) is str",
    "int": "type({value}) is int",
    "float": "(type({value}) is float or type({value}) is int)",
    "boolean": "type({value}) is bool",
    "none": "{value} is None",
    "model": "type({value}) is dict",
}
#: The classes of the items of an array, by their kind; items of other kinds are not checked here.
_ITEM_CLASSES = {
    "string": ", str",
    "int": ", int",
    "float": ", int, float",
    "boolean": ", bool",
    "model": ", dict",
}


def plain_text(text: UntrustedString | str | None) -> str:
    """A text of the description; the templates escape it for its place."""
    if isinstance(text, UntrustedString):
        return text.get_untrusted_value()
    return text or ""


def own_imports(lines: Iterable[str]) -> tuple[str, ...]:
    """The imports of models, without those of the generator's own `types` module, which has no
    counterpart in the package."""
    return tuple(sorted(line for line in lines if "types import" not in line))


def annotation(prop: PropertyProtocol) -> str:
    """The type of a property.

    Dates and UUIDs stay text: a conversion to objects and back could change the text.
    """
    if isinstance(prop, ListProperty):
        return f"list[{annotation(prop.inner_property)}]"
    if isinstance(prop, UnionProperty):
        types = (annotation(inner) for inner in prop.inner_properties)
        return " | ".join(dict.fromkeys(types))
    if prop.template.startswith(("date", "uuid")):
        return "str"
    return prop.get_type_string(no_optional=True).as_unembedded_code()


def optional(prop: PropertyProtocol) -> str:
    """The type of a property that may be absent."""
    kind = annotation(prop)
    return kind if "None" in kind.split(" | ") else f"{kind} | None"


def attribute(prop: PropertyProtocol) -> str:
    """The name of the attribute of a property."""
    return _free_name(str(prop.python_name))


def attribute_name(name: str) -> str:
    """The name of the attribute of a field with this name in JSON."""
    return _free_name(PythonIdentifier(name, "field_"))


def _free_name(name: str) -> str:
    return f"{name}_" if name in _BASE_ATTRIBUTES else name


def json_name(prop: PropertyProtocol) -> str:
    """The name of a property in JSON, as a literal of Python."""
    return json.dumps(prop.name.get_untrusted_value())


def accepts_null(prop: PropertyProtocol) -> bool:
    """Whether the description allows `null`."""
    return _kind(prop) == "any" or "None" in annotation(prop).split(" | ")


def holder(prop: PropertyProtocol) -> str:
    """The attribute that holds the value: a private one if it remembers whether it was set."""
    is_private = accepts_null(prop) and not prop.required
    return f"_set_{attribute(prop)}" if is_private else attribute(prop)


def declaration(prop: PropertyProtocol) -> str:
    """The attribute that holds the value of a property, as its class declares it."""
    if prop.required:
        return f"{attribute(prop)}: {annotation(prop)}"
    default = "None"
    if accepts_null(prop):
        default = f'_attrs_field(default=ABSENT, alias="{attribute(prop)}")'
    return f"{holder(prop)}: {optional(prop)} = {default}"


def read_lines(prop: PropertyProtocol) -> Iterator[str]:
    """The statements that read a property, and count a mismatch."""
    name = json_name(prop)
    place = f"self.{holder(prop)}"
    if accepts_null(prop) and not prop.required:
        kind = f'types_of(type(self))["{attribute(prop)}"]'
        yield f"if {name} in src_dict:"
        yield f"    {place}, fits = read({kind}, get({name}), mismatches)"
        yield "    count += 0 if fits else MISMATCH"
        yield "else:"
        yield f"    {place} = ABSENT"
        yield "    count += 1"
    elif _kind(prop) == "model":
        yield f"value = get({name})"
        yield _count("type(value) is dict", prop)
        yield f"{place} = {_read_object(prop)}"
    elif _holds_models_deeply(prop):
        yield f"value = get({name})"
        yield f'{place}, fits = read(types_of(type(self))["{attribute(prop)}"], value, mismatches)'
        yield _count("fits and value is not None", prop)
    elif isinstance(prop, ListProperty):
        yield f"value = get({name})"
        yield _count(_check(prop, "value"), prop)
        yield f"{place} = {_read_array(prop)} if type(value) is list else {_no_array(prop)}"
    else:
        yield f"{place} = value = get({name})"
        yield _count(_check(prop, "value"), prop)
    if prop.required and accepts_null(prop):
        yield f"count += 0 if value is not None or {name} in src_dict else MISMATCH"


def _count(check: str, prop: PropertyProtocol) -> str:
    may_be_absent = not prop.required or accepts_null(prop)
    absent = "1 if value is None else MISMATCH" if may_be_absent else "MISMATCH"
    return f"count += 0 if {check} else {absent}"


def _read_object(prop: PropertyProtocol) -> str:
    read = f"instantiate({_class_of(prop)})._read"
    if prop.required:
        return f"{read}(value if type(value) is dict else {{}}, mismatches)"
    return f"{read}(value, mismatches) if type(value) is dict else None"


def _read_array(prop: ListProperty) -> str:
    if _kind(prop.inner_property) != "model":
        return "value"
    return f"read_all({_class_of(prop.inner_property)}, value, mismatches)"


def _no_array(prop: ListProperty) -> str:
    return "[]" if prop.required else "None"


def _class_of(prop: PropertyProtocol) -> str:
    assert isinstance(prop, ModelProperty)
    return str(prop.class_info.name)


def _kind(prop: PropertyProtocol) -> str:
    """The kind of a property, as one word."""
    return _KIND_OF_TYPE.get(annotation(prop), prop.template.split("_property")[0])


def _holds_models_deeply(prop: PropertyProtocol) -> bool:
    """Whether a value holds a model in a place that only `read` of the runtime reaches."""
    if isinstance(prop, ListProperty):
        return _kind(prop.inner_property) in ("list", "union")
    if isinstance(prop, UnionProperty):
        return any(map(_is_or_holds_model, prop.inner_properties))
    return False


def _is_or_holds_model(prop: PropertyProtocol) -> bool:
    if isinstance(prop, ListProperty) and _kind(prop.inner_property) == "model":
        return True
    return _kind(prop) == "model" or _holds_models_deeply(prop)


def _check(prop: PropertyProtocol, value: str) -> str:
    """The expression that is true if a value has the described type."""
    kind = _kind(prop)
    if kind in _SCALAR_CHECKS:
        return _SCALAR_CHECKS[kind].format(value=value)
    if isinstance(prop, ListProperty):
        return f"array_fits({value}{_ITEM_CLASSES.get(_kind(prop.inner_property), '')})"
    if isinstance(prop, LiteralEnumProperty):
        cls = prop.get_instance_type_string().as_unembedded_code()
        return f"(type({value}) is {cls} and {value} in {sorted(prop.values)})"
    if isinstance(prop, ConstProperty):
        return f"{value} == {prop.value.python_code.as_unembedded_code()}"
    if isinstance(prop, UnionProperty):
        checks = (_check(inner, value) for inner in prop.inner_properties)
        return f"({' or '.join(checks)})"
    return f"{value} is not None"
