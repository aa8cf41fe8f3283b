"""The Python code of a described property: its type, and the check of a value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import normalize

from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol
from openapi_python_client.parser.properties.union import UnionProperty
from openapi_python_client.schema.untrusted_string import UntrustedString
from openapi_python_client.strings import PythonIdentifier

#: The name of the type of arrays.
LIST = "list"
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


def annotation(prop: PropertyProtocol, array: str = LIST) -> str:
    """The type of a property, with this name of the builtin `list`.

    Dates and UUIDs stay text: a conversion to objects and back could change the text.
    """
    if isinstance(prop, ListProperty):
        return f"{array}[{annotation(prop.inner_property, array)}]"
    if isinstance(prop, UnionProperty):
        types = (annotation(inner, array) for inner in prop.inner_properties)
        return " | ".join(dict.fromkeys(types))
    if prop.template.startswith(("date", "uuid")):
        return "str"
    return prop.get_type_string(no_optional=True).as_unembedded_code()


def optional(prop: PropertyProtocol, array: str = LIST) -> str:
    """The type of a property that may be absent."""
    kind = annotation(prop, array)
    return kind if "None" in kind.split(" | ") else f"{kind} | None"


def attribute_name(name: str) -> str:
    """The name of the attribute of a field with this name in JSON."""
    return free_name(PythonIdentifier(name, "field_"))


def free_name(name: str) -> str:
    """The name of an attribute as Python reads it, different from those of every model."""
    read = normalize("NFKC", name)
    return f"{read}_" if read in _BASE_ATTRIBUTES else read


def properties(model: ModelProperty) -> list[PropertyProtocol]:
    """All properties of a model; those that are required come first."""
    return [*(model.required_properties or ()), *(model.optional_properties or ())]


def check_of(prop: PropertyProtocol) -> str | None:
    """The expression that is true if a value has the described type; `None` if `read` of the
    runtime must tell."""
    if isinstance(prop, ModelProperty):
        return _OBJECT_CHECK
    if isinstance(prop, ListProperty):
        kind = kind_of(prop.inner_property)
        is_deep = kind in ("list", "union")
        return None if is_deep else _ARRAY_CHECKS.get(kind, "array_fits(value)")
    if isinstance(prop, UnionProperty):
        checks = [check_of(inner) for inner in prop.inner_properties]
        needs_read = not {None, _OBJECT_CHECK, _OBJECTS_CHECK}.isdisjoint(checks)
        return None if needs_read else f"({' or '.join(map(str, checks))})"
    return _SCALAR_CHECKS.get(kind_of(prop))


def kind_of(prop: PropertyProtocol) -> str:
    """The kind of a property, as one word."""
    return _KIND_OF_TYPE.get(annotation(prop), prop.template.split("_property")[0])
