from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from attrs import define as _attrs_define

from ..types import JsonObject, Model, new


@_attrs_define(kw_only=True, repr=False, eq=False)
class RoleMetadata(Model):
    """Whatever the app keeps with a role."""

    JSON_NAMES: ClassVar[Mapping[str, str]] = {}

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
        self._extra = dict(src_dict)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The JSON object this was read from, with what has been changed since."""
        fields: dict[str, Any] = {}
        if self._extra:
            fields.update(self._extra)
        return fields
