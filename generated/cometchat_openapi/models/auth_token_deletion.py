from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class AuthTokenDeletion(Model):
    """The result of a deletion.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

    Attributes:
        success: Whether the token is deleted; if not, it may still be valid.
        message: A confirmation for human readers.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "success": "success",
        "message": "message",
    }

    success: bool
    message: str

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.success = value = get("success")
        count += 0 if type(value) is bool else MISMATCH
        self.message = value = get("message")
        count += 0 if type(value) is str else MISMATCH
        self._extra = None
        self._missing = ()
        if count != 2:
            self._keep_rest(src_dict, mismatches, count)
        return self
