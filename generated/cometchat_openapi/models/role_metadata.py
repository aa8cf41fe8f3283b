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
        self._extra = dict(src_dict)
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self._extra:
            fields.update(self._extra)
        return fields
