from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class Message(Model):
    """The message that was reviewed.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: Message identifier.
        conversation_id: Conversation identifier.
        sender: The sender's uid.
        receiver_type: Kind of receiver.
        receiver: The receiver's uid or identifier.
        category: Message category.
        type_: Message type.
        data: The content of a message. A text message has text. Other kinds have other fields, such as url and
            attachments, which are available as additional properties.
        sent_at: When it was sent, in Unix seconds.
        updated_at: Time of the last change, in Unix seconds.
        muid: Message identifier set by the sending client.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "conversationId": "conversation_id",
        "sender": "sender",
        "receiverType": "receiver_type",
        "receiver": "receiver",
        "category": "category",
        "type": "type_",
        "data": "data",
        "sentAt": "sent_at",
        "updatedAt": "updated_at",
        "muid": "muid",
    }

    id: str
    conversation_id: str
    sender: str
    receiver_type: str
    receiver: str
    category: str
    type_: str
    data: MessageData
    sent_at: int
    updated_at: int
    muid: str | None = None
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.id = v_id = src_dict.get("id")
        if type(v_id) is not str:
            matched += MISMATCH
        self.conversation_id = v_conversation_id = src_dict.get("conversationId")
        if type(v_conversation_id) is not str:
            matched += MISMATCH
        self.sender = v_sender = src_dict.get("sender")
        if type(v_sender) is not str:
            matched += MISMATCH
        self.receiver_type = v_receiver_type = src_dict.get("receiverType")
        if type(v_receiver_type) is not str:
            matched += MISMATCH
        self.receiver = v_receiver = src_dict.get("receiver")
        if type(v_receiver) is not str:
            matched += MISMATCH
        self.category = v_category = src_dict.get("category")
        if type(v_category) is not str:
            matched += MISMATCH
        self.type_ = v_type_ = src_dict.get("type")
        if type(v_type_) is not str:
            matched += MISMATCH
        v_data = src_dict.get("data")
        if type(v_data) is dict:
            self.data = instantiate(MessageData)._read(v_data, mismatches)
        else:
            self.data = instantiate(MessageData)._read({}, mismatches)
            matched += MISMATCH
        self.sent_at = v_sent_at = src_dict.get("sentAt")
        if type(v_sent_at) is not int:
            matched += MISMATCH
        self.updated_at = v_updated_at = src_dict.get("updatedAt")
        if type(v_updated_at) is not int:
            matched += MISMATCH
        self.muid = v_muid = src_dict.get("muid")
        if type(v_muid) is not str:
            matched += 1 if v_muid is None else MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 11:
            self._missing = tuple(k for k in ["data"] if k not in src_dict)
            self._keep_rest(src_dict, mismatches, matched, {"data": type(v_data) is dict})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.id is not None:
            fields["id"] = self.id
        if self.conversation_id is not None:
            fields["conversationId"] = self.conversation_id
        if self.sender is not None:
            fields["sender"] = self.sender
        if self.receiver_type is not None:
            fields["receiverType"] = self.receiver_type
        if self.receiver is not None:
            fields["receiver"] = self.receiver
        if self.category is not None:
            fields["category"] = self.category
        if self.type_ is not None:
            fields["type"] = self.type_
        if "data" not in self._missing:
            fields["data"] = self.data.to_dict()
        if self.sent_at is not None:
            fields["sentAt"] = self.sent_at
        if self.updated_at is not None:
            fields["updatedAt"] = self.updated_at
        if self.muid is not None:
            fields["muid"] = self.muid
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.message_data import MessageData
