from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class ReceiverEntity(Model):
    """The receiver, as a message contains it. A user has uid, status and role; a group has guid, type
    and owner instead.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        name: The name of the user or group.
        uid: The user's identifier; absent for a group.
        guid: The group's identifier; absent for a user.
        avatar: Address of a picture of the user.
        icon: Address of a picture of the group.
        status: Presence of the user.
        role: The user's role.
        last_active_at: Time of the user's last activity, in Unix seconds.
        type_: Who can join the group; new values are possible.
        owner: The uid of the group's owner.
        members_count: The number of members of the group.
        conversation_id: The conversation of sender and receiver.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "name": "name",
        "uid": "uid",
        "guid": "guid",
        "avatar": "avatar",
        "icon": "icon",
        "status": "status",
        "role": "role",
        "lastActiveAt": "last_active_at",
        "type": "type_",
        "owner": "owner",
        "membersCount": "members_count",
        "conversationId": "conversation_id",
    }

    name: str
    uid: str | None = None
    guid: str | None = None
    avatar: str | None = None
    icon: str | None = None
    status: str | None = None
    role: str | None = None
    last_active_at: int | None = None
    type_: str | None = None
    owner: str | None = None
    members_count: int | None = None
    conversation_id: str | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.name = value = get("name")
        count += 0 if type(value) is str else MISMATCH
        self.uid = value = get("uid")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.guid = value = get("guid")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.avatar = value = get("avatar")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.icon = value = get("icon")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.status = value = get("status")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.role = value = get("role")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.last_active_at = value = get("lastActiveAt")
        count += 0 if type(value) is int else 1 if value is None else MISMATCH
        self.type_ = value = get("type")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.owner = value = get("owner")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.members_count = value = get("membersCount")
        count += 0 if type(value) is int else 1 if value is None else MISMATCH
        self.conversation_id = value = get("conversationId")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 12:
            self._keep_rest(src_dict, mismatches, count)
        return self
