from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class Message(Model):
    """The message that was reviewed.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: Message identifier.
        conversation_id: Conversation identifier.
        sender: The sender's uid.
        receiver_type: Kind of receiver.
        receiver: The receiver's uid or identifier.
        category: Message category.
        type_: Message type.
        data: The content of a message. A text message has text. Other kinds have other fields, such
            as url and attachments, which are available as additional properties.
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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.id = value = get("id")
        count += 0 if type(value) is str else MISMATCH
        self.conversation_id = value = get("conversationId")
        count += 0 if type(value) is str else MISMATCH
        self.sender = value = get("sender")
        count += 0 if type(value) is str else MISMATCH
        self.receiver_type = value = get("receiverType")
        count += 0 if type(value) is str else MISMATCH
        self.receiver = value = get("receiver")
        count += 0 if type(value) is str else MISMATCH
        self.category = value = get("category")
        count += 0 if type(value) is str else MISMATCH
        self.type_ = value = get("type")
        count += 0 if type(value) is str else MISMATCH
        value = get("data")
        count += 0 if type(value) is dict else MISMATCH
        self.data = instantiate(MessageData)._read(value if type(value) is dict else {}, mismatches)
        self.sent_at = value = get("sentAt")
        count += 0 if type(value) is int else MISMATCH
        self.updated_at = value = get("updatedAt")
        count += 0 if type(value) is int else MISMATCH
        self.muid = value = get("muid")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 11:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.message_data import MessageData
