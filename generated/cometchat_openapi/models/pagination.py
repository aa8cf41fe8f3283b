from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class Pagination(Model):
    """Which page this is, and how many there are (service.md, section 2.5).

    Attributes:
        total: How many roles there are.
        count: How many are on this page.
        per_page: How many a page holds.
        current_page: This page, counted from 1.
        total_pages: How many pages there are.
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
        self.total = v_total = get("total")
        if type(v_total) is not int:
            known += MISFIT
        self.count = v_count = get("count")
        if type(v_count) is not int:
            known += MISFIT
        self.per_page = v_per_page = get("per_page")
        if type(v_per_page) is not int:
            known += MISFIT
        self.current_page = v_current_page = get("current_page")
        if type(v_current_page) is not int:
            known += MISFIT
        self.total_pages = v_total_pages = get("total_pages")
        if type(v_total_pages) is not int:
            known += MISFIT
        self._extra = None
        if known != 5:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
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
