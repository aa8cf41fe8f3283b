"""The models of a description, as a template prints them."""

from __future__ import annotations

from typing import Any

from attrs import frozen
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from .code import (
    accepts_null,
    annotation,
    attribute,
    declaration,
    holder,
    json_name,
    optional,
    own_imports,
    plain_text,
    properties,
    read_lines,
)
from .schemas import limits


@frozen
class Field:
    """A field of a model: its name in JSON as a literal, its attribute, and its code.

    Attributes:
        holder: the attribute that holds its value; a private one remembers whether it was set.
        type: the type of its attribute.
        accepts_null: whether it may be null.
    """

    json_name: str
    attribute: str
    holder: str
    type: str
    accepts_null: bool
    declaration: str
    description: str
    read_lines: tuple[str, ...]

    @property
    def docstring(self) -> str:
        """The docstring of its property, if it has one."""
        return self.description or self.attribute


@frozen
class ModelView:
    """A model: the data that its template prints.

    Attributes:
        items: the type of the items of `data`, if the model is a whole list of models.
        extra_type: the type of the fields that are not described, if they have one.
    """

    name: str
    description: str
    fields: tuple[Field, ...]
    is_closed: bool
    is_response: bool
    items: str | None
    extra_type: str | None
    imports: tuple[str, ...]
    late_imports: tuple[str, ...]

    @property
    def nullable(self) -> list[Field]:
        """The fields that may be null."""
        return [field for field in self.fields if field.accepts_null]

    @property
    def private(self) -> list[Field]:
        """The fields whose value a private attribute holds, and a property shows."""
        return [field for field in self.fields if field.holder != field.attribute]


def model_view(model: ModelProperty, parts: set[str]) -> ModelView:
    """The view of a model; a class among `parts` is not a list, so that no loop takes a part of a
    list for the whole."""
    name = str(model.class_info.name)
    return ModelView(
        name=name,
        description=plain_text(model.description) or name,
        fields=tuple(_field(model, prop) for prop in properties(model)),
        is_closed=not model.additional_properties,
        is_response=bool(model.required_properties) and not model.is_multipart_body,
        items=None if name in parts else _items(model),
        extra_type=_extra_type(model),
        imports=own_imports(model.relative_imports or ()),
        late_imports=own_imports(model.lazy_imports or ()),
    )


def _field(model: ModelProperty, prop: PropertyProtocol) -> Field:
    dumped: dict[str, Any] = model.data.model_dump(mode="json", by_alias=True, exclude_none=True)
    schema = dumped.get("properties", {}).get(prop.name.get_untrusted_value(), {})
    return Field(
        json_name=json_name(prop),
        attribute=attribute(prop),
        holder=holder(prop),
        type=optional(prop),
        accepts_null=accepts_null(prop),
        declaration=declaration(prop),
        description=plain_text(prop.description) + limits(schema),
        read_lines=tuple(read_lines(prop)),
    )


def _items(model: ModelProperty) -> str | None:
    for prop in model.required_properties or ():
        item = prop.inner_property if isinstance(prop, ListProperty) else None
        if prop.name == "data" and isinstance(item, ModelProperty):
            return annotation(item)
    return None


def _extra_type(model: ModelProperty) -> str | None:
    extra = model.additional_properties
    if isinstance(extra, bool) or extra is None or annotation(extra) == "Any":
        return None
    return annotation(extra)
