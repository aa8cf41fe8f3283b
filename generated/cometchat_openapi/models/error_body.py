from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model


@_attrs_define(kw_only=True, repr=False, eq=False)
class ErrorBody(Model):
    """Why the service refused. Codes are an open set.

    Attributes:
        code: The error's code.
        message: For people.
        dev_message: For developers.
        source: Where it arose.
        details: For each field at fault, what is wrong with it.
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

    @classmethod
    def from_dict(cls, src_dict: JsonObject, odd: list[type] | None = None) -> Self:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.code = v_code = get("code")
        self.message = v_message = get("message")
        self.dev_message = v_dev_message = get("devMessage")
        self.source = v_source = get("source")
        v_details = get("details")
        self.details = ErrorDetails.from_dict(v_details, odd) if type(v_details) is dict else None
        self._extra = None
        fits = (
            type(v_code) is str
            and type(v_message) is str
            and (type(v_dev_message) is str or "devMessage" not in src_dict)
            and (type(v_source) is str or "source" not in src_dict)
            and (type(v_details) is dict or "details" not in src_dict)
        )
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_details is not None and not (type(v_details) is dict):
                extra["details"] = v_details
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
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


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.error_details import ErrorDetails
