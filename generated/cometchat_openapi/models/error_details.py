from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class ErrorDetails(Model):
    """For each invalid field, its errors."""

    JSON_NAMES: ClassVar[Mapping[str, str]] = {}

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        self._extra = dict(src_dict)
        if mismatches is not None and not all(
            (type(v) is list and {str}.issuperset(map(type, v))) for v in src_dict.values()
        ):
            mismatches.append(type(self))
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self._extra:
            fields.update(self._extra)
        return fields

    @property
    def additional_properties(self) -> dict[str, list[str]]:
        """Unknown fields, and values of another type than the described object or array."""
        return super().additional_properties
