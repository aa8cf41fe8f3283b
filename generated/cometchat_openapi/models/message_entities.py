from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntities(Model):
    """Who sent and who received a message.

    Attributes:
        sender: One side of a message.
        receiver: One side of a message.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "sender": "sender",
        "receiver": "receiver",
    }

    sender: MessageEntity | None = None
    receiver: MessageEntity | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        v_sender = get("sender")
        self.sender = MessageEntity.from_dict(v_sender, odd) if type(v_sender) is dict else None
        v_receiver = get("receiver")
        self.receiver = MessageEntity.from_dict(v_receiver, odd) if type(v_receiver) is dict else None
        self._extra = None
        fits = (type(v_sender) is dict or "sender" not in src_dict) and (
            type(v_receiver) is dict or "receiver" not in src_dict
        )
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_sender is not None and not (type(v_sender) is dict):
                extra["sender"] = v_sender
            if v_receiver is not None and not (type(v_receiver) is dict):
                extra["receiver"] = v_receiver
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.sender is not None:
            fields["sender"] = self.sender.to_dict()
        if self.receiver is not None:
            fields["receiver"] = self.receiver.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.message_entity import MessageEntity
