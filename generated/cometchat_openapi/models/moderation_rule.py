from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class ModerationRule(Model):
    """A moderation rule, with identifier and name.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.id = value = get("id")
        count += 0 if type(value) is str else MISMATCH
        self.name = value = get("name")
        count += 0 if type(value) is str else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self
