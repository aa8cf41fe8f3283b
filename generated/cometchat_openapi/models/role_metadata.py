from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleMetadata(Model):
    """Any data that the app stores with a role."""

    JSON_NAMES: ClassVar[Mapping[str, str]] = {}

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self._extra = None
        if matched != 0:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self._extra:
            fields.update(self._extra)
        return fields
