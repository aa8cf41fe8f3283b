from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Entity(Model):
    """A user, as a message contains it.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.uid = v_uid = src_dict.get("uid")
        if type(v_uid) is not str:
            matched += MISMATCH
        self.name = v_name = src_dict.get("name")
        if type(v_name) is not str:
            matched += MISMATCH
        self.status = v_status = src_dict.get("status")
        if type(v_status) is not str:
            matched += MISMATCH
        self.role = v_role = src_dict.get("role")
        if type(v_role) is not str:
            matched += MISMATCH
        self.avatar = v_avatar = src_dict.get("avatar")
        if type(v_avatar) is not str:
            matched += 1 if v_avatar is None else MISMATCH
        self.last_active_at = v_last_active_at = src_dict.get("lastActiveAt")
        if type(v_last_active_at) is not int:
            matched += 1 if v_last_active_at is None else MISMATCH
        self.conversation_id = v_conversation_id = src_dict.get("conversationId")
        if type(v_conversation_id) is not str:
            matched += 1 if v_conversation_id is None else MISMATCH
        self._extra = None
        if matched != 7:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.uid is not None:
            fields["uid"] = self.uid
        if self.name is not None:
            fields["name"] = self.name
        if self.status is not None:
            fields["status"] = self.status
        if self.role is not None:
            fields["role"] = self.role
        if self.avatar is not None:
            fields["avatar"] = self.avatar
        if self.last_active_at is not None:
            fields["lastActiveAt"] = self.last_active_at
        if self.conversation_id is not None:
            fields["conversationId"] = self.conversation_id
        if self._extra:
            fields.update(self._extra)
        return fields
