from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


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
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        self.uid = v_uid = get("uid")
        if type(v_uid) is not str:
            known += 1 if v_uid is None else MISFIT
        self.name = v_name = get("name")
        if type(v_name) is not str:
            known += 1 if v_name is None else MISFIT
        self.avatar = v_avatar = get("avatar")
        if type(v_avatar) is not str:
            known += 1 if v_avatar is None else MISFIT
        self.status = v_status = get("status")
        if type(v_status) is not str:
            known += 1 if v_status is None else MISFIT
        self.role = v_role = get("role")
        if type(v_role) is not str:
            known += 1 if v_role is None else MISFIT
        self.last_active_at = v_last_active_at = get("lastActiveAt")
        if type(v_last_active_at) is not int:
            known += 1 if v_last_active_at is None else MISFIT
        self.conversation_id = v_conversation_id = get("conversationId")
        if type(v_conversation_id) is not str:
            known += 1 if v_conversation_id is None else MISFIT
        self._extra = None
        if known != 7:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
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
