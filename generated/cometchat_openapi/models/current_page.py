from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class CurrentPage(Model):
    """The size of one page of reviewed messages (service.md, section 2.5).

    Attributes:
        limit: How many records were asked for.
        count: How many came.
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "limit": "limit",
        "count": "count",
    }

    limit: int
    count: int

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
        self.limit = v_limit = get("limit")
        if type(v_limit) is not int:
            known += MISFIT
        self.count = v_count = get("count")
        if type(v_count) is not int:
            known += MISFIT
        self._extra = None
        if known != 2:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self.limit is not None:
            fields["limit"] = self.limit
        if self.count is not None:
            fields["count"] = self.count
        if self._extra:
            fields.update(self._extra)
        return fields
