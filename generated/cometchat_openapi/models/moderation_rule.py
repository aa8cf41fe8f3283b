from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class ModerationRule(Model):
    """A moderation rule, with identifier and name.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        id: Rule identifier.
        name: Rule name.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "id": "id",
        "name": "name",
    }

    id: str
    name: str

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.id = v_id = src_dict.get("id")
        if type(v_id) is not str:
            matched += MISMATCH
        self.name = v_name = src_dict.get("name")
        if type(v_name) is not str:
            matched += MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.id is not None:
            fields["id"] = self.id
        if self.name is not None:
            fields["name"] = self.name
        if self._extra:
            fields.update(self._extra)
        return fields
