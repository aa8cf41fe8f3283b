"""The Python code of a described property: its type, the check of a value, and its reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import PythonIdentifier

#: Attributes of the base class of models; a property with such a name gets an underscore.
_BASE_ATTRIBUTES = frozenset(
    {"additional_properties", "from_dict", "keys", "to_dict", "to_multipart"}
)
# An import of the generator's own module, for example `from ...types import UNSET`; the module of a
# model may end in `types` too.
_TYPES_MODULE = re.compile(r"from \.+types import ")
#: The kind of a property, by its type, where several kinds share a template.
_KIND_OF_TYPE = {"str": "string", "Any": "any", "None": "none"}
#: The check of a scalar, by its kind.
_SCALAR_CHECKS = {
    "string": "type(value) is str",
    "int": "type(value) is int",
    "float": "(type(value) is float or type(value) is int)",
    "boolean": "type(value) is bool",
    "none": "value is None",
    "file": "value is not None",
}
_OBJECT_CHECK = "type(value) is dict"
_OBJECTS_CHECK = "array_fits(value, dict)"
#: The check of an array, by the kind of its items; items of other kinds are not checked.
_ARRAY_CHECKS = {
    "string": "array_fits(value, str)",
    "int": "array_fits(value, int)",
    "float": "array_fits(value, int, float)",
    "boolean": "array_fits(value, bool)",
    "model": _OBJECTS_CHECK,
}


def plain_text(text: UntrustedString | str | None) -> str:
    """A text of the description; the templates escape it for its place."""
    if isinstance(text, UntrustedString):
        return text.get_untrusted_value()
    return text or ""


def own_imports(lines: Iterable[str]) -> tuple[str, ...]:
    """The imports of models, without those of the generator's own `types` module, which has no
    counterpart in the package."""
    return tuple(sorted(line for line in lines if not _TYPES_MODULE.match(line)))


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


def properties(model: ModelProperty) -> list[PropertyProtocol]:
    """All properties of a model; those that are required come first."""
    return [*(model.required_properties or ()), *(model.optional_properties or ())]


def json_name(prop: PropertyProtocol) -> str:
    """The name of a property in JSON, as a literal of Python."""
    return repr(prop.name.get_untrusted_value())


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
    """The statements that read a property, and count a mismatch.

    Special code for common kinds is faster than `read` of the runtime.
    """
    name = json_name(prop)
    place = f"self.{holder(prop)}"
    kind = f'types_of(type(self))["{attribute(prop)}"]'
    check = _check(prop)
    if accepts_null(prop) and not prop.required:
        yield f"if {name} in src_dict:"
        yield f"    {place}, fits = read({kind}, get({name}), mismatches)"
        yield "    count += 0 if fits else MISMATCH"
        yield "else:"
        yield f"    {place} = ABSENT"
        yield "    count += 1"
        return
    if check is None:
        yield f"value = get({name})"
        yield f"{place}, fits = read({kind}, value, mismatches)"
        yield _count("fits and value is not None", prop)
    elif isinstance(prop, ModelProperty | ListProperty):
        yield f"value = get({name})"
        yield _count(check, prop)
        yield f"{place} = {_read_container(prop)}"
    else:
        yield f"{place} = value = get({name})"
        yield _count(check, prop)
    if accepts_null(prop):
        yield f"count += 0 if value is not None or {name} in src_dict else MISMATCH"


def _count(check: str, prop: PropertyProtocol) -> str:
    may_be_absent = not prop.required or accepts_null(prop)
    absent = "1 if value is None else MISMATCH" if may_be_absent else "MISMATCH"
    return f"count += 0 if {check} else {absent}"


def _read_container(prop: ModelProperty | ListProperty) -> str:
    """The expression that reads an object or an array."""
    if isinstance(prop, ModelProperty):
        read = f"instantiate({annotation(prop)})._read"
        if prop.required:
            return f"{read}(value if type(value) is dict else {{}}, mismatches)"
        return f"{read}(value, mismatches) if type(value) is dict else None"
    item = prop.inner_property
    is_model = isinstance(item, ModelProperty)
    read = f"read_all({annotation(item)}, value, mismatches)" if is_model else "value"
    return f"{read} if type(value) is list else {'[]' if prop.required else 'None'}"


def _check(prop: PropertyProtocol) -> str | None:
    """The expression that is true if a value has the described type; `None` if `read` of the
    runtime must tell."""
    if isinstance(prop, ModelProperty):
        return _OBJECT_CHECK
    if isinstance(prop, ListProperty):
        kind = _kind(prop.inner_property)
        is_deep = kind in ("list", "union")
        return None if is_deep else _ARRAY_CHECKS.get(kind, "array_fits(value)")
    if isinstance(prop, UnionProperty):
        checks = [_check(inner) for inner in prop.inner_properties]
        needs_read = not {None, _OBJECT_CHECK, _OBJECTS_CHECK}.isdisjoint(checks)
        return None if needs_read else f"({' or '.join(map(str, checks))})"
    return _SCALAR_CHECKS.get(_kind(prop))


def _kind(prop: PropertyProtocol) -> str:
    """The kind of a property, as one word."""
    return _KIND_OF_TYPE.get(annotation(prop), prop.template.split("_property")[0])
