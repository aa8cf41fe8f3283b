from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import JsonObject, or_none

T = TypeVar("T", bound="CurrentPage")


@_attrs_define(kw_only=True)
class CurrentPage:
    """The size of one page of reviewed messages (service.md, section 2.5).

    Attributes:
        limit: How many records were asked for.
        count: How many came.
    """

    # What each field is called in JSON.
    JSON_NAMES: ClassVar[Mapping[str, str]] = {
        "limit": "limit",
        "count": "count",
    }

    limit: int
    count: int
    _extra: dict[str, Any] | None = _attrs_field(default=None, init=False, repr=False, eq=or_none)

    @classmethod
    def from_dict(cls: type[T], src_dict: JsonObject, odd: list[type] | None = None) -> T:
        """Read a JSON object; never raises, and `to_dict` gives back what came in.

        Args:
            src_dict: the object.
            odd: receives the class of each object that departs from the description.
        """
        get = src_dict.get
        self = cls.__new__(cls)
        self.limit = v_limit = get("limit")
        self.count = v_count = get("count")
        self._extra = None
        fits = type(v_limit) is int and type(v_count) is int
        if not (fits and src_dict.keys() <= cls.JSON_NAMES.keys()):
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

    @property
    def additional_properties(self) -> dict[str, Any]:
        """What came beside the described fields, or came in another kind than described."""
        if self._extra is None:
            self._extra = {}
        return self._extra

    @property
    def additional_keys(self) -> list[str]:
        """The names in `additional_properties`."""
        return list(self._extra or ())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in (self._extra or ())
