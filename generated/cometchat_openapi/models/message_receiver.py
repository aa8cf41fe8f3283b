from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class MessageReceiver(Model):
    """The receiver of a message.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        entity: The receiver, as a message contains it. A user has uid, status and role; a group has
            guid, type and owner instead.
        entity_type: The kind of entity: user or group.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "entity": "entity",
        "entityType": "entity_type",
    }

    entity: ReceiverEntity
    entity_type: str

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        value = get("entity")
        count += 0 if type(value) is dict else MISMATCH
        self.entity = instantiate(ReceiverEntity)._read(
            value if type(value) is dict else {}, mismatches
        )
        self.entity_type = value = get("entityType")
        count += 0 if type(value) is str else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.receiver_entity import ReceiverEntity
