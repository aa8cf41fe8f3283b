from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, array_fits, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class ReviewedMessage(Model):
    """One message that moderation has reviewed, and the result.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        rule_id: Identifier of the rule that matched.
        rule_name: Name of the rule.
        revision_id: Revision of the rule.
        condition: A condition of a moderation rule. New values are possible in all its strings. Whether
            it refers to a keyword list is in one of two fields.
        message: The message that was reviewed.
        action: The actions taken on the message; new values are possible.
        created_at: Creation time of the record, in Unix seconds.
        updated_at: Time of the last change, in Unix seconds.
        blocked_at: Block marker: the time in Unix seconds, a dot, and the message's identifier padded to
            15 digits. It stays a string, because a float would lose the identifier.
        app_id: The app.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "ruleId": "rule_id",
        "ruleName": "rule_name",
        "revisionId": "revision_id",
        "condition": "condition",
        "message": "message",
        "action": "action",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
        "blockedAt": "blocked_at",
        "appId": "app_id",
    }

    rule_id: str
    rule_name: str
    revision_id: str
    condition: Condition
    message: Message
    action: list[str]
    created_at: int
    updated_at: int
    blocked_at: str | None = None
    app_id: str | None = None

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.rule_id = value = get("ruleId")
        count += 0 if type(value) is str else MISMATCH
        self.rule_name = value = get("ruleName")
        count += 0 if type(value) is str else MISMATCH
        self.revision_id = value = get("revisionId")
        count += 0 if type(value) is str else MISMATCH
        value = get("condition")
        count += 0 if type(value) is dict else MISMATCH
        self.condition = instantiate(Condition)._read(
            value if type(value) is dict else {}, mismatches
        )
        value = get("message")
        count += 0 if type(value) is dict else MISMATCH
        self.message = instantiate(Message)._read(value if type(value) is dict else {}, mismatches)
        value = get("action")
        count += 0 if array_fits(value, str) else MISMATCH
        self.action = value if type(value) is list else []
        self.created_at = value = get("createdAt")
        count += 0 if type(value) is int else MISMATCH
        self.updated_at = value = get("updatedAt")
        count += 0 if type(value) is int else MISMATCH
        self.blocked_at = value = get("blockedAt")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.app_id = value = get("appId")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 10:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.condition import Condition
from ..models.message import Message
