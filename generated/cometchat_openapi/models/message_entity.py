from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntity(Model):
    """The sender or the receiver of a message.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        entity: A user, as a message contains it.
        entity_type: The kind of entity.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "entity": "entity",
        "entityType": "entity_type",
    }

    entity: Entity
    entity_type: str
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_entity = src_dict.get("entity")
        if type(v_entity) is dict:
            self.entity = instantiate(Entity)._read(v_entity, mismatches)
        else:
            self.entity = instantiate(Entity)._read({}, mismatches)
            matched += MISMATCH
        self.entity_type = v_entity_type = src_dict.get("entityType")
        if type(v_entity_type) is not str:
            matched += MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 2:
            self._missing = tuple(k for k in ["entity"] if k not in src_dict)
            self._keep_rest(src_dict, mismatches, matched, {"entity": type(v_entity) is dict})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if "entity" not in self._missing:
            fields["entity"] = self.entity.to_dict()
        if self.entity_type is not None:
            fields["entityType"] = self.entity_type
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.entity import Entity
