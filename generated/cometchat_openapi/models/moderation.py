from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class Moderation(Model):
    """The result of moderation.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.status = value = get("status")
        count += 0 if type(value) is str else MISMATCH
        value = get("rule")
        count += 0 if type(value) is dict else 1 if value is None else MISMATCH
        self.rule = (
            instantiate(ModerationRule)._read(value, mismatches) if type(value) is dict else None
        )
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.moderation_rule import ModerationRule
