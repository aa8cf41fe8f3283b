from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISMATCH, JsonObject, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class ErrorBody(Model):
    """The reason for the error. New codes are possible.

    If a response lacks a required field, its attribute is `None`, or an empty object or list, although its type does
    not say so. With `strict=True`, such a response is an error.

    Attributes:
        code: The error's code.
        message: A text for human readers.
        dev_message: A text for developers.
        source: The part of the service that reports the error.
        details: For each invalid field, its errors.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "code": "code",
        "message": "message",
        "devMessage": "dev_message",
        "source": "source",
        "details": "details",
    }

    code: str
    message: str
    dev_message: str | None = None
    source: str | None = None
    details: ErrorDetails | None = None

    def _read(self, src_dict: JsonObject, mismatches: list[type] | None) -> Self:
        # Counts the fields that are present, and the optional fields that are absent. The sum equals the number of
        # described fields if the object matches the description and has no other fields.
        matched = len(src_dict)
        self.code = v_code = src_dict.get("code")
        if type(v_code) is not str:
            matched += MISMATCH
        self.message = v_message = src_dict.get("message")
        if type(v_message) is not str:
            matched += MISMATCH
        self.dev_message = v_dev_message = src_dict.get("devMessage")
        if type(v_dev_message) is not str:
            matched += 1 if v_dev_message is None else MISMATCH
        self.source = v_source = src_dict.get("source")
        if type(v_source) is not str:
            matched += 1 if v_source is None else MISMATCH
        v_details = src_dict.get("details")
        if type(v_details) is dict:
            self.details = instantiate(ErrorDetails)._read(v_details, mismatches)
        else:
            self.details = None
            matched += 1 if v_details is None else MISMATCH
        self._extra = None
        if matched != 5:
            self._keep_rest(src_dict, mismatches, matched, {"details": type(v_details) is dict})
        return self

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if self.code is not None:
            fields["code"] = self.code
        if self.message is not None:
            fields["message"] = self.message
        if self.dev_message is not None:
            fields["devMessage"] = self.dev_message
        if self.source is not None:
            fields["source"] = self.source
        if self.details is not None:
            fields["details"] = self.details.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Imported last, because models can refer to each other: a module defines its own class before it imports others.
from ..models.error_details import ErrorDetails
