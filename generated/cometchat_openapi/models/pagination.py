from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Pagination(Model):
    """The position of one page, and the totals.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        total: The total number of roles.
        count: The number of roles on this page.
        per_page: The number of roles per page.
        current_page: The number of this page, counted from 1.
        total_pages: The total number of pages.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "total": "total",
        "count": "count",
        "per_page": "per_page",
        "current_page": "current_page",
        "total_pages": "total_pages",
    }

    total: int
    count: int
    per_page: int
    current_page: int
    total_pages: int

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.total = v_total = src_dict.get("total")
        if type(v_total) is not int:
            matched += MISMATCH
        self.count = v_count = src_dict.get("count")
        if type(v_count) is not int:
            matched += MISMATCH
        self.per_page = v_per_page = src_dict.get("per_page")
        if type(v_per_page) is not int:
            matched += MISMATCH
        self.current_page = v_current_page = src_dict.get("current_page")
        if type(v_current_page) is not int:
            matched += MISMATCH
        self.total_pages = v_total_pages = src_dict.get("total_pages")
        if type(v_total_pages) is not int:
            matched += MISMATCH
        self._extra = None
        if matched != 5:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.total is not None:
            fields["total"] = self.total
        if self.count is not None:
            fields["count"] = self.count
        if self.per_page is not None:
            fields["per_page"] = self.per_page
        if self.current_page is not None:
            fields["current_page"] = self.current_page
        if self.total_pages is not None:
            fields["total_pages"] = self.total_pages
        if self._extra:
            fields.update(self._extra)
        return fields
