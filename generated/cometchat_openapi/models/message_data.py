from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageData(Model):
    """The content of a message. A text message has text. Other kinds have other fields, such as url
    and attachments, which are available as additional properties.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        value = get("entities")
        count += 0 if type(value) is dict else MISMATCH
        self.entities = instantiate(MessageEntities)._read(
            value if type(value) is dict else {}, mismatches
        )
        value = get("moderation")
        count += 0 if type(value) is dict else MISMATCH
        self.moderation = instantiate(Moderation)._read(
            value if type(value) is dict else {}, mismatches
        )
        self.text = value = get("text")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.resource = value = get("resource")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 4:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.message_entities import MessageEntities
from ..models.moderation import Moderation
