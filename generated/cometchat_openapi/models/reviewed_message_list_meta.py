from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import MISFIT, JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class ReviewedMessageListMeta(Model):
    """What is known of this answer.

    Attributes:
        current: The size of one page of reviewed messages (service.md, section 2.5).
    """

    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "current": "current",
    }

    current: CurrentPage
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
        v_current = get("current")
        if type(v_current) is dict:
            self.current = CurrentPage.from_dict(v_current, odd)
        else:
            self.current = CurrentPage.from_dict({}, odd)
            known += MISFIT
        self._missing = ()
        self._extra = None
        if known != 1:
            fits = known < MISFIT and not any(v is None and k in cls.JSON_NAMES for k, v in src_dict.items())
            # The way for unknown fields, nulls, and objects and arrays of another kind: they are kept as they came.
            extra: dict[str, Any] = {
                k: v for k, v in src_dict.items() if v is None or k not in cls.JSON_NAMES
            }
            if v_current is not None and not (type(v_current) is dict):
                extra["current"] = v_current
            self._missing = tuple(k for k in ("current",) if k not in src_dict)
            self._extra = extra or None
            if odd is not None and not fits:
                odd.append(cls)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if "current" not in self._missing:
            fields["current"] = self.current.to_dict()
        if self._extra:
            fields.update(self._extra)
        return fields


# Last, because objects may hold each other: whichever module comes first, its class is there when the other asks.
from ..models.current_page import CurrentPage
