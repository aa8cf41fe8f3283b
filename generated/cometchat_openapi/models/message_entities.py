from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageEntities(Model):
    """The sender and the receiver of a message.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        sender: The sender of a message.
        receiver: The receiver of a message.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "sender": "sender",
        "receiver": "receiver",
    }

    sender: MessageSender
    receiver: MessageReceiver

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        value = get("sender")
        count += 0 if type(value) is dict else MISMATCH
        self.sender = instantiate(MessageSender)._read(
            value if type(value) is dict else {}, mismatches
        )
        value = get("receiver")
        count += 0 if type(value) is dict else MISMATCH
        self.receiver = instantiate(MessageReceiver)._read(
            value if type(value) is dict else {}, mismatches
        )
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.message_receiver import MessageReceiver
from ..models.message_sender import MessageSender
