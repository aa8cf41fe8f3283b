"""The models of a description, as a template prints them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen
from openapi_python_client.parser.properties import ModelProperty
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from .code import (
    annotation,
    check_of,
    free_name,
    kind_of,
    optional,
    own_imports,
    plain_text,
    properties,
)
from .schemas import limits


@frozen
class Field:
    """A field of a model, and the code about it."""

    model: ModelProperty
    prop: PropertyProtocol

    @property
    def json_name(self) -> str:
        """Its name in JSON, as a literal of Python."""
        return repr(self.prop.name.get_untrusted_value())

    @property
    def attribute(self) -> str:
        """The name of its attribute."""
        return free_name(str(self.prop.python_name))

    @property
    def type(self) -> str:
        """The type of its attribute."""
        return optional(self.prop)

    @property
    def accepts_null(self) -> bool:
        """Whether it may be null."""
        return kind_of(self.prop) == "any" or "None" in annotation(self.prop).split(" | ")

    @property
    def is_private(self) -> bool:
        """Whether a private attribute holds its value, and remembers whether it was set."""
        return self.accepts_null and not self.prop.required

    @property
    def holder(self) -> str:
        """The attribute that holds its value."""
        return f"_set_{self.attribute}" if self.is_private else self.attribute

    @property
    def description(self) -> str:
        """Its description, with the limits of its schema."""
        schemas = self.model.data.properties or {}
        schema = schemas.get(self.prop.name)
        dumped = schema.model_dump(mode="json", by_alias=True, exclude_none=True) if schema else {}
        return plain_text(self.prop.description) + limits(dumped)

    @property
    def docstring(self) -> str:
        """The docstring of its property, if it has one."""
        return self.description or self.attribute

    @property
    def declaration(self) -> str:
        """The attribute that holds its value, as the class declares it."""
        if self.prop.required:
            return f"{self.attribute}: {annotation(self.prop)}"
        default = "None"
        if self.is_private:
            default = f'_attrs_field(default=ABSENT, alias="{self.attribute}")'
        return f"{self.holder}: {self.type} = {default}"

    @property
    def read_lines(self) -> Iterator[str]:
        """The statements that read it, and count a mismatch.

        Special code for common kinds is faster than `read` of the runtime.
        """
        name = self.json_name
        place = f"self.{self.holder}"
        kind = f'types_of(type(self))["{self.attribute}"]'
        check = check_of(self.prop)
        if self.is_private:
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
            yield self._count("fits and value is not None")
        elif isinstance(self.prop, ModelProperty | ListProperty):
            yield f"value = get({name})"
            yield self._count(check)
            yield f"{place} = {_read_container(self.prop)}"
        else:
            yield f"{place} = value = get({name})"
            yield self._count(check)
        if self.accepts_null:
            yield f"count += 0 if value is not None or {name} in src_dict else MISMATCH"

    def _count(self, check: str) -> str:
        may_be_absent = not self.prop.required or self.accepts_null
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


@frozen
class ModelView:
    """A model, as its template prints it."""

    model: ModelProperty
    #: The classes that are a part of a list. No loop takes a part for the whole.
    parts: frozenset[str] = field(kw_only=True)

    @property
    def name(self) -> str:
        """The name of its class."""
        return str(self.model.class_info.name)

    @property
    def description(self) -> str:
        """Its description, or else its name."""
        return plain_text(self.model.description) or self.name

    @property
    def fields(self) -> list[Field]:
        """Its fields."""
        return [Field(self.model, prop) for prop in properties(self.model)]

    @property
    def nullable(self) -> list[Field]:
        """The fields that may be null."""
        return [each for each in self.fields if each.accepts_null]

    @property
    def private(self) -> list[Field]:
        """The fields whose value a private attribute holds, and a property shows."""
        return [each for each in self.fields if each.is_private]

    @property
    def is_closed(self) -> bool:
        """Whether it has no other fields."""
        return not self.model.additional_properties

    @property
    def is_response(self) -> bool:
        """Whether a response can lack a required field."""
        return bool(self.model.required_properties) and not self.model.is_multipart_body

    @property
    def items(self) -> str | None:
        """The type of the items of `data`, if the model is a whole list of models."""
        if self.name in self.parts:
            return None
        for prop in self.model.required_properties or ():
            item = prop.inner_property if isinstance(prop, ListProperty) else None
            if prop.name == "data" and isinstance(item, ModelProperty):
                return annotation(item)
        return None

    @property
    def extra_type(self) -> str | None:
        """The type of the fields that are not described, if they have one."""
        extra = self.model.additional_properties
        if isinstance(extra, bool) or extra is None or annotation(extra) == "Any":
            return None
        return annotation(extra)

    @property
    def imports(self) -> tuple[str, ...]:
        """The imports before its class."""
        return own_imports(self.model.relative_imports or ())

    @property
    def late_imports(self) -> tuple[str, ...]:
        """The imports after its class."""
        return own_imports(self.model.lazy_imports or ())
