from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class CurrentPage(Model):
    """The size of one page of reviewed messages.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        limit: The requested number of records.
        count: The number of records in the response.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "limit": "limit",
        "count": "count",
    }

    limit: int
    count: int

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.limit = v_limit = src_dict.get("limit")
        if type(v_limit) is not int:
            matched += MISMATCH
        self.count = v_count = src_dict.get("count")
        if type(v_count) is not int:
            matched += MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.limit is not None:
            fields["limit"] = self.limit
        if self.count is not None:
            fields["count"] = self.count
        if self._extra:
            fields.update(self._extra)
        return fields
