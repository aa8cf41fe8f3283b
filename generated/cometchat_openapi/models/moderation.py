from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Moderation(Model):
    """What moderation found.

    Attributes:
        status: Where the review stands; an open set.
        rule: A moderation rule, by name.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "status": "status",
        "rule": "rule",
    }

    status: str | None = None
    rule: ModerationRule | None = None

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.status = v_status = get("status")
        v_rule = get("rule")
        self.rule = ModerationRule.from_dict(v_rule, odd) if type(v_rule) is dict else None
        self._extra = None
        fits = (type(v_status) is str or "status" not in src_dict) and (
            type(v_rule) is dict or "rule" not in src_dict
        )
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_rule is not None and not (type(v_rule) is dict):
                extra["rule"] = v_rule
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.status is not None:
            fields["status"] = self.status
        if self.rule is not None:
            fields["rule"] = self.rule.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.moderation_rule import ModerationRule
