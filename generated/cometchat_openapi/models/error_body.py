from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


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
            odd: receives the class of each object that departs from the description. Who passes it gives the object
                away: its arrays of objects are emptied while they are read.
        """
        get = src_dict.get
        self = new(cls)
        # The fields that are there and those that may be absent and are: all of them, if the answer is as described and
        # brings nothing else.
        known = len(src_dict)
        self.code = v_code = get("code")
        if type(v_code) is not str:
            known += MISFIT
        self.message = v_message = get("message")
        if type(v_message) is not str:
            known += MISFIT
        self.dev_message = v_dev_message = get("devMessage")
        if type(v_dev_message) is not str:
            known += 1 if v_dev_message is None else MISFIT
        self.source = v_source = get("source")
        if type(v_source) is not str:
            known += 1 if v_source is None else MISFIT
        v_details = get("details")
        if type(v_details) is dict:
            self.details = ErrorDetails.from_dict(v_details, odd)
        else:
            self.details = None
            known += 1 if v_details is None else MISFIT
        self._extra = None
        if known != 5:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
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
