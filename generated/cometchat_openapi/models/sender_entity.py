from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class SenderEntity(Model):
    """The sender, as a message contains it: a user.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        uid: The user's identifier.
        name: The user's name.
        status: Presence.
        role: The user's role.
        avatar: Address of a picture.
        last_active_at: Time of the last activity, in Unix seconds.
        conversation_id: The conversation of sender and receiver.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "uid": "uid",
        "name": "name",
        "status": "status",
        "role": "role",
        "avatar": "avatar",
        "lastActiveAt": "last_active_at",
        "conversationId": "conversation_id",
    }

    uid: str
    name: str
    status: str
    role: str
    avatar: str | None = None
    last_active_at: int | None = None
    conversation_id: str | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.uid = value = get("uid")
        count += 0 if type(value) is str else MISMATCH
        self.name = value = get("name")
        count += 0 if type(value) is str else MISMATCH
        self.status = value = get("status")
        count += 0 if type(value) is str else MISMATCH
        self.role = value = get("role")
        count += 0 if type(value) is str else MISMATCH
        self.avatar = value = get("avatar")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.last_active_at = value = get("lastActiveAt")
        count += 0 if type(value) is int else 1 if value is None else MISMATCH
        self.conversation_id = value = get("conversationId")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 7:
            self._keep_rest(src_dict, mismatches, count)
        return self
