from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntity(Model):
    """The sender or the receiver of a message.

    Attributes:
        entity: A user, as a message contains it.
        entity_type: The kind of entity.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "entity": "entity",
        "entityType": "entity_type",
    }

    entity: Entity | None = None
    entity_type: str | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_entity = src_dict.get("entity")
        if type(v_entity) is dict:
            self.entity = instantiate(Entity)._read(v_entity, mismatches)
        else:
            self.entity = None
            matched += 1 if v_entity is None else MISMATCH
        self.entity_type = v_entity_type = src_dict.get("entityType")
        if type(v_entity_type) is not str:
            matched += 1 if v_entity_type is None else MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(src_dict, mismatches, matched, {"entity": type(v_entity) is dict})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.entity is not None:
            fields["entity"] = self.entity.to_dict()
        if self.entity_type is not None:
            fields["entityType"] = self.entity_type
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.entity import Entity
