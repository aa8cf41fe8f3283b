from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


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
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        self.status = v_status = get("status")
        if type(v_status) is not str:
            known += 1 if v_status is None else MISFIT
        v_rule = get("rule")
        if type(v_rule) is dict:
            self.rule = ModerationRule.from_dict(v_rule, odd)
        else:
            self.rule = None
            known += 1 if v_rule is None else MISFIT
        self._extra = None
        if known != 2:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
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
