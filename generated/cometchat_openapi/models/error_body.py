from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from cometchat_runtime.model import MISMATCH, Model, instantiate


@_attrs_define(kw_only=True, repr=False, eq=False)
class ErrorBody(Model):
    """The reason for the error. New codes are possible.

    If a response lacks a required field, its attribute is `None`, or an empty object or list,
    although its type does not say so. With `strict=True`, such a response is an error.

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

    def _read(self, src_dict: Mapping[str, object], mismatches: list[type] | None) -> Self:
        get: Any = src_dict.get
        count = len(src_dict)
        self.code = value = get("code")
        count += 0 if type(value) is str else MISMATCH
        self.message = value = get("message")
        count += 0 if type(value) is str else MISMATCH
        self.dev_message = value = get("devMessage")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        self.source = value = get("source")
        count += 0 if type(value) is str else 1 if value is None else MISMATCH
        value = get("details")
        count += 0 if type(value) is dict else 1 if value is None else MISMATCH
        self.details = (
            instantiate(ErrorDetails)._read(value, mismatches) if type(value) is dict else None
        )
        self._extra = None
        self._missing = ()
        if count != 5:
            self._keep_rest(src_dict, mismatches, count)
        return self


# Imported last, because models can refer to each other: a module defines its own class before it
# imports others.
from ..models.error_details import ErrorDetails
