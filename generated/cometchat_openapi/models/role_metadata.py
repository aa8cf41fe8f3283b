from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleMetadata(Model):
    """Any data that the app stores with a role."""

    JSON_NAMES: ClassVar[Mapping[str, str]] = {}

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self._extra = None
        self._missing = ()
        if count != 0:
            self._keep_rest(src_dict, mismatches, count)
        return self
