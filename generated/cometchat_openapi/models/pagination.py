from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class Pagination(Model):
    """The position of one page, and the totals.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.total = value = get("total")
        count += 0 if type(value) is int else MISMATCH
        self.count = value = get("count")
        count += 0 if type(value) is int else MISMATCH
        self.per_page = value = get("per_page")
        count += 0 if type(value) is int else MISMATCH
        self.current_page = value = get("current_page")
        count += 0 if type(value) is int else MISMATCH
        self.total_pages = value = get("total_pages")
        count += 0 if type(value) is int else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 5:
            self._keep_rest(src_dict, mismatches, count)
        return self
