from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleListMeta(Model):
    """What is known of this answer.

    Attributes:
        pagination: Which page this is, and how many there are (service.md, section 2.5).
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "pagination": "pagination",
    }

    pagination: Pagination
    # Required objects and arrays that the answer left out; an empty one stands in for each.
    _missing: tuple[str, ...] = _attrs_field(default=(), init=False)

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
        v_pagination = get("pagination")
        if type(v_pagination) is dict:
            self.pagination = Pagination.from_dict(v_pagination, odd)
        else:
            self.pagination = Pagination.from_dict({}, odd)
            known += MISFIT
        self._missing = ()
        self._extra = None
        if known != 1:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_pagination is not None and not (type(v_pagination) is dict):
                extra["pagination"] = v_pagination
            self._missing = tuple(k for k in ("pagination",) if k not in src_dict)
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if "pagination" not in self._missing:
            fields["pagination"] = self.pagination.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.pagination import Pagination
