from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntities(Model):
    """The sender and the receiver of a message.

    Attributes:
        sender: The sender or the receiver of a message.
        receiver: The sender or the receiver of a message.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "sender": "sender",
        "receiver": "receiver",
    }

    sender: MessageEntity | None = None
    receiver: MessageEntity | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_sender = src_dict.get("sender")
        if type(v_sender) is dict:
            self.sender = instantiate(MessageEntity)._read(v_sender, mismatches)
        else:
            self.sender = None
            matched += 1 if v_sender is None else MISMATCH
        v_receiver = src_dict.get("receiver")
        if type(v_receiver) is dict:
            self.receiver = instantiate(MessageEntity)._read(v_receiver, mismatches)
        else:
            self.receiver = None
            matched += 1 if v_receiver is None else MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(
                src_dict,
                mismatches,
                matched,
                {"sender": type(v_sender) is dict, "receiver": type(v_receiver) is dict},
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.sender is not None:
            fields["sender"] = self.sender.to_dict()
        if self.receiver is not None:
            fields["receiver"] = self.receiver.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.message_entity import MessageEntity
