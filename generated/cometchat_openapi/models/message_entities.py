from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntities(Model):
    """The sender and the receiver of a message.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        sender: The sender or the receiver of a message.
        receiver: The sender or the receiver of a message.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "sender": "sender",
        "receiver": "receiver",
    }

    sender: MessageEntity
    receiver: MessageEntity
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_sender = src_dict.get("sender")
        if type(v_sender) is dict:
            self.sender = instantiate(MessageEntity)._read(v_sender, mismatches)
        else:
            self.sender = instantiate(MessageEntity)._read({}, mismatches)
            matched += MISMATCH
        v_receiver = src_dict.get("receiver")
        if type(v_receiver) is dict:
            self.receiver = instantiate(MessageEntity)._read(v_receiver, mismatches)
        else:
            self.receiver = instantiate(MessageEntity)._read({}, mismatches)
            matched += MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 2:
            self._missing = tuple(k for k in ["sender", "receiver"] if k not in src_dict)
            self._keep_rest(
                src_dict,
                mismatches,
                matched,
                {"sender": type(v_sender) is dict, "receiver": type(v_receiver) is dict},
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if "sender" not in self._missing:
            fields["sender"] = self.sender.to_dict()
        if "receiver" not in self._missing:
            fields["receiver"] = self.receiver.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.message_entity import MessageEntity
