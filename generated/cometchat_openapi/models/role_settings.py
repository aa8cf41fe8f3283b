from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleSettings(Model):
    """The permissions of users with a role; new values are possible.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.list_users = value = get("listUsers")
        count += 0 if type(value) is str else MISMATCH
        self.send_messages_to = value = get("sendMessagesTo")
        count += 0 if type(value) is str else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self
