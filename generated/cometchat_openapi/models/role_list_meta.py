from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleListMeta(Model):
    """Information about this response.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        pagination: The position of one page, and the totals.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "pagination": "pagination",
    }

    pagination: Pagination
    # The required fields that were absent from the response; an absent object or array is replaced by an empty one.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        v_pagination = src_dict.get("pagination")
        if type(v_pagination) is dict:
            self.pagination = instantiate(Pagination)._read(v_pagination, mismatches)
        else:
            self.pagination = instantiate(Pagination)._read({}, mismatches)
            matched += MISMATCH
        self._missing = ()
        self._extra = None
        if matched != 1:
            self._missing = tuple(k for k in ["pagination"] if k not in src_dict)
            self._keep_rest(src_dict, mismatches, matched, {"pagination": type(v_pagination) is dict})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if "pagination" not in self._missing:
            fields["pagination"] = self.pagination.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.pagination import Pagination
