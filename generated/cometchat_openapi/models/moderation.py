from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class Moderation(Model):
    """The result of moderation.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        status: Status of the review; new values are possible.
        rule: A moderation rule, with identifier and name.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "status": "status",
        "rule": "rule",
    }

    status: str
    rule: ModerationRule | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.status = v_status = src_dict.get("status")
        if type(v_status) is not str:
            matched += MISMATCH
        v_rule = src_dict.get("rule")
        if type(v_rule) is dict:
            self.rule = instantiate(ModerationRule)._read(v_rule, mismatches)
        else:
            self.rule = None
            matched += 1 if v_rule is None else MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(src_dict, mismatches, matched, {"rule": type(v_rule) is dict})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.status is not None:
            fields["status"] = self.status
        if self.rule is not None:
            fields["rule"] = self.rule.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.moderation_rule import ModerationRule
