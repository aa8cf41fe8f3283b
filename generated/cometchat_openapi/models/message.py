from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Message(Model):
    """The message that was reviewed.

    Attributes:
        id: Message identifier.
        sender: The sender's uid.
        receiver_type: Kind of receiver.
        receiver: The receiver's uid or identifier.
        category: Message category.
        type_: Message type.
        sent_at: When it was sent, in Unix seconds.
        muid: The sending client's own identifier.
        conversation_id: Conversation identifier.
        data: What a message holds. A text message has text; other kinds bring fields of their own, such as url
            and attachments, which stay reachable as additional properties.
        updated_at: When it was last changed, in Unix seconds.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "sender": "sender",
        "receiverType": "receiver_type",
        "receiver": "receiver",
        "category": "category",
        "type": "type_",
        "sentAt": "sent_at",
        "muid": "muid",
        "conversationId": "conversation_id",
        "data": "data",
        "updatedAt": "updated_at",
    }

    id: str
    sender: str
    receiver_type: str
    receiver: str
    category: str
    type_: str
    sent_at: int
    muid: str | None = None
    conversation_id: str | None = None
    data: MessageData | None = None
    updated_at: int | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.id = v_id = get("id")
        self.sender = v_sender = get("sender")
        self.receiver_type = v_receiver_type = get("receiverType")
        self.receiver = v_receiver = get("receiver")
        self.category = v_category = get("category")
        self.type_ = v_type_ = get("type")
        self.sent_at = v_sent_at = get("sentAt")
        self.muid = v_muid = get("muid")
        self.conversation_id = v_conversation_id = get("conversationId")
        v_data = get("data")
        self.data = MessageData.from_dict(v_data, odd) if type(v_data) is dict else None
        self.updated_at = v_updated_at = get("updatedAt")
        self._extra = None
        fits = (
            type(v_id) is str
            and type(v_sender) is str
            and type(v_receiver_type) is str
            and type(v_receiver) is str
            and type(v_category) is str
            and type(v_type_) is str
            and type(v_sent_at) is int
            and (type(v_muid) is str or "muid" not in src_dict)
            and (type(v_conversation_id) is str or "conversationId" not in src_dict)
            and (type(v_data) is dict or "data" not in src_dict)
            and (type(v_updated_at) is int or "updatedAt" not in src_dict)
        )
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_data is not None and not (type(v_data) is dict):
                extra["data"] = v_data
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.id is not None:
            fields["id"] = self.id
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
        if self.sent_at is not None:
            fields["sentAt"] = self.sent_at
        if self.muid is not None:
            fields["muid"] = self.muid
        if self.conversation_id is not None:
            fields["conversationId"] = self.conversation_id
        if self.data is not None:
            fields["data"] = self.data.to_dict()
        if self.updated_at is not None:
            fields["updatedAt"] = self.updated_at
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.message_data import MessageData
