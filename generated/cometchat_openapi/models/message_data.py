from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageData(Model):
    """The content of a message. A text message has text. Other kinds have other fields, such as url and attachments,
    which are available as additional properties.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        entities: The sender and the receiver of a message.
        moderation: The result of moderation.
        text: The text.
        resource: The sending client.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "entities": "entities",
        "moderation": "moderation",
        "text": "text",
        "resource": "resource",
    }

    entities: MessageEntities
    moderation: Moderation
    text: str | None = None
    resource: str | None = None
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_entities = src_dict.get("entities")
        if type(v_entities) is dict:
            self.entities = instantiate(MessageEntities)._read(v_entities, mismatches)
        else:
            self.entities = instantiate(MessageEntities)._read({}, mismatches)
            matched += MISMATCH
        v_moderation = src_dict.get("moderation")
        if type(v_moderation) is dict:
            self.moderation = instantiate(Moderation)._read(v_moderation, mismatches)
        else:
            self.moderation = instantiate(Moderation)._read({}, mismatches)
            matched += MISMATCH
        self.text = v_text = src_dict.get("text")
        if type(v_text) is not str:
            matched += 1 if v_text is None else MISMATCH
        self.resource = v_resource = src_dict.get("resource")
        if type(v_resource) is not str:
            matched += 1 if v_resource is None else MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 4:
            self._missing = tuple(k for k in ["entities", "moderation"] if k not in src_dict)
            self._keep_rest(
                src_dict,
                mismatches,
                matched,
                {"entities": type(v_entities) is dict, "moderation": type(v_moderation) is dict},
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if "entities" not in self._missing:
            fields["entities"] = self.entities.to_dict()
        if "moderation" not in self._missing:
            fields["moderation"] = self.moderation.to_dict()
        if self.text is not None:
            fields["text"] = self.text
        if self.resource is not None:
            fields["resource"] = self.resource
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.message_entities import MessageEntities
from ..models.moderation import Moderation
