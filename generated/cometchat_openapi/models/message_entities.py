from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


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
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        v_sender = get("sender")
        if type(v_sender) is dict:
            self.sender = MessageEntity.from_dict(v_sender, odd)
        else:
            self.sender = None
            known += 1 if v_sender is None else MISFIT
        v_receiver = get("receiver")
        if type(v_receiver) is dict:
            self.receiver = MessageEntity.from_dict(v_receiver, odd)
        else:
            self.receiver = None
            known += 1 if v_receiver is None else MISFIT
        self._extra = None
        if known != 2:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
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
