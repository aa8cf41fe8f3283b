from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleSettings(Model):
    """The permissions of users with a role; new values are possible.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        list_users: The users that they may list.
        send_messages_to: The users that they may send messages to.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "listUsers": "list_users",
        "sendMessagesTo": "send_messages_to",
    }

    list_users: str
    send_messages_to: str

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.list_users = v_list_users = src_dict.get("listUsers")
        if type(v_list_users) is not str:
            matched += MISMATCH
        self.send_messages_to = v_send_messages_to = src_dict.get("sendMessagesTo")
        if type(v_send_messages_to) is not str:
            matched += MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.list_users is not None:
            fields["listUsers"] = self.list_users
        if self.send_messages_to is not None:
            fields["sendMessagesTo"] = self.send_messages_to
        if self._extra:
            fields.update(self._extra)
        return fields
