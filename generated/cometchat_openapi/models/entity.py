from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Entity(Model):
    """A user, as a message names one.

    Attributes:
        uid: The user's identifier.
        name: The user's name.
        avatar: Address of a picture.
        status: Presence.
        role: The user's role.
        last_active_at: When last seen, in Unix seconds.
        conversation_id: The conversation with the other side.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "uid": "uid",
        "name": "name",
        "avatar": "avatar",
        "status": "status",
        "role": "role",
        "lastActiveAt": "last_active_at",
        "conversationId": "conversation_id",
    }

    uid: str | None = None
    name: str | None = None
    avatar: str | None = None
    status: str | None = None
    role: str | None = None
    last_active_at: int | None = None
    conversation_id: str | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.uid = v_uid = get("uid")
        self.name = v_name = get("name")
        self.avatar = v_avatar = get("avatar")
        self.status = v_status = get("status")
        self.role = v_role = get("role")
        self.last_active_at = v_last_active_at = get("lastActiveAt")
        self.conversation_id = v_conversation_id = get("conversationId")
        self._extra = None
        fits = (
            (type(v_uid) is str or "uid" not in src_dict)
            and (type(v_name) is str or "name" not in src_dict)
            and (type(v_avatar) is str or "avatar" not in src_dict)
            and (type(v_status) is str or "status" not in src_dict)
            and (type(v_role) is str or "role" not in src_dict)
            and (type(v_last_active_at) is int or "lastActiveAt" not in src_dict)
            and (type(v_conversation_id) is str or "conversationId" not in src_dict)
        )
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.uid is not None:
            fields["uid"] = self.uid
        if self.name is not None:
            fields["name"] = self.name
        if self.avatar is not None:
            fields["avatar"] = self.avatar
        if self.status is not None:
            fields["status"] = self.status
        if self.role is not None:
            fields["role"] = self.role
        if self.last_active_at is not None:
            fields["lastActiveAt"] = self.last_active_at
        if self.conversation_id is not None:
            fields["conversationId"] = self.conversation_id
        if self._extra:
            fields.update(self._extra)
        return fields
