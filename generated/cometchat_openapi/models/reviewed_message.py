from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class ReviewedMessage(Model):
    """One message that moderation has reviewed, and the result.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        rule_id: Identifier of the rule that matched.
        rule_name: Name of the rule.
        revision_id: Revision of the rule.
        condition: A condition of a moderation rule. New values are possible in all its strings.
        message: The message that was reviewed.
        action: The actions taken on the message; new values are possible.
        created_at: Creation time of the record, in Unix seconds.
        updated_at: Time of the last change, in Unix seconds.
        blocked_at: Block marker: the time in Unix seconds, a dot, and the message's identifier padded to 15 digits. It
            stays a string, because a float would lose the identifier.
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
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.rule_id = v_rule_id = src_dict.get("ruleId")
        if type(v_rule_id) is not str:
            matched += MISMATCH
        self.rule_name = v_rule_name = src_dict.get("ruleName")
        if type(v_rule_name) is not str:
            matched += MISMATCH
        self.revision_id = v_revision_id = src_dict.get("revisionId")
        if type(v_revision_id) is not str:
            matched += MISMATCH
        v_condition = src_dict.get("condition")
        if type(v_condition) is dict:
            self.condition = instantiate(Condition)._read(v_condition, mismatches)
        else:
            self.condition = instantiate(Condition)._read({}, mismatches)
            matched += MISMATCH
        v_message = src_dict.get("message")
        if type(v_message) is dict:
            self.message = instantiate(Message)._read(v_message, mismatches)
        else:
            self.message = instantiate(Message)._read({}, mismatches)
            matched += MISMATCH
        v_action = src_dict.get("action")
        if type(v_action) is list:
            self.action = v_action
            for each in v_action:
                if type(each) is not str:
                    matched += MISMATCH
        else:
            self.action = []
            matched += MISMATCH
        self.created_at = v_created_at = src_dict.get("createdAt")
        if type(v_created_at) is not int:
            matched += MISMATCH
        self.updated_at = v_updated_at = src_dict.get("updatedAt")
        if type(v_updated_at) is not int:
            matched += MISMATCH
        self.blocked_at = v_blocked_at = src_dict.get("blockedAt")
        if type(v_blocked_at) is not str:
            matched += 1 if v_blocked_at is None else MISMATCH
        self.app_id = v_app_id = src_dict.get("appId")
        if type(v_app_id) is not str:
            matched += 1 if v_app_id is None else MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 10:
            self._missing = tuple(k for k in ["condition", "message", "action"] if k not in src_dict)
            self._keep_rest(
                src_dict,
                mismatches,
                matched,
                {
                    "condition": type(v_condition) is dict,
                    "message": type(v_message) is dict,
                    "action": type(v_action) is list,
                },
            )
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.rule_id is not None:
            fields["ruleId"] = self.rule_id
        if self.rule_name is not None:
            fields["ruleName"] = self.rule_name
        if self.revision_id is not None:
            fields["revisionId"] = self.revision_id
        if "condition" not in self._missing:
            fields["condition"] = self.condition.to_dict()
        if "message" not in self._missing:
            fields["message"] = self.message.to_dict()
        if "action" not in self._missing:
            fields["action"] = self.action
        if self.created_at is not None:
            fields["createdAt"] = self.created_at
        if self.updated_at is not None:
            fields["updatedAt"] = self.updated_at
        if self.blocked_at is not None:
            fields["blockedAt"] = self.blocked_at
        if self.app_id is not None:
            fields["appId"] = self.app_id
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.condition import Condition
from ..models.message import Message
