from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntity(Model):
    """One side of a message.

    Attributes:
        entity: A user, as a message names one.
        entity_type: What kind of entity it is.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "entity": "entity",
        "entityType": "entity_type",
    }

    entity: Entity | None = None
    entity_type: str | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        v_entity = get("entity")
        if type(v_entity) is dict:
            self.entity = Entity.from_dict(v_entity, odd)
        else:
            self.entity = None
            known += 1 if v_entity is None else MISFIT
        self.entity_type = v_entity_type = get("entityType")
        if type(v_entity_type) is not str:
            known += 1 if v_entity_type is None else MISFIT
        self._extra = None
        if known != 2:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_entity is not None and not (type(v_entity) is dict):
                extra["entity"] = v_entity
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.entity is not None:
            fields["entity"] = self.entity.to_dict()
        if self.entity_type is not None:
            fields["entityType"] = self.entity_type
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.entity import Entity
