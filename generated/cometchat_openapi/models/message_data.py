from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageData(Model):
    """What a message holds. A text message has text; other kinds bring fields of their own, such as url and
    attachments, which stay reachable as additional properties.

    Attributes:
        text: The text.
        resource: The sending client.
        entities: Who sent and who received a message.
        moderation: What moderation found.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "text": "text",
        "resource": "resource",
        "entities": "entities",
        "moderation": "moderation",
    }

    text: str | None = None
    resource: str | None = None
    entities: MessageEntities | None = None
    moderation: Moderation | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.text = v_text = get("text")
        self.resource = v_resource = get("resource")
        v_entities = get("entities")
        self.entities = MessageEntities.from_dict(v_entities, odd) if type(v_entities) is dict else None
        v_moderation = get("moderation")
        self.moderation = Moderation.from_dict(v_moderation, odd) if type(v_moderation) is dict else None
        self._extra = None
        fits = (
            (type(v_text) is str or "text" not in src_dict)
            and (type(v_resource) is str or "resource" not in src_dict)
            and (type(v_entities) is dict or "entities" not in src_dict)
            and (type(v_moderation) is dict or "moderation" not in src_dict)
        )
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_entities is not None and not (type(v_entities) is dict):
                extra["entities"] = v_entities
            if v_moderation is not None and not (type(v_moderation) is dict):
                extra["moderation"] = v_moderation
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.text is not None:
            fields["text"] = self.text
        if self.resource is not None:
            fields["resource"] = self.resource
        if self.entities is not None:
            fields["entities"] = self.entities.to_dict()
        if self.moderation is not None:
            fields["moderation"] = self.moderation.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.message_entities import MessageEntities
from ..models.moderation import Moderation
