from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


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
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        self.text = v_text = get("text")
        if type(v_text) is not str:
            known += 1 if v_text is None else MISFIT
        self.resource = v_resource = get("resource")
        if type(v_resource) is not str:
            known += 1 if v_resource is None else MISFIT
        v_entities = get("entities")
        if type(v_entities) is dict:
            self.entities = MessageEntities.from_dict(v_entities, odd)
        else:
            self.entities = None
            known += 1 if v_entities is None else MISFIT
        v_moderation = get("moderation")
        if type(v_moderation) is dict:
            self.moderation = Moderation.from_dict(v_moderation, odd)
        else:
            self.moderation = None
            known += 1 if v_moderation is None else MISFIT
        self._extra = None
        if known != 4:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
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
