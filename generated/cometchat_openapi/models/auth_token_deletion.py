from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class AuthTokenDeletion(Model):
    """The result of a deletion.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.success = v_success = src_dict.get("success")
        if type(v_success) is not bool:
            matched += MISMATCH
        self.message = v_message = src_dict.get("message")
        if type(v_message) is not str:
            matched += MISMATCH
        self._extra = None
        if matched != 2:
            self._keep_rest(src_dict, mismatches, matched, {})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.success is not None:
            fields["success"] = self.success
        if self.message is not None:
            fields["message"] = self.message
        if self._extra:
            fields.update(self._extra)
        return fields
